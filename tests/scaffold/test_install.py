"""A skill is installed whole or not at all, and no temporary file is left next to it."""

from __future__ import annotations

import os
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from skilltool.errors import SkilltoolError
from skilltool.scaffold import create
from tests.conftest import Skilltool, slow
from tests.scaffold.making import leftovers, template


@pytest.mark.slow
def test_a_skill_that_is_there_stays_unless_force_replaces_it(skilltool: Skilltool, repo: Path) -> None:
    skilltool("new", "a", "--no-input")
    note = repo / "skills/a/notes.txt"
    note.write_text("mine", "utf-8")
    run = skilltool("new", "a", "--no-input")
    assert (run.returncode, run.stderr) == (
        2,
        "skilltool: skills/a already exists; use --force to replace it or choose a different name\n",
    )
    assert note.read_text("utf-8") == "mine"
    assert skilltool("new", "a", "--no-input", "--dry-run", "--force").returncode == 0
    assert note.exists()
    assert skilltool("new", "a", "--no-input", "--force").returncode == 0
    assert not note.exists()
    assert leftovers(repo) == []


def test_a_failed_install_restores_the_old_skill(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.mkdir()
    (target / "notes.txt").write_text("mine", "utf-8")
    with (
        create.staging_directory(tmp_path) as staging,
        pytest.raises(SkilltoolError, match="nothing was changed"),
    ):
        create.install(staging / "never-rendered", target, staging, force=True)
    assert (target / "notes.txt").read_text("utf-8") == "mine"
    assert leftovers(tmp_path) == []


@pytest.mark.slow
def test_the_next_run_cleans_up_after_a_killed_one_and_restores_the_old_skill(
    skilltool: Skilltool, repo: Path
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    old = repo / "skills" / f".skilltool-{ended.pid}-k3_9zzab" / "old" / "b"
    old.mkdir(parents=True)
    (old / "SKILL.md").write_text("mine", "utf-8")
    living = repo / "skills" / f".skilltool-{os.getpid()}-k3_9zzab"
    living.mkdir()
    assert skilltool("new", "a", "--no-input").returncode == 0
    assert (repo / "skills/b/SKILL.md").read_text("utf-8") == "mine"
    assert leftovers(repo) == [living.name]


@pytest.mark.slow
def test_a_dry_run_shows_what_would_be_written_and_writes_nothing(skilltool: Skilltool, repo: Path) -> None:
    run = skilltool("new", "a", "--template", "references", "--dry-run", "--no-input")
    assert run.stdout.splitlines()[0] == "would write skills/a"
    assert "references/checklist.md" in run.stdout
    assert os.listdir(repo) == [".git"]


@pytest.mark.slow
def test_the_user_s_root_and_any_directory_can_be_chosen(skilltool: Skilltool, repo: Path) -> None:
    home = {"HOME": str(repo / "home")}
    (repo / "home").mkdir()
    skilltool("new", "a", "--runtime", "nfa", "--scope", "user", "--no-input", **home)
    assert (repo / "home/.nfa/skills/a/SKILL.md").exists()
    skilltool("new", "b", "--output", "some/where", "--no-input")
    assert (repo / "some/where/b/SKILL.md").exists()
    (repo / "skilltool.toml").write_text('runtimes = ["portable", "kodelet"]\n', "utf-8")
    skilltool("new", "c", "--no-input")
    assert (repo / ".kodelet/skills/c/SKILL.md").exists()


@pytest.mark.slow
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted_leaves_nothing(repo: Path, sign: signal.Signals) -> None:
    program = (
        "import time, sys\nfrom skilltool.scaffold import create\n"
        "create.render = lambda *a: (print('here', flush=True), [time.sleep(0.05) for _ in range(600)])\n"
        "from skilltool.cli import main\nsys.argv = ['skilltool', 'new', 'a', '--no-input']\nmain()\n"
    )
    run = subprocess.Popen(
        [sys.executable, "-c", program], cwd=repo, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "here\n"
    run.send_signal(sign)
    _, said = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "Traceback" not in said
    assert os.listdir(repo) == [".git"]


@pytest.mark.slow
def test_leftovers_above_the_root_are_cleaned_up_too(skilltool: Skilltool, repo: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    shut = repo / f".skilltool-{ended.pid}-k3_9zzab" / "shut"
    shut.mkdir(parents=True)
    (shut / "file").touch()
    shut.chmod(0o500)
    mine = repo / f".skilltool-{ended.pid}-notes"
    mine.mkdir()
    (repo / "skills").mkdir()
    assert skilltool("new", "a", "--no-input").returncode == 0
    assert leftovers(repo) == [mine.name]


@pytest.mark.slow
def test_in_a_subdirectory_it_goes_where_the_project_has_its_skills(skilltool: Skilltool, repo: Path) -> None:
    for made in (".claude/skills", ".gemini/skills", "src/deep", "plugins/forms/.claude-plugin"):
        (repo / made).mkdir(parents=True)

    def new(cwd: str, *options: str, **environment: str) -> str:
        run = skilltool("new", "a", "--dry-run", "--no-input", *options, cwd=repo / cwd, **environment)
        return run.stdout.partition("\n")[0]

    assert new(".") == "would write .claude/skills/a"
    assert new("src/deep") == "would write ../../.claude/skills/a"
    assert new("src/deep", "--runtime", "gemini-cli") == "would write ../../.gemini/skills/a"
    (repo / "src/.claude/skills").mkdir(parents=True)
    assert new("src/deep") == "would write ../.claude/skills/a"
    (repo / "plugins/forms/.claude-plugin/plugin.json").write_text('{"name": "forms"}', "utf-8")
    assert new("plugins/forms") == "would write skills/a"  # a package is a project by itself
    assert new("src/deep", HOME=str(repo)) == "would write ../.claude/skills/a"
    assert new("plugins", HOME=str(repo)) == "would write skills/a"  # home is above no project


def test_the_user_s_skills_directory_decides_for_whom_a_skill_of_the_user_is(
    skilltool: Skilltool, repo: Path
) -> None:
    options = ("new", "a", "--scope", "user", "--dry-run", "--no-input")
    home = repo / "home"
    home.mkdir()
    none = skilltool(*options, HOME=str(home))
    assert none.returncode == 2
    assert "name one with --output DIR, or a client with --runtime ID" in none.stderr
    (home / ".gemini/skills").mkdir(parents=True)
    written = skilltool(*options, HOME=str(home)).stdout
    assert written.startswith(f"would write {home.as_posix()}/.gemini/skills/a\n")


def test_a_dry_run_says_what_the_run_would_say(skilltool: Skilltool, repo: Path) -> None:
    skilltool("new", "a", "--no-input")
    before = sorted(repo.rglob("*"))
    assert skilltool("new", "a", "--dry-run", "--no-input").returncode == 2
    broken = template(repo / "t") / "{{cookiecutter.name}}" / "SKILL.md"
    broken.write_text("no frontmatter\n", "utf-8")
    run = skilltool("new", "b", "--template", "./t", "--dry-run", "--no-input")
    assert (run.returncode, run.stdout) == (1, "")
    assert [path for path in sorted(repo.rglob("*")) if "t" not in path.relative_to(repo).parts] == before


def test_a_clone_that_is_ended_leaves_nothing(repo: Path, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"git://127.0.0.1:{server.getsockname()[1]}/x"
        command = [sys.executable, "-m", "skilltool", "new", "a", "--template", url, "--trust", "--no-input"]
        run = subprocess.Popen(command, cwd=repo, env={**os.environ, "TMPDIR": str(temporary)})
        server.settimeout(30)
        with server.accept()[0]:
            run.send_signal(signal.SIGTERM)
            assert run.wait(30) == 130
    assert os.listdir(temporary) == []


@slow
def test_a_clone_that_is_ended_while_git_starts_does_not_keep_the_command(repo: Path, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nkill -TERM $PPID\nexec sleep 5\n", "utf-8")
    program.chmod(0o700)
    command = [
        sys.executable,
        "-m",
        "skilltool",
        "new",
        "a",
        "--template",
        "git://a/b",
        "--trust",
        "--no-input",
    ]
    environment = {**os.environ, "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}"}
    for _ in range(8):  # the signal comes at another moment each time
        assert subprocess.run(command, cwd=repo, env=environment, timeout=30).returncode == 130


# A system that knows no home directory: no variable says it, and there is no entry of the user.
HOMELESS = """
import os, pwd, sys
os.environ.pop("HOME", None)
pwd.getpwuid = {}.__getitem__
from skilltool.cli import main
sys.argv[0] = "skilltool"
main()
"""


@pytest.mark.slow
def test_no_home_is_needed_for_a_project(repo: Path) -> None:
    command = [sys.executable, "-c", HOMELESS, "new", "b", "--no-input"]
    assert subprocess.run(command, cwd=repo, check=False).returncode == 0
    command += ["--scope", "user", "--runtime", "nfa"]
    run = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert run.stderr == "skilltool: cannot determine your home directory; set HOME\n"


@pytest.mark.slow
def test_the_next_steps_work_where_a_path_needs_quotes(skilltool: Skilltool, repo: Path) -> None:
    run = skilltool("new", "a", "--no-input", "--output", "it's here", "--runtime", "kodelet")
    steps = [shlex.split(line) for line in run.stdout.partition("next:\n")[2].splitlines()]
    assert (repo / next(word for word in steps[0] if "/" in word).rstrip(":")).is_file()
    assert [skilltool(*step[1:]).returncode for step in steps[1:]] == [0, 0]
