"""What lies beside a SKILL.md: a second one in other case, links to nothing, other skills."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import Skill, load_skill
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


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def skill_beside(directory: Path, field: str, *others: str) -> Skill:
    """Return a skill with a field, and put skills with these texts beside it."""
    for number, text in enumerate(others):
        put(directory.parent / f"other-{number}" / "SKILL.md", text)
    text = f"---\nname: pdf-tools\ndescription: Fills in forms.\n{field}\n---\n\nText.\n"
    put(directory / "SKILL.md", text)
    return load_skill(directory)


@pytest.mark.parametrize(
    ("directory", "others", "advice", "is_fixed"),
    [
        ("forms", (), "use the same name for both", True),
        ("01-forms", (), "rename the directory to `pdf-tools`", False),
        (
            "forms",
            ("First run pdf-tools.",),
            "rename the directory to `pdf-tools`, the name used in `other-0`",
            False,
        ),
        ("tools", (), "rename the directory to `pdf-tools`", False),
        ("forms", ("Run pdf-tools-next.",), "use the same name for both", True),
    ],
)
def test_a_name_that_others_use_is_not_replaced(
    directory: str, others: tuple[str, ...], advice: str, is_fixed: bool, tmp_path: Path
) -> None:
    skill = skill_beside(tmp_path / "skills" / directory, "license: MIT", *others)
    (finding,) = RULES["name-directory-mismatch"].check(skill, get("portable"))
    assert (finding.help, finding.fix is not None) == (advice, is_fixed)


def test_a_field_of_the_project_is_not_moved(tmp_path: Path) -> None:
    def is_moved(place: str, *others: str) -> bool:
        skill = skill_beside(tmp_path / place / "pdf-tools", "risk_class: low", *others)
        (finding,) = RULES["unknown-field"].check(skill, get("portable"))
        return finding.fix is not None

    assert is_moved("a", "---\nname: other\n---\n")
    assert not is_moved("b", "---\nname: other\nrisk_class: high\n---\n")
    put(tmp_path / "c" / "pdf-tools" / "scripts" / "read.py", "print(fields['risk_class'])\n")
    assert not is_moved("c")


def test_a_page_of_another_skill_is_no_misnamed_one(tmp_path: Path) -> None:
    put(tmp_path / "site" / "SKILL.md", "---\nname: site\ndescription: Builds sites.\n---\n\nText.\n")
    for place, severity in (("site/entry", Severity.INFO), ("forms", None)):
        put(tmp_path / place / "skill.md", "---\nname: entry\ndescription: Builds sites.\n---\n\nText.\n")
        (finding,) = RULES["misnamed-file"].check(load_skill(tmp_path / place), get("portable"))
        assert (finding.severity, finding.fix is None) == (severity, severity is not None)
