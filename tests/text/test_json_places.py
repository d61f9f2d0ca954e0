"""JSON with places agrees with `json`, and each place holds what it says."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skilltool.text import json_places
from skilltool.text.json_places import JsonError, Path, read
from skilltool.text.source import Span

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
LAYOUTS = st.sampled_from([None, 1, "\t"])


def paths(value: Any, above: Path = ()) -> list[tuple[Path, Any]]:
    found = [(above, value)]
    if isinstance(value, dict):
        for key, each in value.items():
            found += paths(each, (*above, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            found += paths(each, (*above, number))
    return found


@given(VALUES, LAYOUTS, st.booleans(), st.sampled_from(["", "\ufeff"]))
def test_every_value_and_key_is_where_it_is_said_to_be(
    value: Any, indent: Any, ascii_only: bool, bom: str
) -> None:
    text = bom + json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    found = read(text)
    assert found.data == value
    assert found.repeated == ()
    for path, each in paths(value):
        span = found.value(path)
        assert json.loads(text[span.start : span.end]) == each
        if path and isinstance(path[-1], str):
            key = found.key(path)
            assert json.loads(text[key.start : key.end]) == path[-1]


@pytest.mark.slow
@settings(max_examples=300)
@given(st.text(alphabet='{}[]:,"\\ \n01-.eEntrufalsNI/#\ufeff', max_size=30))
def test_what_json_refuses_is_refused_within_the_text_and_the_rest_is_read_alike(text: str) -> None:
    try:
        expected = json.loads(text.removeprefix("\ufeff"), parse_constant=lambda name: 1 / 0)
    except (ValueError, ZeroDivisionError):
        with pytest.raises(JsonError) as caught:
            read(text)
        assert 0 <= caught.value.span.start <= caught.value.span.end <= len(text)
    else:
        assert read(text).data == expected


@pytest.mark.parametrize(
    ("text", "message", "at"),
    [
        ('{"a": 1,}', "trailing comma before `}`", Span(7, 8)),
        ("[1,\n]", "trailing comma before `]`", Span(2, 3)),
        ('{"a": 1 "b": 2}', "expected a comma or the end before a string", Span(8, 9)),
        ('{\n // no\n "a": 1}', "comments are not JSON", Span(3, 5)),
        ('{"a": ', "unexpected end of the file", Span(6, 6)),
        ("", "unexpected end of the file", Span(0, 0)),
        ("{'a': 1}", "unexpected `'a'`", Span(1, 4)),
        ('{"a": NaN}', "`NaN` is not JSON", Span(6, 9)),
        ('{"a": 1} x', "unexpected `x`", Span(9, 10)),
        ('"a\nb"', "invalid escape, line break or end of a string", Span(2, 3)),
    ],
)
def test_a_syntax_error_says_what_is_wrong_and_where(text: str, message: str, at: Span) -> None:
    with pytest.raises(JsonError) as caught:
        read(text)
    assert (caught.value.message, caught.value.span) == (message, at)


def test_a_repeated_key_is_noticed_and_its_last_value_counts() -> None:
    text = '{"p": [{"n": 1}, {"n": 1, "x": {}, "n": 2}]}'
    found = read(text)
    assert found.data["p"][1]["n"] == 2
    assert [(each.path, text[each.span.start : each.span.end]) for each in found.repeated] == [
        (("p", 1, "n"), '"n"')
    ]
    assert found.repeated[0].span.start > text.index("{}")
    span = found.value(("p", 1, "n"))
    assert text[span.start : span.end] == "2"


def test_a_path_that_leads_nowhere_is_at_the_nearest_value_around_it() -> None:
    found = read('{"a": [1]}')
    assert found.value(("a", 7, "b")) == found.value(("a",)) == Span(6, 9)
    assert found.key(("nothing",)) == Span(0, 10)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100 + "]" * 100, "has more than 64 levels"),
        ("[" * 200_000, "has more than 64 levels"),
        ("[" + "0," * 100_000 + "0]", "has more than 100,000 values"),
        ("9" * 5_000, "has a number of 400 digits"),
    ],
)
def test_text_over_a_bound_is_not_read(text: str, message: str) -> None:
    with pytest.raises(JsonError, match=message):
        read(text)


def test_text_at_the_bounds_is_read() -> None:
    deep = "[" * json_places.MAX_DEPTH + "]" * json_places.MAX_DEPTH
    assert read(deep).data is not None
