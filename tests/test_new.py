"""From nothing to a skill: each template lints and loads, answers cannot break it, none breaks out."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool import runtimes, scaffold
from skilltool.errors import SkilltoolError
from skilltool.frontmatter import read
from skilltool.scaffold import placing
from skilltool.source import Source
from tests.conftest import Skilltool

TEMPLATES = Path(__file__).parents[1] / "templates"
NAMES = sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir())
ROOTS = {"kodelet": ".kodelet/skills", "agent": ".agent/skills", "agentskills": ".agents/skills"}
ROOTS["mycodeagent"] = "skills"


def left_behind(top: Path) -> list[str]:
    return [path.name for path in top.rglob(".skilltool-*")]


def template(directory: Path, body: str = "Text.", **questions: object) -> Path:
    inside = directory / "{{cookiecutter.name}}"
    inside.mkdir(parents=True)
    (directory / "cookiecutter.json").write_text(json.dumps({"name": "a", **questions}), "utf-8")
    head = "---\nname: {{cookiecutter.name}}\ndescription: Says x. Use when asked.\n---\n\n"
    (inside / "SKILL.md").write_text(f"{head}{body}\n", "utf-8")
    return directory


# The reference library of the specification takes no list in brackets, which document 001 has.
PAIRS = [(name, root) for name in NAMES for root in ROOTS if (name, root) != ("toolset", "agentskills")]


@pytest.mark.parametrize(("name", "runtime"), PAIRS)
def test_what_a_template_gives_lies_in_the_root_lints_and_renders(
    skilltool: Skilltool, repo: Path, name: str, runtime: str
) -> None:
    run = skilltool("new", "first-skill", "--template", name, "--runtime", runtime, "--no-input")
    assert run.returncode == 0
    directory = repo / ROOTS[runtime] / "first-skill"
    assert run.stdout.startswith(f"wrote {ROOTS[runtime]}/first-skill\n  SKILL.md")
    linted = skilltool("lint", str(directory), "--runtime", runtime, "--fail-on", "warning")
    assert (linted.returncode, linted.stderr) == (0, "")
    steps = run.stdout.partition("next:\n")[2].splitlines()
    assert [step.split()[:2] for step in steps] == [
        ["edit", f"{ROOTS[runtime]}/first-skill/SKILL.md"],
        ["skilltool", "lint"],
        ["skilltool", "render"],
    ]
    render = steps[2].replace('"..."', "words").split()[1:]
    assert skilltool(*render).returncode == 0
    assert left_behind(repo) == []


@pytest.mark.parametrize("name", [name for name in NAMES if name != "toolset"])
def test_what_a_template_gives_has_no_finding_for_any_runtime(
    skilltool: Skilltool, repo: Path, name: str
) -> None:
    skilltool("new", "first-skill", "--template", name, "--no-input")
    run = skilltool("lint", "--runtime", "all", "--ignore", "ignored-arguments" if has_rule() else "pedantic")
    assert "1 skill checked, no findings" in run.stdout


def has_rule() -> bool:
    from skilltool.rules import NAMES as RULES

    return "ignored-arguments" in RULES


@pytest.mark.parametrize("name", NAMES)
def test_each_template_works_with_the_cookiecutter_program(tmp_path: Path, name: str) -> None:
    description = 'It\'s "a": test #1 \\ \U0001f389. Use when: asked.'
    command = [sys.executable, "-m", "cookiecutter", "--no-input", str(TEMPLATES / name), "-o", str(tmp_path)]
    answers = ["name=by-hand", f"description={description}"]
    home = {**os.environ, "HOME": str(tmp_path / "home")}
    subprocess.run([*command, *answers], check=True, capture_output=True, env=home)
    written = (tmp_path / "by-hand" / "SKILL.md").read_bytes()
    data = read(Source.decode(written)).data
    assert data is not None
    assert (data["name"], data["description"]) == ("by-hand", description)


def test_the_script_of_a_template_does_what_its_body_says(skilltool: Skilltool, repo: Path) -> None:
    skilltool("new", "count", "--template", "scripts", "--no-input")
    script = repo / "skills/count/scripts/count_text.py"
    assert os.access(script, os.X_OK)
    (repo / "a.txt").write_text("one two\nthree\n", "utf-8")
    (repo / "b.txt").write_bytes(b"\xff")
    command = [sys.executable, str(script)]
    runs = [
        subprocess.run([*command, *args], cwd=repo, capture_output=True, text=True, check=False)
        for args in (["a.txt"], ["--limit", "2", "a.txt"], ["a.txt", "b.txt"], ["gone.txt"])
    ]
    assert [run.returncode for run in runs] == [0, 1, 2, 2]
    assert runs[0].stdout == "a.txt: 2 lines, 3 words, longest line 7\n"
    assert runs[1].stdout.endswith(" OVER\n")
    assert "Traceback" not in "".join(run.stderr for run in runs)


ANSWERS = st.text(st.characters(blacklist_categories=["Cc", "Cs", "Zl", "Zp"]), min_size=1, max_size=60)


@settings(max_examples=40)
@given(description=ANSWERS.filter(str.strip))
def test_no_answer_breaks_the_frontmatter(tmp_path: Path, description: str) -> None:
    shutil.rmtree(tmp_path / "out", ignore_errors=True)
    with scaffold.opened("basic") as basic:
        order = scaffold.Order(
            basic, {"name": "a", "description": description}, runtimes.get("kodelet"), tmp_path / "out"
        )
        made = scaffold.make(order)
    if made.moved:
        data = read(Source.decode((made.directory / "SKILL.md").read_bytes())).data
        assert data is not None
        assert data["description"] == description


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (
            ["Bad_Name"],
            '"Bad_Name" is not lowercase words joined by hyphens; did you mean `bad-name`?',
        ),
        (["../up"], "is not lowercase words"),
        (["x" * 65], "the name has 65 characters"),
        (["a", "--description", "x" * 501], "`description` has 501 characters; mycodeagent takes 500"),
        (["a", "--description", " "], "`description` is empty"),
        (["a", "--description", "x\ny"], "one line of text"),
        (["a", "--data", "who=me"], "basic does not ask for `who`; it asks for: name, description"),
        (["a", "--data", "who"], "write KEY=VALUE"),
        (
            ["a", "--runtime", "nfa"],
            "nfa has no project root; use --scope user (~/.nfa/skills) or --output",
        ),
        (["a", "--runtime", "portable"], "portable has no roots of its own; say where with --output DIR"),
        (["a", "--template", "basik"], "unknown template `basik`; did you mean `basic`?"),
        (["a", "--template", "./nowhere"], "./nowhere: no such directory"),
        (["a", "--template", "https://example.org/x.git"], "pass --trust"),
        ([], "name the skill: skilltool new NAME"),
    ],
)
def test_what_does_not_fit_is_said_before_anything_is_written(
    skilltool: Skilltool, repo: Path, arguments: list[str], words: str
) -> None:
    run = skilltool("new", *arguments, "--no-input")
    assert run.returncode == 2
    assert words in run.stderr
    assert os.listdir(repo) == [".git"]


def test_a_skill_that_is_there_stays_unless_force_replaces_it(skilltool: Skilltool, repo: Path) -> None:
    skilltool("new", "a", "--no-input")
    note = repo / "skills/a/notes.txt"
    note.write_text("mine", "utf-8")
    run = skilltool("new", "a", "--no-input")
    assert (run.returncode, run.stderr) == (
        2,
        "skilltool: skills/a exists; use --force to replace it, or another name\n",
    )
    assert note.read_text("utf-8") == "mine"
    assert skilltool("new", "a", "--no-input", "--dry-run", "--force").returncode == 0
    assert note.exists()
    assert skilltool("new", "a", "--no-input", "--force").returncode == 0
    assert not note.exists()
    assert left_behind(repo) == []


def test_a_move_that_fails_brings_the_old_skill_back(tmp_path: Path) -> None:
    target = tmp_path / "a"
    target.mkdir()
    (target / "notes.txt").write_text("mine", "utf-8")
    with placing.workshop(tmp_path) as shop, pytest.raises(SkilltoolError, match="nothing was changed"):
        placing.move(shop / "never-made", target, shop, force=True)
    assert (target / "notes.txt").read_text("utf-8") == "mine"
    assert left_behind(tmp_path) == []


def test_what_a_killed_run_left_is_cleared_up_and_its_old_skill_comes_back(
    skilltool: Skilltool, repo: Path
) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    old = repo / "skills" / f".skilltool-{ended.pid}-x" / "old" / "b"
    old.mkdir(parents=True)
    (old / "SKILL.md").write_text("mine", "utf-8")
    living = repo / "skills" / f".skilltool-{os.getpid()}-x"
    living.mkdir()
    assert skilltool("new", "a", "--no-input").returncode == 0
    assert (repo / "skills/b/SKILL.md").read_text("utf-8") == "mine"
    assert left_behind(repo) == [living.name]


def test_a_dry_run_shows_what_would_be_written_and_writes_nothing(skilltool: Skilltool, repo: Path) -> None:
    run = skilltool("new", "a", "--template", "references", "--dry-run", "--no-input")
    assert run.stdout.splitlines()[0] == "would write skills/a"
    assert "references/checklist.md" in run.stdout
    assert os.listdir(repo) == [".git"]


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


def test_the_templates_are_listed_with_what_they_are(skilltool: Skilltool) -> None:
    listed = skilltool("new", "--list").stdout.splitlines()
    assert [line.split()[0] for line in listed] == NAMES
    assert all(len(line.split()) > 3 for line in listed)


@pytest.mark.parametrize("key", ["_extensions", "_jinja2_env_vars"])
def test_a_template_that_loads_code_is_refused(skilltool: Skilltool, repo: Path, key: str) -> None:
    template(repo / "t", **{key: ["os"]})
    run = skilltool("new", "a", "--template", "./t", "--trust", "--no-input")
    assert run.returncode == 2
    assert f"`{key}` in cookiecutter.json loads code" in run.stderr


ATTACK = "{{ cycler.__init__.__globals__.os.system('touch pwned') }}"


def test_a_template_that_reaches_for_the_interpreter_is_stopped(skilltool: Skilltool, repo: Path) -> None:
    template(repo / "body", ATTACK)
    template(repo / "question", __x=ATTACK)
    template(repo / "default", other=ATTACK)
    for name in ("body", "question", "default"):
        run = skilltool("new", "a", "--template", f"./{name}", "--no-input")
        assert (name, run.returncode) == (name, 2)
        assert "--trust" in run.stderr
    assert not list(repo.rglob("pwned"))
    assert left_behind(repo) == []


def test_no_hook_of_a_template_runs_and_the_home_directory_stays_untouched(
    skilltool: Skilltool, repo: Path
) -> None:
    hooks = template(repo / "t") / "hooks"
    hooks.mkdir()
    (hooks / "pre_gen_project.sh").write_text("#!/bin/sh\ntouch ../../hooked\n", "utf-8")
    (hooks / "pre_gen_project.sh").chmod(0o755)
    home = repo / "home"
    home.mkdir()
    assert skilltool("new", "a", "--template", "./t", "--no-input", HOME=str(home)).returncode == 0
    assert not list(repo.rglob("hooked"))
    assert os.listdir(home) == []


def test_a_template_writes_nothing_outside_of_the_skill(skilltool: Skilltool, repo: Path) -> None:
    out = template(repo / "out", _s="/") / "{{cookiecutter.name}}"
    (out / "{{ cookiecutter._s.join(['..', '..', 'out.txt']) }}").write_text("x", "utf-8")
    link = template(repo / "link") / "{{cookiecutter.name}}"
    (link / "passwd").symlink_to("/etc/passwd")
    inner = template(repo / "inner") / "{{cookiecutter.name}}"
    (inner / "again.md").symlink_to("SKILL.md")
    renamed = repo / "renamed"
    template(renamed)
    (renamed / "{{cookiecutter.name}}").rename(renamed / "other-{{cookiecutter.name}}")
    for name, words in {
        "out": "leads out of the skill",
        "link": "is a link out of the template",
        "renamed": "the template calls the skill `other-a`",
    }.items():
        run = skilltool("new", "a", "--template", f"./{name}", "--no-input")
        assert (run.returncode, words in run.stderr) == (2, True)
    assert skilltool("new", "a", "--template", "./inner", "--no-input").returncode == 0
    assert not list(repo.rglob("out.txt"))


def test_a_template_whose_skill_would_not_load_is_not_moved_into_place(
    skilltool: Skilltool, repo: Path
) -> None:
    broken = template(repo / "t") / "{{cookiecutter.name}}" / "SKILL.md"
    broken.write_text("no frontmatter\n", "utf-8")
    run = skilltool("new", "a", "--template", "./t", "--no-input")
    assert run.returncode == 1
    assert "error[missing-frontmatter]" in run.stderr
    assert not (repo / "skills").exists()


def test_choices_of_a_template_are_held_to_their_list(skilltool: Skilltool, repo: Path) -> None:
    template(repo / "t", "Speak {{ cookiecutter.tongue }}.", tongue=["plainly", "formally"])
    run = skilltool("new", "a", "--template", "./t", "--data", "tongue=loudly", "--no-input")
    assert "`tongue` must be one of plainly, formally, not `loudly`" in run.stderr
    skilltool("new", "a", "--template", "./t", "--no-input")
    assert "Speak plainly." in (repo / "skills/a/SKILL.md").read_text("utf-8")


def test_a_template_comes_out_of_a_git_repository_only_with_trust(skilltool: Skilltool, repo: Path) -> None:
    source = template(repo / "t")
    for arguments in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
    ):
        subprocess.run(["git", *arguments], cwd=source, check=True)
    url = f"file://{source}"
    assert skilltool("new", "a", "--template", url, "--no-input").returncode == 2
    assert skilltool("new", "a", "--template", url, "--trust", "--no-input").returncode == 0
    gone = skilltool("new", "b", "--template", f"{url}-gone", "--trust", "--no-input")
    assert gone.returncode == 2
    assert "Traceback" not in gone.stderr


def test_on_a_terminal_it_asks_until_an_answer_fits(repo: Path) -> None:
    parent, child = pty.openpty()
    run = subprocess.Popen(
        [sys.executable, "-m", "skilltool", "new"], cwd=repo, stdin=child, stdout=child, stderr=child
    )
    os.close(child)
    answers = [b"Bad Name\n", b"good-name\n", b"Says: what. Use when asked.\n"]
    seen = b""
    deadline = time.monotonic() + 30
    while run.poll() is None and time.monotonic() < deadline:
        if select.select([parent], [], [], 0.2)[0]:
            try:
                seen += os.read(parent, 4096)
            except OSError:
                break
        elif answers:
            os.write(parent, answers.pop(0))
    run.wait(timeout=30)
    os.close(parent)
    text = seen.decode()
    assert "name (at most 64 characters)" in text
    assert "did you mean `bad-name`?" in text
    assert "description (at most 500 characters)" in text
    written = (repo / "skills/good-name/SKILL.md").read_text("utf-8")
    assert 'description: "Says: what. Use when asked."' in written


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_interrupted_leaves_nothing(repo: Path, sign: signal.Signals) -> None:
    program = (
        "import time, sys\nfrom skilltool.scaffold import placing, rendering\n"
        "rendering.render = lambda *a: (print('here', flush=True), time.sleep(30))\n"
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
