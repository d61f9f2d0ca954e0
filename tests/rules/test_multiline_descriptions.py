"""Descriptions on several lines: for whom they matter, and when they can be joined."""

from __future__ import annotations

from pathlib import Path

import pytest

from skilltool import runtimes
from skilltool.rules import RULES
from skilltool.skill.model import load_skill
from tests.fix.texts import skill_of


def text(description: str) -> str:
    return f"---\nname: a\ndescription: {description}\n---\n\nText.\n"


@pytest.mark.parametrize(
    ("runtime", "found"), [("portable", 1), ("mycodeagent", 1), ("claude-code", 0), ("gemini-cli", 0)]
)
@pytest.mark.parametrize("description", [">\n  Fills in\n  forms.", "Fills in\n  forms."])
def test_it_is_said_where_a_parser_reads_lines(
    description: str, runtime: str, found: int, tmp_path: Path
) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "SKILL.md").write_text(text(description), "utf-8")
    skill, target = load_skill(tmp_path / "a"), runtimes.get(runtime)
    assert len(list(RULES["multiline-description"].check(skill, target))) == found


@pytest.mark.parametrize(
    ("description", "is_fixed"),
    [
        (">\n  Fills in\n  forms.", True),
        ("|\n  Fills in forms.", True),
        ("|\n  Use for:\n  - forms\n  - tables", False),
        (">\n  Fills in forms.\n\n  Not for tables.", False),
    ],
)
def test_lines_of_a_list_are_not_joined(description: str, is_fixed: bool) -> None:
    (finding,) = RULES["multiline-description"].check(skill_of(text(description)), runtimes.get("portable"))
    assert (finding.fix is not None) == is_fixed
