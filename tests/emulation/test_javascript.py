"""Strings and numbers of JavaScript, by tables measured with Node.js 20."""

from __future__ import annotations

from typing import Any

import pytest

from skilltool.emulation.javascript import Foreign, finite_number, first_units, last_units, text_of


@pytest.mark.together
@pytest.mark.parametrize(
    ("text", "number"),
    [
        *(("", 0), (" \n", 0), ("12", 12), (" 12\ufeff", 12), ("+.5", 0.5), ("5.", 5), ("-1e3", -1000)),
        *(("0x1F", 31), ("0o17", 15), ("0B11", 3), ("00012", 12), ("1e-400", 0)),
        *((".", None), ("1_000", None), ("-0x1", None), ("1e400", None), ("Infinity", None), ("NaN", None)),
        *(("1 2", None), ("٣", None), ("0x", None), ("1e", None)),
    ],
)
def test_a_text_is_the_number_that_node_takes_it_for(text: str, number: float | None) -> None:
    assert finite_number(text) == number


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((None, "null"), (True, "true"), (1.0, "1"), (-0.0, "0"), (1e21, "1e+21"), (0.1, "0.1")),
        *(([], ""), ([1, None, [True, "a,b"]], "1,,true,a,b"), ("", "")),
    ],
)
def test_a_value_has_the_text_that_node_gives_it(value: Any, text: str) -> None:
    assert text_of(value) == text


@pytest.mark.parametrize("value", [{}, [{}], Foreign("Set")])
def test_an_object_without_a_prototype_has_no_text(value: Any) -> None:
    with pytest.raises(TypeError, match="Cannot convert object to primitive value"):
        text_of(value)


def test_units_are_counted_from_both_ends() -> None:
    assert (first_units("a😀b", 3), last_units("a😀b", 3)) == ("a😀", "😀b")
    assert (first_units("a😀b", 2), last_units("a😀b", 2)) == ("a\ud83d", "\ude00b")
    assert (last_units("ab", 0), last_units("ab", 9)) == ("", "ab")
