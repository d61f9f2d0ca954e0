"""JSON is read as RFC 8259 has it, and every value and key is found where it is."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.text.json_positions import JsonError, parse, span_at

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield path, value
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, each in below:
        yield from paths(each, (*path, step))


@given(value=VALUES, indent=st.sampled_from([None, 0, 2, "\t"]), ascii_only=st.booleans())
def test_each_value_and_key_is_where_its_span_says(value: Any, indent: Any, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert parse(text) == value
    for path, each in paths(value):
        start, end = span_at(text, path)
        assert json.loads(text[start:end]) == each
        if path and isinstance(path[-1], str):
            start, end = span_at(text, path, key=True)
            assert json.loads(text[start:end]) == path[-1]


@given(text=st.text('{}[]",:\\ 1atruefalsN-.', max_size=40))
def test_what_is_not_json_is_refused_within_the_text(text: str) -> None:
    try:
        expected = json.loads(text, parse_constant=lambda constant: pytest.fail(constant))
    except (ValueError, pytest.fail.Exception):
        with pytest.raises(JsonError) as caught:
            parse(text)
        assert 0 <= caught.value.start <= len(text)
    else:
        assert parse(text) == expected


@pytest.mark.parametrize(
    ("text", "start"),
    [('{"a": NaN}', 6), ('["NaN", -Infinity]', 8), ('{"a" 1}', 5), ("[1,]", 3), ("[" * 100_000, 0)],
)
def test_an_error_is_located(text: str, start: int) -> None:
    with pytest.raises(JsonError) as caught:
        parse(text)
    assert caught.value.start == start


def test_the_last_of_two_equal_keys_counts_and_what_is_missing_is_looked_for_as_far_as_it_is_there() -> None:
    text = '{"a": 1, "a": {"b": [1, 2]}}'
    assert span_at(text, ("a", "b", 1)) == (24, 25)
    assert span_at(text, ("a", "c")) == (14, 27)
    assert span_at(text, ("a", "b", 7)) == (20, 26)
    assert span_at(text, ("a", 0)) == (14, 27)


def test_a_number_of_many_digits_is_a_number() -> None:
    assert parse("9" * 10_000) == float("inf")
