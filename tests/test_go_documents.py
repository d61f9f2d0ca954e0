"""SKILL.md texts that nfa and kodelet read by rules of Go's libraries, each with the rule."""

from __future__ import annotations

import pytest

from skilltool import runtimes
from skilltool.runtimes.values import Refusal


def parsed(edition: str, raw: bytes) -> dict[str, str] | None:
    parse = runtimes.get(edition).parse
    assert parse is not None
    try:
        return parse(raw, None)
    except Refusal:
        return None


def test_a_byte_that_is_no_utf8_makes_kodelets_frontmatter_unreadable() -> None:
    # yaml.v2 readerc.go: "invalid leading UTF-8 octet".
    assert parsed("kodelet@0.5.36", b"---\nname: a\ndescription: b\xff\n---\nx") is None


def test_each_byte_of_a_body_that_is_no_utf8_is_replaced() -> None:
    # encoding/json writes each of them as \ufffd, also the two of a sequence that is cut short.
    found = parsed("kodelet@0.5.36", b"---\nname: a\ndescription: b\n---\n\xe2\x80x\n")
    assert found is not None
    assert found["body"] == "\ufffd\ufffdx\n"


@pytest.mark.parametrize("line", ["\x0c", " \x0b ", "\x0c\r"])
def test_a_line_of_form_feeds_closes_kodelets_frontmatter(line: str) -> None:
    # goldmark-meta: isSeparator(line) && !util.IsBlank(line); goldmark's IsSpace has neither \v nor \f.
    found = parsed("kodelet@0.5.36", f"---\nname: a\ndescription: b\n{line}\n---\nx\n".encode())
    assert found == {"name": "a", "description": "b", "body": "x\n"}


def test_a_form_feed_before_the_dashes_opens_nothing() -> None:
    # goldmark-meta's Trigger is `-`: the first character that is neither blank nor tab.
    assert parsed("kodelet@0.5.36", b"\x0c---\nname: a\ndescription: b\n---\nx\n") is None


def test_text_behind_a_second_document_is_scanned_by_nfa_and_not_by_kodelet() -> None:
    # yaml.v3's scanner reads two tokens ahead for comments; yaml.v2's does not.
    raw = b"---\nname: a\ndescription: b\n--- x\nq: r\n---\n"
    assert parsed("nfa@2026-04", raw) is None
    assert parsed("kodelet@0.5.36", raw) is not None
