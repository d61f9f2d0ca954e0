"""YAML is read as serde_yaml 0.9 reads it: into structs, and with its words for what is wrong.

`tests/libraries/serde-yaml-0.9.jsonl` has generated texts and what the library said of each, by ryaml 0.5.1.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.runtimes.readers.serde_yaml import (
    SWITCH,
    TEXT,
    Struct,
    choice,
    is_value,
    items,
    optional,
    read,
)
from skilltool.runtimes.readers.serde_yaml_errors import SerdeYamlError
from skilltool.text.frontmatter.nodes import BoundError

TABLE = Path(__file__).parents[1] / "libraries" / "serde-yaml-0.9.jsonl"
ANSWERS = [json.loads(line) for line in TABLE.read_text("utf-8").split("\n") if line]
INNER = Struct("Inner", {"short": TEXT})
OUTER = Struct(
    "Outer",
    {
        "name": TEXT,
        "inner": INNER,
        "maybe": optional(INNER),
        "on": SWITCH,
        "list": items(TEXT),
        "word": choice("a", "b"),
    },
)
# What only a map of any values refuses, or of what two kinds of errors the first is told.
_OF_VALUES = ("duplicate entry", "invalid value")


def told(text: str) -> str | None:
    """What is said of a text whose type does not matter."""
    try:
        read(f"{text}", Struct("Any", {}))
    except SerdeYamlError as error:
        return None if str(error).startswith("invalid type") else str(error)
    return None


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: repr(answer["text"])[:40])
def test_a_text_is_accepted_or_refused_in_the_words_of_the_library(answer: dict[str, Any]) -> None:
    assert is_value(answer["text"]) == (answer["error"] is None)
    found = told(answer["text"])
    is_of_type = found is None and answer["error"] is not None
    assert found == answer["error"] or (is_of_type and "more than one document" in answer["error"])


@pytest.mark.skipif(importlib.util.find_spec("ryaml") is None, reason="ryaml is not installed")
@settings(max_examples=300)
@given(st.text(st.sampled_from("ab:-[]{}'\"#&*!|>%@\n\r\t ?,\x00\u2028\x85"), max_size=25))
def test_generated_texts_are_refused_as_by_the_library_itself(text: str) -> None:
    library = importlib.import_module("ryaml")
    try:
        library.loads(text)
        error = None
    except library.InvalidYamlError as refused:
        error = str(refused)
    except ValueError:  # a list for a key: Python cannot hold it
        error = None
    if not any(word in (error or "") for word in _OF_VALUES):
        assert is_value(text) == (error is None)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", {}),
        ("# nothing", {}),
        ("name: 1.50\non: True", {"name": "1.50", "on": True}),
        ("name: ~\non:", {"name": None, "on": None}),
        ("name: !!int '12'", {"name": "12"}),
        ("x: &a b\nname: *a\nlist: [*a, 1, ~]", {"name": "b", "list": ["b", "1", None]}),
        ("inner:\nmaybe:\nlist:", {"inner": {}, "maybe": None, "list": []}),
        (
            "inner: {short: 5, long: [}",
            "did not find expected node content at line 1 column 26, while parsing a flow node",
        ),
        ("<<: {name: x}\nlicense: 1\nlicense: 2", {}),
        ("name: a\nname: b", "duplicate field `name`"),
        ("\nname: a\nname: b", "duplicate field `name` at line 2 column 1"),
        ("inner: {short: a, short: b}", "inner: duplicate field `short` at line 1 column 8"),
        ("inner: ~", "inner: invalid type: unit value, expected struct Inner at line 1 column 8"),
        ("inner: 0x1f", "inner: invalid type: integer `31`, expected struct Inner at line 1 column 8"),
        ("inner: True", "inner: invalid type: boolean `true`, expected struct Inner at line 1 column 8"),
        ("inner: -0o17", "inner: invalid type: integer `-15`, expected struct Inner at line 1 column 8"),
        ("inner: 1.5", "inner: invalid type: floating point `1.5`, expected struct Inner at line 1 column 8"),
        ("inner: 'a\"b'", 'inner: invalid type: string "a\\"b", expected struct Inner at line 1 column 8'),
        ("list: [a, {b: c}]", "list[1]: invalid type: map, expected a string at line 1 column 11"),
        ("on: 'true'", 'on: invalid type: string "true", expected a boolean at line 1 column 5'),
        ("word: c", "word: unknown variant `c`, expected `a` or `b` at line 1 column 7"),
        ("name: !!null x", 'name: invalid value: string "x", expected null at line 1 column 7'),
        ("- a", "invalid type: sequence, expected struct Outer"),
        ("name: *a", "unknown anchor at line 1 column 7"),
        ("? [a]\n: b", "invalid type: sequence, expected field identifier at line 1 column 3"),
        (
            "name: a\n---\nname: b",
            "deserializing from YAML containing more than one document is not supported",
        ),
    ],
)
def test_a_struct_is_read_field_by_field(text: str, found: dict[str, Any] | str) -> None:
    if isinstance(found, dict):
        assert read(text, OUTER) == found
        return
    with pytest.raises(SerdeYamlError) as error:
        read(text, OUTER)
    assert str(error.value) == found


@given(st.text(st.sampled_from("ab:-[]{}'\"#&*!|>%@\n\r\t ?,\x00\u2028\x85\ufeff\U00100041"), max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(SerdeYamlError, BoundError):
        read(text, OUTER)
    with suppress(BoundError):
        is_value(text)


def test_bounds_are_not_errors_of_the_library() -> None:
    with pytest.raises(BoundError):
        read(f"name: {'[' * 100}", OUTER)
    with pytest.raises(BoundError):
        is_value(f"[{'a, ' * 20_000}]")
