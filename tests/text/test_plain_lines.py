"""What is read line by line is what libyaml reads, with the same spans."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from skilltool.text.frontmatter import composing
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.libyaml import compose_by_libyaml
from skilltool.text.frontmatter.nodes import Mapping, Node, YamlError
from tests.conftest import examples

WORDS = (
    "a",
    "b-c",
    "1",
    "1.0",
    "yes",
    "null",
    "...",
    "...x",
    "http://x",
    "a:b",
    "a#b",
    "x'y",
    '"x" y',
    "é",
    "例",
)
MARKS = (
    "'",
    '"',
    "#",
    ":",
    "-",
    "?",
    "[",
    "]",
    "{",
    "}",
    ",",
    "&",
    "*",
    "!",
    "|",
    ">",
    "%",
    "@",
    "`",
    "\\",
    "=",
    "~",
)
VALUES = st.lists(
    st.sampled_from((*WORDS, *MARKS, " ", "  ", ": ", " #", "\t", "\x85", "\u2028")), max_size=4
)
VALUE = VALUES.map("".join) | VALUES.map(lambda parts: f'"{"".join(parts)}"')
VALUE = VALUE | VALUES.map(lambda parts: f"'{''.join(parts)}'")
KEY = st.sampled_from(("a", "b", "metadata", "a-b", "_x", "null", "yes", "<<", "1", "a b", "é", "---", "..."))
LINE = st.builds(
    "{}{}:{}{}".format, st.sampled_from(("", " ", "  ", "    ")), KEY, st.sampled_from((" ", "", "  ")), VALUE
)
OTHER = st.sampled_from(
    ("", "# c", "  # c", "   ", "---", "...", "a", "- a", "a:", "  b: c", "b: c", "%YAML 1.1", "\ufeff")
)
TEXTS = st.builds(str.__add__, st.lists(LINE | OTHER, max_size=6).map("\n".join), st.sampled_from(("", "\n")))


def seen(node: Node | None) -> Any:
    """Return a tree as values that can be compared."""
    if isinstance(node, Mapping):
        pairs = [(seen(key), seen(value)) for key, value in node.entries]
        return node.span, pairs, node.flow, node.tag, node.anchor
    return node


@pytest.mark.slow
@settings(max_examples=examples(2000))
@given(text=TEXTS, base=st.sampled_from((0, 4)), first_only=st.booleans())
@example(text="a:\n  b: c\nd: e\n", base=4, first_only=True)
@example(text="a: b\n\n# c\nd: 'e'", base=0, first_only=True)
def test_a_reading_is_that_of_libyaml(text: str, base: int, first_only: bool) -> None:
    found = composing.read_plain_lines(text, base)
    if found is None:
        return
    real = compose_by_libyaml(text, base, first_only)
    assert seen(found) == seen(real.root)
    document = compose(text, base, first_only)
    assert document[1:] == real[1:]


@pytest.mark.parametrize(
    "text",
    [
        'name: pdf-tools\ndescription: Fills in forms: no, it\'s "x".\n'.replace("forms: no", "forms, no"),
        "name: 'a'\nmetadata:\n    author: x y\n    version: \"1.0\"\nlicense: MIT",
        "# c\n\na: http://b.c#d\n",
    ],
)
def test_common_frontmatter_is_read(text: str) -> None:
    assert composing.read_plain_lines(text) is not None


@pytest.mark.together
@pytest.mark.parametrize(
    "text",
    [
        *("", "a", "a:", "a:\nb: c", "a: b: c", "a: [b]", "a: |\n  b", "a: b\n  c", "a: 'b' c", "a: b #c"),
        *("a:\tb", "a:\n  b: c\n   d: e", "  a: b", "a:\n  b:\n    c: d", 'a: "\\n"', "a: ''''", "- a"),
        *("a: &b c", "a: !b c"),
    ],
)
def test_anything_else_is_declined(text: str) -> None:
    assert composing.read_plain_lines(text) is None


def test_a_long_text_is_declined() -> None:
    assert composing.read_plain_lines("a: b\n" * 5000) is None
    with pytest.raises(YamlError):
        compose("a: b\n" * 5001)
