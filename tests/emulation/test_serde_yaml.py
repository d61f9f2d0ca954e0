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

from skilltool.emulation.serde_yaml import (
    SWITCH,
    TEXT,
    SerdeYamlError,
    Struct,
    choice,
    is_value,
    items,
    optional,
    read,
)
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
_NUMBERS = (
    *(
        "0x",
        "0o",
        "0b",
        "+",
        "-",
        ".",
        "e",
        "0",
        "1",
        "9",
        "f",
        "inf",
        "nan",
        "_",
        "'",
        "!!int ",
        "!!float ",
        "!x ",
    ),
    *("18446744073709551615", "18446744073709551616", "9223372036854775808"),
    *("170141183460469231731687303715884105728", "340282366920938463463374607431768211455"),
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


@pytest.mark.together
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


@pytest.mark.skipif(importlib.util.find_spec("ryaml") is None, reason="ryaml is not installed")
@settings(max_examples=300)
@given(
    st.lists(st.sampled_from(_NUMBERS), min_size=1, max_size=4).map("".join),
    st.sampled_from(["{}", "[{}]", "{{a: {}}}", "{{{}: a, 1: b}}"]),
)
def test_generated_numbers_are_refused_as_by_the_library_itself(number: str, within: str) -> None:
    library = importlib.import_module("ryaml")
    text = within.format(number)
    try:
        library.loads(text)
        is_accepted = True
    except library.InvalidYamlError:
        is_accepted = False
    except ValueError:  # a mapping for a key: Python cannot hold it
        is_accepted = True
    assert is_value(text) == is_accepted


# As ryaml 0.5.1 answers.
@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "is_accepted"),
    [
        ("18446744073709551615", True),
        ("18446744073709551616", False),
        ("-9223372036854775808", True),
        ("[-9223372036854775809]", False),
        ("0x10000000000000000", False),
        ("340282366920938463463374607431768211455", False),
        ("340282366920938463463374607431768211456", True),
        ("'18446744073709551616'", True),
        ("!!str 18446744073709551616", True),
        ("!!int '18446744073709551616'", False),
        ("!x 18446744073709551616", False),
        ("{18446744073709551616: a}", False),
        ("!!int 1.5", False),
        ("!!null ''", False),
        ("{1: a, 0x1: b}", False),
        ("{1: a, '1': b}", True),
        ("{1: a, 1.0: b}", True),
        ("{.nan: a, .NaN: b}", False),
        ("{&a x: 1, *a : 2}", False),
    ],
)
def test_a_value_of_any_type_has_at_most_64_bits_and_what_its_tag_says(text: str, is_accepted: bool) -> None:
    assert is_value(text) is is_accepted


@pytest.mark.together
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
        (
            "inner: 18446744073709551615",
            "inner: invalid type: integer `18446744073709551615`, expected struct Inner at line 1 column 8",
        ),
        (
            "inner: 18446744073709551616",
            "inner: invalid type: integer `18446744073709551616` as u128, expected struct Inner"
            " at line 1 column 8",
        ),
        (
            "inner: -9223372036854775809",
            "inner: invalid type: integer `-9223372036854775809` as i128, expected struct Inner"
            " at line 1 column 8",
        ),
        (
            "inner: 340282366920938463463374607431768211456",
            "inner: invalid type: floating point `340282366920938500000000000000000000000.0`,"
            " expected struct Inner at line 1 column 8",
        ),
        (
            "inner: 1e-7",
            "inner: invalid type: floating point `0.0000001`, expected struct Inner at line 1 column 8",
        ),
        (
            "inner: -.inf",
            "inner: invalid type: floating point `-inf`, expected struct Inner at line 1 column 8",
        ),
        (
            "inner: .nan",
            "inner: invalid type: floating point `NaN`, expected struct Inner at line 1 column 8",
        ),
        ("inner: 1e400", 'inner: invalid type: string "1e400", expected struct Inner at line 1 column 8'),
        ("inner: 012", 'inner: invalid type: string "012", expected struct Inner at line 1 column 8'),
        ("inner: !!int '5'", "inner: invalid type: integer `5`, expected struct Inner at line 1 column 8"),
        ("inner: !!int x", 'inner: invalid value: string "x", expected an integer at line 1 column 8'),
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
