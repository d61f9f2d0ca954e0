"""Names of directories: which are the skill's, and which somebody else chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool.findings.finding import Severity
from skilltool.rules import RULES
from skilltool.runtimes import get
from skilltool.skill.model import load_skill
from tests.conftest import MakeSkill


def mismatches(directory: Path, *others: str) -> int:
    directory.mkdir(parents=True)
    for other in others:
        (directory / other).touch()
    (directory / "SKILL.md").write_text(
        "---\nname: pdf-tools\ndescription: Fills in forms.\n---\n\nGo.\n", "utf-8"
    )
    return len(list(RULES["name-directory-mismatch"].check(load_skill(directory), get("portable"))))


@pytest.mark.parametrize(
    ("path", "others"),
    [
        ("skills/forms", ()),
        ("skills/forms", ("README.md", "LICENSE")),
        ("skills/somebody/forms", ("README.md", ".gitignore")),
        ("forms", ("README.md",)),
        ("forms", ("LICENSE.txt", ".gitignore")),
    ],
)
def test_a_directory_of_another_name_is_a_mismatch(
    path: str, others: tuple[str, ...], tmp_path: Path
) -> None:
    assert mismatches(tmp_path / path, *others) == 1


@pytest.mark.parametrize(
    ("path", "others"),
    [
        ("pdf-tools", ()),
        ("skill", ()),
        ("pdf/v1.4.0", ()),
        ("plugins/pdf/skills", ()),
        ("somebody+pdf", ("README.md", "LICENSE")),
        ("pdf-main", ("Readme.md", ".gitignore")),
        ("pdf", (".git",)),
    ],
)
def test_a_place_and_the_copy_of_a_repository_are_none(
    path: str, others: tuple[str, ...], tmp_path: Path
) -> None:
    assert mismatches(tmp_path / path, *others) == 0


@pytest.mark.parametrize(
    ("name", "severity"), [("pdf-tools-fill", Severity.INFO), ("pdf-fill", None), ("pdf-tools-all", None)]
)
def test_a_part_of_a_skill_may_have_the_name_of_both(
    tmp_path: Path, name: str, severity: Severity | None
) -> None:
    mismatches(tmp_path / "pdf-tools")
    part = tmp_path / "pdf-tools/steps/fill"
    part.mkdir(parents=True)
    (part / "SKILL.md").write_text(f"---\nname: {name}\ndescription: Fills in forms.\n---\n\nGo.\n", "utf-8")
    (finding,) = RULES["name-directory-mismatch"].check(load_skill(part), get("agentskills"))
    assert finding.severity is severity


@pytest.mark.parametrize(
    ("runtime", "rules"),
    [
        ("pickle-bot", set()),
        ("pickle-bot@2026-02", set()),
        ("pickle-bot@2026-05", set()),
        ("nfa", {"different-key"}),
        ("kodelet", set()),
        ("agentskills", {"name-directory-mismatch"}),
        ("portable", {"name-directory-mismatch"}),
    ],
)
def test_a_title_is_a_name_where_the_tool_lists_the_directories(
    runtime: str, rules: set[str], tmp_path: Path
) -> None:
    directory = tmp_path / "brainstorming"
    directory.mkdir()
    text = "---\nname: Brainstorming Ideas\ndescription: Turns ideas into designs.\n---\n\nAsk.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    skill, target = load_skill(directory), get(runtime)
    checked = ("different-key", "name-directory-mismatch", "invalid-name")
    found = {rule for rule in checked if list(RULES[rule].check(skill, target))}
    assert found - {"invalid-name"} == rules
    assert ("invalid-name" in found) == (runtime in ("portable", "agentskills"))


@pytest.mark.parametrize(
    ("readme", "severity"),
    [
        ("Upload them to claude.ai.", None),
        ("Works in Claude Desktop.", None),
        ("For Claude Code and Codex.", Severity.INFO),
        ("", Severity.INFO),
    ],
)
def test_a_vendor_s_name_matters_to_whoever_uploads_to_claude_ai(
    repo: Path, make_skill: MakeSkill, readme: str, severity: Severity | None
) -> None:
    (repo / "README.md").write_text(f"# Forms\n\n{readme}\n", "utf-8")
    make_skill(repo / "claude-pdf", "---\nname: claude-pdf\ndescription: Fills in.\n---\n\nRead it.\n")
    (found,) = RULES["reserved-name"].check(load_skill(repo / "claude-pdf"), get("portable"))
    assert found.severity is severity
