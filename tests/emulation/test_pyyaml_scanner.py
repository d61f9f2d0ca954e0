"""The fast loops of the YAML scanner return what PyYAML's own return, to the last mark."""

from __future__ import annotations

from typing import Any

import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from skilltool.emulation.pyyaml import FastScanner

PIECES = [
    *("a", "bc", " ", "  ", "\n", "\r\n", "\r", "\t", "\x85", "\u2028", "\ufeff", "é", "\U0001f600"),
    *(":", ": ", " #", "#", "-", "- ", "? ", ",", "[", "]", "{", "}", "'", '"', "|\n", ">\n  "),
    *("---\n", "...\n", "&a ", "*a", "!t ", "%", "key: word word\n", "  word: [a b, c d]\n", "http://a"),
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)


def tokens(loader: Any, text: str) -> list[tuple[Any, ...]] | str:
    """Return all tokens with their values and marks, or the error."""
    found = []
    try:
        scanner = loader(text)
        while (token := scanner.get_token()) is not None:
            marks = [
                (mark.index, mark.line, mark.column) for mark in (token.start_mark, token.end_mark) if mark
            ]
            found.append((type(token).__name__, getattr(token, "value", None), *marks))
    except yaml.YAMLError as error:
        return f"{found} {error}"
    return found


@given(TEXTS)
@example("a: b c #d\n")
@example("a: b #\n  c\n")
@example("a: [b c, d ?e f]\n")
@example("a: b\n  c:d\n\n  e \nf: g")
@example("a: b \ufeff c\n")
@example("a: b \x85 c: d")
def test_tokens_and_marks_are_those_of_pyyaml(text: str) -> None:
    assert tokens(FastScanner, text) == tokens(yaml.SafeLoader, text)
