"""What lies beside a SKILL.md: a second one in other case, links to nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import MakeSkill
from tests.rules.test_other_files import lint


@pytest.fixture
def directory(tmp_path: Path, make_skill: MakeSkill) -> Path:
    return make_skill(tmp_path / "a")


def test_every_file_with_the_name_in_other_case_is_named(directory: Path) -> None:
    for name in ("skill.md", "Skill.md", "SKILLS.md", "skill.txt"):
        (directory / name).touch()
    if len(list(directory.iterdir())) < 5:
        pytest.skip("this file system ignores case")
    (directory / "references").mkdir()
    (directory / "references" / "skill.md").touch()
    messages = [each.message for each in lint(directory, "double-skill-file")]
    assert [message.split("`")[1] for message in messages] == ["Skill.md", "skill.md"]
    (directory / "SKILL.md").unlink()
    assert lint(directory, "double-skill-file") == []


def test_a_link_to_nothing_is_reported_by_one_rule(directory: Path, tmp_path: Path) -> None:
    (directory / "x").mkdir()
    links = {
        "gone.md": "nowhere.md",
        "x/up.md": "../nowhere.md",
        "absolute.md": str(directory / "nowhere.md"),
        "chain.md": "gone.md",
        "one.md": "two.md",
        "two.md": "one.md",
        "self.md": "self.md",
        "through.md": "SKILL.md/nowhere.md",
    }
    for name, target in links.items():
        (directory / name).symlink_to(target)
    for name, target in {"good.md": "SKILL.md", "folder": "x", "x/good.md": "../good.md"}.items():
        (directory / name).symlink_to(target)
    (directory / "out.md").symlink_to(tmp_path / "nowhere.md")
    (directory / "up").symlink_to("..")
    found = lint(directory, "dangling-symlink", "escaping-symlink")
    named = {(each.rule, each.message.split("`")[1]) for each in found}
    assert named == {("dangling-symlink", name) for name in links} | {
        ("escaping-symlink", "out.md"),
        ("escaping-symlink", "up"),
    }
    assert len(found) == len(named)
    target = next(each.message for each in found if "`chain.md`" in each.message)
    assert target == "symbolic link `chain.md` points to `gone.md`, which does not exist"


def test_a_skill_file_that_is_a_link_to_nothing_is_unreadable_only(directory: Path) -> None:
    (directory / "SKILL.md").unlink()
    (directory / "SKILL.md").symlink_to("gone.md")
    rules = {each.rule for each in lint(directory, "dangling-symlink", "unreadable-file")}
    assert rules == {"unreadable-file"}
