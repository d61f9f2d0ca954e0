"""Descriptions that a template left to be written, and those that speak of TODOs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from skilltool.findings.finding import Finding
from skilltool.rules import RULES
from skilltool.rules.may_apply import rules_to_run
from skilltool.runtimes import get
from skilltool.skill.model import load_skill

RULE = "placeholder-description"


def found(directory: Path, description: str) -> list[Finding]:
    directory.mkdir()
    text = f"---\nname: {directory.name}\ndescription: {json.dumps(description)}\n---\n\nRead the fields.\n"
    (directory / "SKILL.md").write_text(text, "utf-8")
    skill = load_skill(directory)
    findings = list(RULES[RULE].check(skill, get("portable")))
    assert not findings or rules_to_run((RULE,), skill, get("portable"))
    return findings


@pytest.mark.together
@pytest.mark.parametrize(
    "description",
    [
        "TODO: say what this skill does, and when to use it.",
        "TODO",
        "TODO.",
        "TODO - write this",
        "TODO(anna): fill this in",
        "TODO write a description",
        "todo",
        "TBD",
        "tbd.",
        "TBD...",
        "FIXME: describe the skill",
        "[TODO: Complete and informative explanation of what the skill does]",
        "[TODO]",
        "[TODO: Write it]\n\n[TODO: Add keywords]",
        "<description>",
        "<one-line description of the skill>",
        "{{description}}",
        "{{ cookiecutter.description }}",
        "{description}",
        "[Brief description of what the skill does]",
        "Your description here",
        "Add your description here.",
        "description",
        "Replace with description of the skill and when Claude should use it.",
        "Brief description of what this Skill does and when to use it",
        "A description of what this skill does and when to use it.",
        "A clear description of what this skill does and when to use it",
        "What this skill does and when to use it.",
    ],
)
def test_what_a_template_leaves_is_reported(description: str, tmp_path: Path) -> None:
    (finding,) = found(tmp_path / "pdf-tools", description)
    assert finding.message.startswith("description is still a placeholder: `")


@pytest.mark.parametrize(
    ("description", "part"),
    [
        ("Fills in PDF forms. TODO: say when to use it.", "TODO:"),
        ("Fills in PDF forms.\nTODO: say when to use it.", "TODO:"),
        ("Fills in PDF forms. TBD", "TBD"),
        ("Fills in PDF forms. [TODO: Add keywords that should trigger this skill]", None),
        ("Fills in [insert the names of your forms].", "[insert the names of your forms]"),
    ],
)
def test_a_placeholder_in_a_description_is_named(description: str, part: str | None, tmp_path: Path) -> None:
    (finding,) = found(tmp_path / "pdf-tools", description)
    part = part or "[TODO: Add keywords that should trigger this skill]"
    assert finding.message == f"description still contains the placeholder `{part}`"
    if "\n" not in description:
        assert load_skill(tmp_path / "pdf-tools").source[finding.span] == part


@pytest.mark.together
@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("tasks", "Manage TODO: items, lists and reminders."),
        ("tasks", "Manages TODO lists. Use when the user mentions a TODO."),
        ("tasks", "TODO lists with due dates. Use when the user plans a day."),
        ("tasks", "TODO items: add, complete and list them."),
        ("tasks", "TODO add, list and complete. Use for tasks."),
        ("todo", "TODO: add, list and complete items."),
        ("todo-manager", "TODO - a manager for lists."),
        ("tasks", "Todo: add and complete tasks in a file."),
        ("debt", "Finds comments that begin with TODO: or FIXME: in code."),
        ("debt", "Finds comments of two kinds.\nTODO: what is missing.\nFIXME: what is wrong."),
        ("debt", "Removes `[TODO: ...]` and '[TODO: x]' from pages. Use before a release."),
        ("debt", "Finds TODO/FIXME comments. Use when the user asks for technical debt."),
        ("pages", "Compares products. Use for '[Product] vs [competitor]' pages."),
        ("actions", "Reviews workflows. Use for `${{ inputs.name }}` in a `run:` step."),
        ("vue", "Must be used for <script setup> components."),
        ("copy", "Write a product description for a shop. Use when a product has none."),
        ("copy", "Description writer for shops."),
        ("copy", "Replaces the description of a pull request when asked."),
        ("x", "The description."),
        ("skill-template", "TODO: say what this skill does."),
        ("template", "Replace with description of the skill and when Claude should use it."),
        ("skill-name", "[TODO: Write it]"),
        ("x", ""),
    ],
)
def test_a_text_that_speaks_of_placeholders_is_none(name: str, description: str, tmp_path: Path) -> None:
    assert found(tmp_path / name, description) == []
