"""Tools in the frontmatter: taken apart at the right places, balanced, and known to the runtime."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skilltool import runtimes
from skilltool._resources import data
from skilltool.findings.finding import Finding, applied
from skilltool.rules.frontmatter import ignored_value, unbalanced_tool, unknown_tool
from skilltool.rules.pedantic import unlisted_tool
from skilltool.rules.shared.tools import split
from skilltool.runtimes.fields import reads
from skilltool.runtimes.tools import tools_of
from skilltool.skill.model import Skill
from tests.fix.texts import HEAD, skill_of

NAMES = st.from_regex(r"[A-Za-z]{1,8}", fullmatch=True)
PATTERNS = st.recursive(
    st.text("ab :*,'\"", max_size=8), lambda inner: inner.map(lambda text: f"x({text})"), max_leaves=3
)
TOOLS = st.one_of(NAMES, st.builds("{}({})".format, NAMES, PATTERNS))
CLAUDE = runtimes.get("claude-code")


def with_tools(value: str, field: str = "allowed-tools") -> Skill:
    return skill_of(f"{HEAD}{field}: {value}\n---\n\nText.\n")


def unbalanced(value: str, runtime: str = "portable", field: str = "allowed-tools") -> list[tuple[str, str]]:
    """Return text and message of each finding about balance in a value of the field."""
    skill = with_tools(value, field)
    found = unbalanced_tool.check(skill, runtimes.get(runtime))
    return [(skill.source[finding.span], finding.message) for finding in found]


@given(tools=st.lists(TOOLS, min_size=1), gap=st.sampled_from([" ", ", ", ",", "\t", "\n"]))
def test_balanced_tools_come_back_as_they_were(tools: list[str], gap: str) -> None:
    value = gap.join(tools)
    assert [(value[start:end], fault) for start, end, fault in split(value)] == [
        (each, None) for each in tools
    ]


@example("\\,(")
@given(value=st.text("ab(),\" \\'*", max_size=30))
def test_tools_do_not_overlap_and_a_fault_is_a_sign(value: str) -> None:
    after = 0
    for start, end, fault in split(value):
        assert after <= start < end <= len(value)
        assert fault is None or re.search("[()\"']", value[start:end])
        after = end


@pytest.mark.parametrize(
    ("value", "text", "said"),
    [
        ("Read, Bash(git:*", "Bash(git:*", "no closing parenthesis"),
        ("Read, Bash(git:*, Edit", "Bash(git:*", "no closing parenthesis"),
        ("Bash(git:*)) Read", "Bash(git:*))", "closing parenthesis without"),
        ("Bash git:*)", "git:*)", "closing parenthesis without"),
        ("Read Bash(echo \\))x)", "Bash(echo \\))x)", "closing parenthesis without"),
        ("Read 'Bash", "'Bash", "quote at only one end"),
        ('Read Bash"', 'Bash"', "quote at only one end"),
        ("\n  - Bash(git add:*\n  - Read", "Bash(git add:*", "no closing parenthesis"),
        ("\n  - Bash(git add\n  - git commit)", "Bash(git add", "no closing parenthesis"),
        ('"Read \\x42ash("', '"Read \\x42ash("', "no closing parenthesis"),
    ],
)
def test_each_way_to_lose_balance_is_found(value: str, text: str, said: str) -> None:
    where, message = unbalanced(value)[0]
    assert where == text
    assert said in message


@pytest.mark.parametrize(
    "value",
    [
        "Read",
        "Bash(echo \\(*)",
        'Bash(git commit -m ":*)',
        "Bash(python -c 'print(1)')",
        '[Read, "Bash(git add, git commit)"]',
        "[Bash(which stripe), 'Write']",
        "\n  - Bash(git add:*)\n  - Azure MCP",
        "mcp__forms__*",
        "[]",
        "12",
        "{a: (}",
    ],
)
def test_what_balances_is_not_reported(value: str) -> None:
    assert unbalanced(value) == []


def test_a_list_that_a_comma_splits_is_one_finding_and_quotes_make_it_whole() -> None:
    text = f"{HEAD}allowed-tools: [Read, Bash(git add, git commit), Write]\n---\n\nText.\n"
    (found,) = unbalanced_tool.check(skill_of(text), CLAUDE)
    assert found.message == "`Bash(git add, git commit)` in `allowed-tools` is split at its comma"
    assert found.fix is not None
    assert not found.fix.safe
    data = skill_of(applied(text, found.fix.edits)).frontmatter.data
    assert data is not None
    assert data["allowed-tools"] == ["Read", "Bash(git add, git commit)", "Write"]


def test_a_split_list_over_several_lines_is_left_to_the_author() -> None:
    found = list(unbalanced_tool.check(with_tools("[Bash(git add, # of all\n  git commit)]"), CLAUDE))
    assert [(each.fix, "parenthesis" in each.message) for each in found] == [(None, True)] * 2


def test_only_fields_that_the_runtime_reads_are_checked() -> None:
    assert unbalanced("Bash(", "kodelet") == []
    assert unbalanced("Bash(", "portable", "disallowed-tools") == []
    assert unbalanced("Bash(", "claude-code", "disallowed-tools")


def unknown(value: str, field: str = "allowed-tools") -> list[Finding]:
    return list(unknown_tool.check(with_tools(value, field), CLAUDE))


@pytest.mark.together
@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("read", "Read"),
        ("web_fetch", "WebFetch"),
        ("BASH", "Bash"),
        ("Raed", "Read"),
        ("Writ", "Write"),
        ("Greps", "Grep"),
    ],
)
@pytest.mark.parametrize("field", ["allowed-tools", "disallowed-tools"])
def test_a_name_that_is_almost_a_tool_is_reported_with_what_was_meant(
    written: str, meant: str, field: str
) -> None:
    text = f"{HEAD}{field}: Edit, {written}(x:*)\n---\n\nText.\n"
    (found,) = unknown_tool.check(skill_of(text), CLAUDE)
    assert found.help == f"did you mean `{meant}`?"
    assert found.fix is not None
    assert applied(text, found.fix.edits) == text.replace(written, meant)
    assert list(unlisted_tool.check(skill_of(text), CLAUDE)) == []


@pytest.mark.parametrize(
    "value",
    [
        "Read",
        "Task",
        "Bash(read:*)",
        "mcp__forms__read",
        "mcp__forms__*",
        "'*'",
        "Skill(read)",
        "[Azure MCP]",
    ],
)
def test_tools_of_now_and_then_of_mcp_and_patterns_are_accepted(value: str) -> None:
    assert unknown(value) == []
    assert list(unlisted_tool.check(with_tools(value), CLAUDE)) == []


def test_other_names_are_only_for_those_who_ask() -> None:
    assert unknown("exec, search, LSS") == []
    found = list(unlisted_tool.check(with_tools("exec, search"), CLAUDE))
    assert [each.message for each in found] == [
        "`allowed-tools` names `exec`",
        "`allowed-tools` names `search`",
    ]


def test_a_runtime_without_a_list_says_nothing() -> None:
    for name in ("portable", "agentskills", "openhands"):
        assert list(unknown_tool.check(with_tools("read"), runtimes.get(name))) == []


def test_an_edition_has_the_tools_of_its_client() -> None:
    assert tools_of("claude-code@2.1.329") == tools_of("claude-code")


TABLE = json.loads((data("schemas") / "tools.json").read_text("utf-8"))


@pytest.mark.parametrize("client", TABLE["clients"])
def test_a_list_of_tools_has_a_source_and_is_of_a_client_that_reads_the_field(client: str) -> None:
    tools = tools_of(client)
    assert tools is not None
    assert tools.source.startswith("https://")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", tools.verified)
    assert tools.evidence in {"wire", "run", "source", "docs"}
    assert reads(client, "allowed-tools")
    assert not set(tools.names) & set(tools.earlier)
    for manual in (unknown_tool.__doc__, unlisted_tool.__doc__):
        assert tools.source in (manual or "")
        assert tools.verified in (manual or "")


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ("shell", 1),
        ("Read, bash", 1),
        ("[Read, shell]", 1),
        ("Bash", 0),
        ("Bash(git:*)", 0),
        ("powershell", 0),
    ],
)
def test_a_command_line_of_copilot_takes_shell_for_permission(value: str, found: int) -> None:
    skill = with_tools(value)
    said = [finding.clause for finding in ignored_value.check(skill, runtimes.get("copilot"))]
    assert len(said) == found
    assert all(
        clause and "runs any command without asking on the command line" in clause[0] for clause in said
    )


@pytest.mark.parametrize(
    ("field", "value", "clause"),
    [
        ("disable-model-invocation", '"yes"', "treats it as false"),
        ("disable-model-invocation", "maybe", "treats it as false"),
        ("disable-model-invocation", '"true"', None),
        ("user-invocable", "never", "treats it as true"),
        ("user-invocable", "false", None),
    ],
)
def test_a_switch_that_qwen_code_cannot_read(field: str, value: str, clause: str | None) -> None:
    found = ignored_value.check(with_tools(value, field), runtimes.get("qwen-code"))
    assert [each.clause[0] for each in found if each.clause] == ([clause] if clause else [])


def test_an_item_that_deepagents_drops() -> None:
    (found,) = ignored_value.check(with_tools("[Read, 3]"), runtimes.get("deepagents"))
    assert found.message == "item 2 (not a string) in `allowed-tools`"
