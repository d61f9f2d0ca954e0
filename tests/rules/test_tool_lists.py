"""Tools are joined to one string only where no reader can take one of them apart."""

from __future__ import annotations

import pytest

from skilltool import runtimes
from skilltool.findings.finding import Finding, applied
from skilltool.rules.frontmatter import tool_list_format
from tests.fix.texts import HEAD, skill_of


def found(value: str) -> tuple[str, Finding]:
    """Return a skill with this value of `allowed-tools`, and what the rule finds in it."""
    text = f"{HEAD}allowed-tools: {value}\n---\n\nText.\n"
    (finding,) = tool_list_format.check(skill_of(text), runtimes.get("portable"))
    return text, finding


@pytest.mark.parametrize(
    ("value", "joined"),
    [
        ("\n  - Read\n  - Bash(git:*)", "Read Bash(git:*)"),
        ("[Read, mcp__forms__fill]", "Read mcp__forms__fill"),
        ("Read, Grep,Bash(git:*)", "Read Grep Bash(git:*)"),
        ("[Bash()]", "Bash()"),
    ],
)
def test_tools_of_one_word_are_joined(value: str, joined: str) -> None:
    text, finding = found(value)
    assert finding.fix is not None
    assert finding.fix.safe
    assert skill_of(applied(text, finding.fix.edits)).frontmatter.text("allowed-tools") == joined


@pytest.mark.parametrize(
    "value",
    [
        "\n  - Bash(which stripe)\n  - Read",
        "[Read, 'Bash(git add:*)']",
        "Read, Bash(git add:*)",
        "[Read, 'Write Edit']",
        "['Read,Write', Edit]",
        "['Bash(a,b)']",
        "[Read, '']",
        "[Read, 7]",
        "['Bash(a']",
        "['Bash(a(b))']",
    ],
)
def test_nothing_is_offered_for_a_tool_that_a_reader_may_take_apart(value: str) -> None:
    _text, finding = found(value)
    assert finding.fix is None
    assert finding.help is not None
    assert finding.help.endswith(" (not fixed automatically: an item contains a space or comma)")


@pytest.mark.parametrize("value", ["[]", "7", "{a: b}"])
def test_what_holds_no_tools_has_no_fix_and_no_excuse(value: str) -> None:
    _text, finding = found(value)
    assert (finding.fix, finding.help) == (None, "write the tools as one space-separated string")
