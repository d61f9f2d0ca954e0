"""`lint --fix` as a user meets it: what it writes, says, and leaves as it was."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skilltool.fix.edits import apply
from skilltool.fix.plan import plan
from tests.conftest import Skilltool, slowest
from tests.fix.texts import EVERYTHING, HEAD, write


def test_safe_fixes_are_applied_and_the_rest_is_reported(skilltool: Skilltool, repo: Path) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}compatibility: 1.0\n---\n\n[x](gone.md)\n")
    run = skilltool("lint", "--fix", "--show-fixes", "--output-format", "concise")
    assert run.returncode == 0
    assert file.read_text("utf-8") == f'{HEAD}compatibility: "1.0"\n---\n\n[x](gone.md)\n'
    assert "skilltool: fixed a/SKILL.md: byte-order-mark (1), wrong-type (1)" in run.stderr
    assert "skilltool: fixed 2 findings in 1 file" in run.stderr
    assert "broken-link" in run.stdout
    assert "byte-order-mark" not in run.stdout
    again = skilltool("lint", "--fix", "--exit-non-zero-on-fix")
    assert (again.returncode, again.stderr) == (0, "")


def test_a_fix_that_lets_a_client_load_a_skill_is_followed_by_the_others(
    skilltool: Skilltool, repo: Path
) -> None:
    description = "Fills in forms. Use for a form.yml\n, or its fields"
    text = f"---\nname: a\ndescription: {description}\n---\n\nRead the fields.\n"
    file = write(repo / ".pi" / "skills" / "a", text)
    run = skilltool("lint", "--fix", "--unsafe-fixes", "--show-fixes")
    assert "invalid-yaml (1)" in run.stderr
    assert "checked against `pi`" in run.stdout
    assert "no findings" in run.stdout, file.read_text("utf-8")


def test_the_status_tells_of_fixes_where_that_is_asked_for(skilltool: Skilltool, repo: Path) -> None:
    write(repo / "a", f"\ufeff{HEAD}---\n\nText.\n")
    assert skilltool("lint", "--diff").returncode == 1
    assert skilltool("lint", "--fix", "--exit-non-zero-on-fix").returncode == 1
    assert skilltool("lint", "--diff").returncode == 0


def test_a_diff_writes_nothing_and_git_can_apply_it(skilltool: Skilltool, repo: Path) -> None:
    file = write(repo / "a", f"{HEAD}allowed-tools: [Read, Bash]\n---\n\nText without a line end")
    other = write(repo / "b", f"{HEAD.replace('name: a', 'name: b')}---\n\nText.\n", "skill.md")
    before = file.read_bytes()
    diff = skilltool("lint", "--runtime", "agentskills", "--diff")
    assert (diff.returncode, file.read_bytes()) == (1, before)
    patch = repo / "x.patch"
    patch.write_text(diff.stdout, "utf-8", newline="")
    subprocess.run(["git", "init", "-q"], cwd=repo, check=True)
    subprocess.run(["git", "apply", "x.patch"], cwd=repo, check=True)
    assert 'allowed-tools: "Read Bash"' in file.read_text("utf-8")
    assert os.listdir(other.parent) == ["SKILL.md"]
    patch.unlink()
    assert skilltool("lint", "--runtime", "agentskills", "--diff").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("path", ["skills/a/skill.md", "skills/a", "skills", "skills/a/notes.md"])
def test_a_misnamed_file_may_be_what_was_named(skilltool: Skilltool, repo: Path, path: str) -> None:
    file = write(repo / "skills" / "a", f"{HEAD}---\n\nText.\n", "skill.md")
    (file.parent / "notes.md").touch()
    run = skilltool("lint", "--fix", path)
    assert (run.returncode, sorted(os.listdir(file.parent))) == (0, ["SKILL.md", "notes.md"]), run.stderr
    assert run.stdout == "1 skill checked against `portable`, no findings\n"


def test_what_is_ignored_or_accepted_is_not_mended(skilltool: Skilltool, repo: Path) -> None:
    text = (
        "---\n# skilltool: ignore[wrong-type] a number on purpose\n"
        + HEAD[4:]
        + "compatibility: 1.0\n---\n\nT.\n"
    )
    write(repo / "a", text)
    assert skilltool("lint", "--diff").stdout == ""
    write(repo / "a", f"{HEAD}compatibility: 1.0\n---\n\nT.\n")
    skilltool("baseline")
    assert skilltool("lint", "--diff", "--baseline", "skilltool-baseline.json").stdout == ""
    assert skilltool("lint", "--diff").stdout != ""


def test_modes_and_links_stay(repo: Path) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}---\n")
    file.rename(repo / "a" / "real.md")
    (repo / "a" / "SKILL.md").symlink_to("real.md")
    (repo / "a" / "real.md").chmod(0o640)
    apply(plan(EVERYTHING._replace(paths=(repo / "a",))))
    assert (repo / "a" / "SKILL.md").is_symlink()
    assert (repo / "a" / "real.md").read_text("utf-8") == f"{HEAD}---\n"
    assert (repo / "a" / "real.md").stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(repo / "a")) == ["SKILL.md", "real.md"]


def test_a_link_out_of_the_repository_and_bytes_that_are_no_text_are_not_touched(repo: Path) -> None:
    outside = write(repo.parent / "elsewhere", f"\ufeff{HEAD}---\n")
    (repo / "a").mkdir()
    (repo / "a" / "SKILL.md").symlink_to(outside)
    (repo / "b").mkdir()
    (repo / "b" / "SKILL.md").write_bytes(b"\xef\xbb\xbf---\nname: b\ndescription: \xff\n---\n")
    planned = plan(
        EVERYTHING._replace(
            paths=(
                repo / "a",
                repo / "b",
            )
        )
    )
    assert not planned.changes


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_what_cannot_be_written_back_is_no_promise(skilltool: Skilltool, repo: Path, encoding: str) -> None:
    (repo / "a").mkdir()
    (repo / "a/SKILL.md").write_bytes(f"{HEAD}license: 1.0 \n# \xe4\n---\n\nT.\n".encode(encoding))
    run = skilltool("lint")
    assert "wrong-type" in run.stdout
    assert "[*]" not in run.stdout
    assert (
        "a/SKILL.md: fix for `wrong-type` not applied: the file is not UTF-8"
        in skilltool("lint", "--fix").stderr
    )


def test_a_file_that_changes_meanwhile_is_not_overwritten(repo: Path) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}---\n")
    planned = plan(EVERYTHING._replace(paths=(repo / "a",)))
    file.write_text("something else", "utf-8")
    done = apply(planned)
    assert file.read_text("utf-8") == "something else"
    assert "has changed since it was read" in done.problems[0]


def test_unsafe_fixes_need_to_be_asked_for(skilltool: Skilltool, repo: Path) -> None:
    text = (
        "---\nname: PDF_Tools\ndescription: |\n  Fills in forms.\n  Use when asked.\nauthor: me\n---\n\nT.\n"
    )
    file = write(repo / "pdf-tools", text)
    skilltool("lint", "--runtime", "agentskills", "--fix")
    assert file.read_text("utf-8") == text
    skilltool("lint", "--runtime", "agentskills", "--fix", "--unsafe-fixes")
    assert file.read_text("utf-8") == (
        "---\nname: pdf-tools\ndescription: |\n  Fills in forms.\n  Use when asked.\n"
        "metadata:\n  author: me\n---\n\nT.\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("source", ["directory", "frontmatter"])
def test_a_name_and_a_directory_are_made_the_same(skilltool: Skilltool, repo: Path, source: str) -> None:
    write(repo / "skills/forms", HEAD.replace("name: a", "name: pdf-tools") + "---\n\nText.\n")
    (repo / "skilltool.toml").write_text(f'name-source = "{source}"\n', "utf-8")
    assert "1 fixable with `--fix --unsafe-fixes`" in skilltool("lint", "skills/forms").stdout
    run = skilltool("lint", "skills/forms", "--fix", "--unsafe-fixes")
    assert (run.returncode, run.stdout) == (0, "1 skill checked against `portable`, no findings\n")
    name = "forms" if source == "directory" else "pdf-tools"
    assert os.listdir(repo / "skills") == [name]
    assert f"name: {name}" in (repo / "skills" / name / "SKILL.md").read_text("utf-8")


def test_a_directory_is_not_renamed_over_another(skilltool: Skilltool, repo: Path) -> None:
    write(repo / "skills/forms", HEAD.replace("name: a", "name: pdf-tools") + "---\n\nText.\n")
    (repo / "skills/pdf-tools").mkdir()
    (repo / "skilltool.toml").write_text('name-source = "frontmatter"\n', "utf-8")
    run = skilltool("lint", "--fix", "--unsafe-fixes")
    assert run.returncode == 2
    assert "`pdf-tools` already exists, or is the new name of another directory" in run.stderr
    assert sorted(os.listdir(repo / "skills")) == ["forms", "pdf-tools"]


@pytest.mark.usefixtures("enforced_permissions")
def test_a_directory_that_cannot_be_written_is_said_and_hides_no_other(
    skilltool: Skilltool, repo: Path
) -> None:
    closed = write(repo / "a", f"\ufeff{HEAD}---\n\nT.\n")
    other = write(repo / "b", f"\ufeff{HEAD.replace('name: a', 'name: b')}---\n\nT.\n")
    closed.parent.chmod(0o500)
    run = skilltool("lint", "--fix")
    closed.parent.chmod(0o700)
    assert run.returncode == 2
    assert "a/SKILL.md: Permission denied; the file was left unchanged" in run.stderr
    assert not other.read_text("utf-8").startswith("\ufeff")


@pytest.mark.slow
def test_a_run_that_is_killed_leaves_each_file_old_or_new(repo: Path) -> None:
    old, new = f"\ufeff{HEAD}---\n\nText.\n", f"{HEAD}---\n\nText.\n"
    random.seed(7)
    for _ in range(3):
        files = [write(repo / f"s{number:03}", old) for number in range(120)]
        run = subprocess.Popen(
            [sys.executable, "-m", "skilltool", "lint", "--fix", "--select", "byte-order-mark", "."],
            cwd=repo,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(random.uniform(0.2, 0.9))
        run.send_signal(signal.SIGKILL)
        run.wait()
        assert {file.read_text("utf-8") for file in files} <= {old, new}


def test_of_two_misnamed_files_none_is_chosen(skilltool: Skilltool, repo: Path) -> None:
    for name in ("skill.md", "Skill.md"):
        write(repo / "a", f"{HEAD}---\n\n{name}\n", name)
    run = skilltool("lint", "--fix")
    assert len(os.listdir(repo / "a")) == 2
    assert "help: keep either this file or `skill.md`, named `SKILL.md`" in run.stdout
    assert "[*]" not in run.stdout


def test_the_owner_of_a_file_stays(repo: Path) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}---\n")
    try:
        os.chown(file, 4711, 4712)
    except PermissionError:
        pytest.skip("this user may give no file to another")
    file.chmod(0o4664)
    apply(plan(EVERYTHING._replace(paths=(repo / "a",))))
    after = file.stat()
    assert (after.st_uid, after.st_gid, after.st_mode & 0o7777) == (4711, 4712, 0o4664)
    assert file.read_text("utf-8") == f"{HEAD}---\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "status"),
    [
        ("--diff --fix", 2),
        ("--diff --output-format json", 2),
        ("--diff --statistics", 2),
        ("--exit-non-zero-on-fix", 2),
        ("--diff", 1),
        ("--diff --exit-zero", 0),
        ("--diff --exit-non-zero-on-fix", 1),
        ("--unsafe-fixes --exit-zero", 0),
        ("--show-fixes --exit-zero", 0),
    ],
)
def test_an_option_is_honoured_or_refused(
    skilltool: Skilltool, repo: Path, options: str, status: int
) -> None:
    file = write(repo / "a", f"\ufeff{HEAD}---\n\nT.\n")
    before = file.read_bytes()
    run = skilltool("lint", *options.split(), SKILLTOOL_OUTPUT_FORMAT="concise")
    assert (run.returncode, file.read_bytes()) == (status, before)
    assert ("Error: " in run.stderr or "Usage" in run.stderr) == (status == 2)


@pytest.mark.slow
def test_what_is_given_up_is_said_also_where_the_cache_knows_it_and_fixed_with_more_time(
    skilltool: Skilltool, repo: Path
) -> None:
    links = "".join(f"[{number}](gone/{number}.md) `code` **bold**\n" for number in range(4_000))
    file = write(repo / "a", f"\ufeff{HEAD}---\n\n{links}")
    before = file.read_bytes()
    other = write(repo / "b", f"\ufeff{HEAD.replace('name: a', 'name: b')}---\n\nText.\n")
    arguments = ("lint", "--cache-dir", "cache", "--select", "byte-order-mark,broken-link", "--exclude", "b")
    assert "byte-order-mark" in skilltool(*arguments, "--time-limit", "60", "--statistics").stdout
    short = skilltool(*arguments, "--fix", "--time-limit", "0.1", "--output-format", "json")
    assert (short.returncode, file.read_bytes()) == (1, before)
    assert [found["rule"] for found in json.loads(short.stdout)["diagnostics"]] == ["over-bound"]
    assert "allow more with --time-limit (or SKILLTOOL_TIMEOUT)" in short.stdout
    assert short.stderr == (
        "skilltool: 1 skill could not be checked, so it was not fixed; the report says why\n"
    )
    long = skilltool(*arguments[:-2], "--fix", "--time-limit", "60", "--statistics")
    assert "skilltool: fixed 2 findings in 2 files" in long.stderr
    assert not file.read_bytes().startswith(b"\xef\xbb\xbf")
    assert not other.read_bytes().startswith(b"\xef\xbb\xbf")


_SLOW = """
import sys, time
def watch(event, arguments):
    path = str(arguments[0]) if arguments else ""
    if event == "open" and "/slow" in path and path.endswith("SKILL.md"):
        until = time.process_time() + 1.2
        while time.process_time() < until:
            pass
sys.addaudithook(watch)
"""


@slowest
def test_what_no_time_was_left_for_comes_first_in_the_next_run(
    skilltool: Skilltool, repo: Path, tmp_path: Path
) -> None:
    """Skills that are slow every time, whether there is something to fix in them or not."""
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(_SLOW, "utf-8")
    text = f"\ufeff{HEAD}---\n\nText.\n"
    files = [
        write(repo / f"slow-{number}", text.replace("name: a", f"name: slow-{number}")) for number in range(9)
    ]

    def run(*options: str) -> tuple[set[Path], str]:
        fix = ("lint", "--fix", "--time-limit", "2", "--select", "byte-order-mark", *options)
        said = skilltool(*fix, PYTHONPATH=str(tmp_path / "hook")).stderr
        return {file for file in files if file.read_bytes().startswith(b"\xef\xbb\xbf")}, said

    left, said = run()
    assert 0 < len(left) < 9
    assert f"the time limit was reached with {len(left)} skills left; run the command again" in said
    assert run("--no-cache")[0] == left  # which does not know where to go on, and does not say so
    assert run()[0] == set()
