"""With `force_exclude` a named path is checked only where a walk down to it would have checked it."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.skill.discovery import discover
from tests.conftest import MakeSkill, Skilltool, found

GAP = "---\nname: '{{ cookiecutter.name }}'\ndescription: x\n---\n"
TEMPLATE = "templates/{{cookiecutter.name}}"


@pytest.fixture
def passing_over(repo: Path, make_skill: MakeSkill) -> Path:
    """A repository with one skill that a walk finds, and one of each kind that it passes over."""
    make_skill(repo / "a")
    make_skill(repo / TEMPLATE, GAP)
    make_skill(repo / "node_modules" / "pkg" / "b")
    make_skill(repo / "env" / "lib" / "c")
    (repo / "env" / "pyvenv.cfg").touch()
    make_skill(repo / "ig")
    for place in ("a", TEMPLATE, "node_modules/pkg/b", "env/lib/c", "ig"):
        (repo / place / "references").mkdir()
        (repo / place / "references" / "page.md").touch()
    assert found(repo, exclude=["ig/SKILL.md"]) == ["a"]
    return repo


@pytest.mark.parametrize("inside", ["", "/SKILL.md", "/references", "/references/page.md"])
@pytest.mark.parametrize("place", [TEMPLATE, "node_modules/pkg/b", "env/lib/c", "ig"])
def test_what_a_walk_skips_is_skipped_by_name_as_well(
    passing_over: Path, monkeypatch: pytest.MonkeyPatch, place: str, inside: str
) -> None:
    path = place + inside
    assert found(passing_over, path, exclude=["ig/SKILL.md"]) == [place]
    assert found(passing_over, path, exclude=["ig/SKILL.md"], force_exclude=True) == []
    monkeypatch.chdir(passing_over)
    assert discover([Path(path)], exclude=["ig/SKILL.md"], force_exclude=True).skills == ()


@pytest.mark.parametrize("path", [".", "a", "a/SKILL.md", "a/references", "a/references/page.md"])
def test_what_a_walk_finds_is_found_by_name(passing_over: Path, path: str) -> None:
    assert found(passing_over, path, exclude=["ig/SKILL.md"], force_exclude=True) == ["a"]


def test_directories_above_a_named_one_with_skills_count(passing_over: Path) -> None:
    for path in ("templates", "node_modules", "node_modules/pkg", "env", "env/lib"):
        assert found(passing_over, path, force_exclude=True) == []


def test_a_file_of_a_skipped_skill_belongs_to_the_enclosing_skill(repo: Path, make_skill: MakeSkill) -> None:
    make_skill(repo / "a")
    make_skill(repo / "a" / "template", GAP)
    assert found(repo, "a/template/SKILL.md", force_exclude=True) == ["a"]
    assert found(repo, "a/template/SKILL.md") == ["a/template"]


def test_what_lies_above_the_working_directory_does_not_count(
    passing_over: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = passing_over / "node_modules" / "pkg"
    monkeypatch.chdir(package)
    assert discover([Path()]).skills == (package / "b",)
    assert discover([Path("b/SKILL.md")], force_exclude=True).skills == (package / "b",)


@pytest.mark.slow
def test_a_hook_skips_what_lint_skips(skilltool: Skilltool, passing_over: Path) -> None:
    (passing_over / "skilltool.toml").write_text('exclude = ["ig/SKILL.md"]\n', "utf-8")
    files = [f"{place}/SKILL.md" for place in (TEMPLATE, "node_modules/pkg/b", "env/lib/c", "ig")]
    run = skilltool("lint", "--force-exclude", "--allow-empty", *files, "ig/references/page.md")
    assert run.stderr == "skilltool: no skills found; nothing was checked\n"
    assert skilltool("lint", "--exit-zero", *files).stdout != ""
