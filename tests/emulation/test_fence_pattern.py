"""Frontmatter as a regular expression of frameworks finds it: the same as that expression."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.emulation.fence_pattern import LINE_START, WHOLE_LINE, split

WHOLE = re.compile(r"^---\s*\n(.*?)\n---\s*\n", re.DOTALL)
ANY = re.compile(r"^---\s*\n(.*?)\n---\s*\n?(.*)$", re.DOTALL)
PIECES = st.sampled_from(["---", "-", "\n", "\n---\n", " ", "\r", "\t", "\u2028", "a: b", "x", "\n---"])
TEXTS = st.lists(PIECES, max_size=12).map("".join)


@given(TEXTS, st.booleans())
def test_a_line_of_three_hyphens_closes(rest: str, opened: bool) -> None:
    text = f"---{rest}" if opened else rest
    found = WHOLE.match(text)
    assert split(text, WHOLE_LINE) == (None if found is None else (found[1], text[found.end() :]))


@given(TEXTS, st.booleans())
def test_a_line_that_begins_with_three_hyphens_closes(rest: str, opened: bool) -> None:
    text = f"---{rest}" if opened else rest
    found, parts = ANY.match(text), split(text, LINE_START)
    assert (parts is None) is (found is None)
    if found is not None and parts is not None:
        assert (parts.inside, parts.body.strip()) == (found[1], found[2].strip())


@pytest.mark.parametrize(
    ("text", "inside", "body"),
    [
        ("---\n\n\n---\nBody", "", "Body"),
        ("---\n\na\n---\n\n  b", "a", "  b"),
        ("--- \r\na\r\n---\r\nb", "a\r", "b"),
    ],
)
def test_white_space_around_fences(text: str, inside: str, body: str) -> None:
    assert split(text) == (inside, body)


def test_a_long_run_of_white_space_is_read_once() -> None:
    assert split("---" + "\n" * 200_000 + "x") is None
    assert split("---\n" + "\n--- x" * 100_000) is None
