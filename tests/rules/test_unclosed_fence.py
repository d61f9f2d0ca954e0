"""A fence that is not closed: where, and what an author can do about it."""

from __future__ import annotations

import pytest

from skilltool import runtimes
from skilltool.rules.body import unclosed_fence
from tests.fix.texts import HEAD, skill_of

CLOSE = "close it with the same characters where the code ends, or remove this line"
REMOVE = "remove this line if it ends no code, else close it, or open it with more characters"
WIDEN = "open the fence on line 6 with more characters than the one inside it, or close it earlier"
NEVER = "code fence is never closed; the rest of the body is code"
LAST = "last line opens a code fence that is never closed"


@pytest.mark.parametrize(
    ("body", "line", "message", "help_text"),
    [
        ("```sh\nx\n", 6, NEVER, CLOSE),
        ("~~~\nx\n", 6, NEVER, CLOSE),
        ("Text.\n```", 7, LAST, CLOSE),
        ("```sh\n```sh\n", 6, NEVER, WIDEN),
        ("```sh\n```sh\n```\n```sh\n", 9, LAST, WIDEN),
        ("```\n```sh\n```\n", 6, "code fence is not closed before another one opens on line 7", REMOVE),
        (
            "```sh\n```sh\n```\n```\n```sh\n```\n",
            9,
            "code fence is not closed before another one opens on line 10",
            WIDEN,
        ),
    ],
)
def test_an_open_fence_is_found_where_it_opens(body: str, line: int, message: str, help_text: str) -> None:
    skill = skill_of(f"{HEAD}---\n\n{body}")
    (finding,) = unclosed_fence.check(skill, runtimes.get("portable"))
    assert (finding.message, finding.help) == (message, help_text)
    assert skill.source.position(finding.span.start).line == line
    assert skill.source.line_span(finding.span.start).start == finding.span.start


@pytest.mark.parametrize(
    "body", ["```sh\nx\n```\n", "````md\n```sh\nx\n```\n````\n", "Text.\n", "~~~\n```\n~~~\n"]
)
def test_what_is_closed_is_not_reported(body: str) -> None:
    assert list(unclosed_fence.check(skill_of(f"{HEAD}---\n\n{body}"), runtimes.get("portable"))) == []
