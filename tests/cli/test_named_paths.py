"""Names of files that would pass for options: nobody's file switches anything on or off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MakeSkill, Skilltool

HOOK = ("lint", "--force-exclude", "--allow-empty", "--fail-on=warning")


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["--exit-zero", "-oX", "-x.md", "-o/x", "--config=x/skilltool.toml", "--fix"]
)
@pytest.mark.parametrize("kind", ["file", "broken link"])
def test_a_file_whose_name_is_an_option_is_refused(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill, name: str, kind: str
) -> None:
    make_skill(repo / "bad", "\ufeffno frontmatter\n")
    (repo / name).parent.mkdir(exist_ok=True)
    (repo / name).touch() if kind == "file" else (repo / name).symlink_to("gone")
    run = skilltool(*HOOK, name, "bad/SKILL.md")
    assert (run.returncode, run.stdout) == (2, "")
    assert f"`{name}` is both an option and a file in this directory" in run.stderr
    assert not (repo / "X").exists()
    assert skilltool(*HOOK, "--", name, "bad/SKILL.md").returncode == 1
    assert skilltool(*HOOK, f"./{name}", "bad/SKILL.md").returncode == 1


def test_options_of_which_there_is_no_file_are_options(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "bad", "no frontmatter\n")
    (repo / "sub").mkdir()
    (repo / "sub" / "--exit-zero").touch()
    assert skilltool("lint", "--exit-zero", "bad", "sub/--exit-zero").returncode == 0


def test_baseline_writes_no_file_that_another_one_names(
    skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    make_skill(repo / "a")
    (repo / "-oX").touch()
    assert skilltool("baseline", "-oX", "a").returncode == 2
    assert not (repo / "X").exists()


def test_a_file_called_dash_is_a_file(skilltool: Skilltool, repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a")
    (repo / "-").touch()
    assert skilltool(*HOOK, "-").stderr == "skilltool: no skills found; nothing was checked\n"
    assert skilltool(*HOOK, "-", "a/SKILL.md").stdout == "1 skill checked against `portable`, no findings\n"
