"""`--quiet`: findings and errors, and nothing else; the exit status and the files are the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

BAD = "---\nname: Bad_Name\ndescription: Fills in forms. Use when asked.\n---\n\nText.\n"


def test_lint_keeps_findings_and_errors(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "bad", BAD)
    run = skilltool("lint", "-q", "--output-format", "concise", "bad", "gone")
    assert run.returncode == 2
    assert "bad/SKILL.md:2:7: error[invalid-name]" in run.stdout
    assert run.stderr == "skilltool: gone: No such file or directory\n"


def test_lint_does_not_say_what_it_fixed_nor_that_nothing_was_checked(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    text = BAD.replace("Bad_Name", "bad").encode().replace(b"\n", b"\r\n").decode()
    for name in ("loud", "quiet"):
        make_skill(repo / name, text.replace("name: bad", f"name: {name}"))
    loud = skilltool("lint", "--fix", "--show-fixes", "loud")
    quiet = skilltool("lint", "--fix", "--show-fixes", "--quiet", "quiet")
    assert loud.stderr.count("skilltool: fixed ") == 2
    assert (quiet.returncode, quiet.stderr) == (loud.returncode, "")
    assert b"\r" not in (repo / "quiet" / "SKILL.md").read_bytes()
    assert skilltool("lint", "--allow-empty", "--exclude", "*", "-q").stderr == ""


def test_the_diff_of_a_quiet_run_is_the_diff(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "forms", BAD.replace("Bad_Name", "forms").replace("\n", "\r\n"))
    assert skilltool("lint", "--diff", "-q").stdout == skilltool("lint", "--diff").stdout != ""


def test_an_error_that_ends_a_quiet_command_is_reported(skilltool: Skilltool) -> None:
    run = skilltool("lint", "-q", "--select", "zz")
    assert (run.returncode, run.stdout) == (2, "")
    assert "unknown rule or group `zz`" in run.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "file"),
    [
        (["baseline", "bad"], "skilltool-baseline.json"),
        (["pack", "forms"], "forms.skill"),
        (["new", "made", "--output", "."], "made/SKILL.md"),
        (["clean", "--cache-dir", "cache"], None),
    ],
)
def test_a_command_that_writes_does_so_without_a_word(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, arguments: list[str], file: str | None
) -> None:
    make_skill(repo / "bad", BAD)
    make_skill(repo / "forms")
    (repo / "forms" / ".env").write_text("A=1\n")
    run = skilltool(*arguments, "--quiet")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")
    assert file is None or (repo / file).is_file()
    loud = skilltool(*arguments, *(["--force"] if "new" in arguments else []))
    assert loud.stdout != ""


def test_a_skill_that_is_not_packed_says_why(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "bad", BAD)
    run = skilltool("pack", "-q", "bad")
    assert run.returncode == 1
    assert "error[invalid-name]" in run.stderr
    assert run.stderr.endswith("skilltool: bad was not packed: the skill has errors\n")


@pytest.mark.slow
def test_a_dry_run_of_new_still_shows_what_it_would_write(skilltool: Skilltool) -> None:
    assert "would write" in skilltool("new", "made", "--output", ".", "--dry-run", "-q").stdout
