"""`lint -`: text on standard input, checked as the file that is named, saved or not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

HEAD = "---\nname: {}\ndescription: Fills in forms. Use when asked.\n"
Check = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def check(repo: Path) -> Check:
    """A function that has a text checked as the file of a name."""

    def run(text: str, name: str, *options: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "skilltool", "lint", "-", "--output-format", "concise"]
        return subprocess.run(
            [*command, "--stdin-filename", name, *options],
            cwd=repo,
            input=text,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return run


@pytest.mark.slow
def test_standard_input_is_checked_as_the_file_that_is_named(
    check: Check, repo: Path, make_skill: MakeSkill
) -> None:
    skill = make_skill(repo / "skills" / "a")
    (skill / "page.md").touch()
    text = f"{HEAD.format('a')}---\n\n[x](page.md) [y](gone.md)\n"
    for name in ("skills/a/SKILL.md", "new/a/SKILL.md"):
        run = check(text, name, "--fail-on", "warning")
        assert (run.returncode, run.stderr) == (1, "")
        assert f"{name}:6:18: warning[broken-link]" in run.stdout
        assert ("page.md" in run.stdout) == name.startswith("new")


@pytest.mark.parametrize(
    "wrong", [["-"], ["-", "--stdin-filename", "x", "--fix"], [".", "--stdin-filename", "x"]]
)
def test_what_cannot_go_together_is_refused(skilltool: Skilltool, wrong: list[str]) -> None:
    assert skilltool("lint", *wrong).returncode == 2


@pytest.mark.slow
def test_that_a_file_is_not_saved_yet_is_no_finding(check: Check, repo: Path) -> None:
    text = f"{HEAD.format('other')}license: no: yaml\n---\n\nText.\n"  # makes every runtime look
    for place in ("no/directory", ".kodelet/skills"):
        run = check(text, f"{place}/other/SKILL.md", "--runtime", "all")
        assert "invalid-yaml" in run.stdout
        assert "not-loaded" not in run.stdout
    (repo / "other").mkdir()
    assert "not-loaded" not in check(text, "other/SKILL.md", "--runtime", "all").stdout


@pytest.mark.slow
def test_a_runtime_judges_the_text_and_not_the_file(check: Check, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a")
    run = check(f"{HEAD.format('2026')}---\n\nText.\n", "a/SKILL.md", "--runtime", "kodelet")
    assert (run.returncode, "error[wrong-type]" in run.stdout) == (1, True)
    comment = "# skilltool: ignore[duplicate-name] in a collection it clashes\n"
    assert "unused" not in check(f"{HEAD.format('a')}{comment}---\n\nText.\n", "a/SKILL.md").stdout


@pytest.mark.slow
@pytest.mark.parametrize("place", ["foo", "foo/deep/gone"])
def test_what_is_excluded_is_passed_over_only_by_force(check: Check, repo: Path, place: str) -> None:
    (repo / "foo").mkdir()
    name = f"{place}/SKILL.md"
    assert check("", name, "--exclude", "foo/").returncode == 1
    run = check("", name, "--exclude", "foo/", "--force-exclude")
    assert (run.returncode, run.stdout) == (0, "no skills checked\n")
    assert run.stderr == "skilltool: no skills found; nothing was checked\n"
    (repo / "skilltool.toml").write_text('exclude = ["foo"]\nforce-exclude = true\n', "utf-8")
    assert check("", name).stdout == "no skills checked\n"
    (repo / "skilltool.toml").unlink()
    (repo / ".gitignore").write_text("foo\n", "utf-8")
    assert check("", name, "--force-exclude").stdout == "no skills checked\n"


@pytest.mark.slow
def test_what_a_baseline_accepts_is_hidden(
    check: Check, skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    text = f"{HEAD.format('a')}---\n\n[x](gone.md)\n"
    make_skill(repo / "a", text)
    assert skilltool("baseline", "-o", "known.json").returncode == 0
    run = check(text, "a/SKILL.md", "--baseline", "known.json")
    assert run.stdout == "1 skill checked against `portable`, no findings (1 in the baseline)\n"
