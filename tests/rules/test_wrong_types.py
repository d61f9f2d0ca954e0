"""A value of a wrong type: whose field it is, what shape it has there, and how bad that is."""

from __future__ import annotations

import pytest

from skilltool import runtimes
from skilltool.findings.finding import Finding, Severity
from skilltool.rules.frontmatter import wrong_type
from tests.fix.texts import HEAD, skill_of


def found(target: str, lines: str) -> Finding:
    """Return what the rule finds in a skill with these lines of frontmatter."""
    (finding,) = wrong_type.check(skill_of(f"{HEAD}{lines}\n---\n\nText.\n"), runtimes.get(target))
    return finding


def test_a_field_of_one_runtime_is_no_error_for_the_common_ground() -> None:
    finding = found("portable", "triggers:\n  - pdf")
    assert (finding.owners, finding.severity) == (("agent",), Severity.INFO)
    assert finding.clause == ("expects a mapping", "expect a mapping")
    assert finding.help == "write `triggers:` as a mapping with `keywords: [...]` (`openhands` reads a list)"


@pytest.mark.parametrize(
    "lines", ["triggers: [pdf]", "version: 1.0", "toolsets: x", "default_enabled: maybe"]
)
def test_for_the_runtime_that_refuses_it_it_is_an_error(lines: str) -> None:
    assert found("agent", lines).severity is None
    assert wrong_type.SEVERITY is Severity.ERROR
    assert found("portable", lines).severity is Severity.INFO


@pytest.mark.parametrize("lines", ["metadata: text", "license: [MIT]", "compatibility: {os: linux}"])
def test_a_field_of_the_specification_keeps_its_severity(lines: str) -> None:
    assert found("portable", lines).severity is None


@pytest.mark.parametrize(
    ("lines", "advice"),
    [
        ("triggers: text", "write `triggers:` as a mapping with `keywords: [...]`"),
        ("triggers:\n  verbs: fill", "write `verbs:` as a list, `[...]`"),
        ("toolsets: a:B", "write `toolsets:` as a list, `[...]`"),
        ("default_enabled: maybe", "write `default_enabled:` as `true` or `false`"),
        ("metadata: text", "write `metadata:` as a mapping"),
        ("version: [1]", "write the value as a string on one line"),
        ("version: 1.0", "quote the value"),
        ("version:", "give it a value, or remove the key"),
    ],
)
def test_the_help_shows_the_shape(lines: str, advice: str) -> None:
    assert found("portable", lines).help == advice


@pytest.mark.parametrize("target", ["portable", "agentskills"])
def test_an_empty_text_is_named_where_the_specification_asks_for_some(target: str) -> None:
    finding = found(target, 'compatibility: ""')
    assert finding.message == "`compatibility` is an empty string"
    assert finding.clause == ("expects a non-empty string", "expect a non-empty string")
    assert finding.severity is Severity.INFO


def test_an_empty_text_is_left_where_nobody_asks_for_any() -> None:
    skill = skill_of(f'{HEAD}compatibility: ""\nlicense: ""\n---\n\nText.\n')
    assert list(wrong_type.check(skill, runtimes.get("claude-code"))) == []
    assert len(list(wrong_type.check(skill, runtimes.get("portable")))) == 1
