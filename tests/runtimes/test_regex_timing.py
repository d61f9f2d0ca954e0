"""The program that times regular expressions tries messages that repeat what each repetition matches."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator
from re import _parser as parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.runtimes.patterns import regex_timing
from skilltool.runtimes.patterns.regex_timing import _messages, _pumps, _sample, compile_and_time


def pumps(pattern: str) -> list[tuple[str, str]]:
    return [*dict.fromkeys(_pumps(list(parser.parse(pattern, re.IGNORECASE)), ""))]


# What leads up to the repetition, and what one repeat of it matches: short, whole, and letter by letter.
@pytest.mark.together
@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("a*", [("", "a")]),
        ("ab*", [("a", "b"), ("", "b")]),
        ("x(ab|cd)*y", [("x", each) for each in ("a", "ab", "b", "c", "cd", "d")]),
        ("[^a]{0,9}", [("", "b")]),
        ("[^ab]+", [("", "0"), ("", "a"), ("", "b")]),
        ("a{8}b{0,8}", []),
        ("(?:a?b){9,}", [("", "a"), ("", "ab"), ("", "b")]),
        (r"\d+\s+", [("", "0"), ("0", " ")]),
        (r"\D*\S*\w*\W*", [("", "a"), ("", "-")]),
        ("(a+)+$", [("", "a")]),
        ("(?>ab*)c", [("a", "b")]),
        ("a(?=b*)(?!c*)", [("a", "b"), ("a", "c")]),
        ("[x-z0]+?", [("", "0"), ("", "x")]),
        ("q++r*", [("q", "r")]),
        ("q{12}r*", [("", "q"), ("q" * 8, "r")]),
        ("a*b(?:c?d){3}e*", [("", "a"), ("bddd", "e")]),
    ],
)
def test_each_repetition_is_repeated_after_what_leads_up_to_it_and_alone(
    pattern: str, expected: list[tuple[str, str]]
) -> None:
    both = {each for before, pump in expected for each in ((before, pump), ("", pump))}
    assert set(pumps(pattern)) == both


LETTERS = st.sampled_from(
    ["a", "b", "[xy]", "[^a]", "[^ab0]", "[c-e]", r"\d", r"\w", r"\W", r"\s", r"\S", "."]
)
PATTERNS = st.recursive(
    LETTERS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map("".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: f"(?:{'|'.join(each)})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{0,3}", "{1,}", "*?"])).map(
            lambda each: f"({each[0]}){each[1]}"
        ),
    ),
    max_leaves=8,
)


@given(PATTERNS)
def test_a_sample_matches_its_expression(pattern: str) -> None:
    tree = list(parser.parse(pattern, re.IGNORECASE))
    for full in (False, True):
        text = _sample(tree, full)
        if len(text) < regex_timing._LONG:
            assert re.fullmatch(pattern, text, re.IGNORECASE | re.DOTALL), text


def test_messages_repeat_a_text_up_to_two_lengths_and_break_off() -> None:
    messages = [*_messages("a(?:bc)*")]
    repeated = ["abc" * 0 + "a" + "bc" * 22, "bc" * 22, "a" + "b" * 45, "b" * 45, "a" + "c" * 45, "c" * 45]
    assert {each.rstrip("\0!") for each in messages[: 3 * 6]} == set(repeated)
    assert [len(each) for each in messages[18:21]] == [1 + 2_000 + 1, 1 + 2_000, 1 + 2_000 + 1]
    assert len(messages) == 2 * 6 * 3
    assert {each[-1] for each in messages} >= {"\0", "!", "b", "c"}


@pytest.mark.slow
def test_an_expression_that_is_wrong_is_reported_as_python_does() -> None:
    assert compile_and_time("a(") == {"error": "missing ), unterminated subpattern", "position": 1}
    assert compile_and_time("*") == {"error": "nothing to repeat", "position": 0}
    deep = compile_and_time("(" * 100_000)
    assert deep["position"] is None
    assert "depth exceeded" in deep["error"]
    assert compile_and_time("a*b") == {}


@pytest.fixture
def short_time(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(regex_timing, "SECONDS", 0.02)
    before = signal.signal(signal.SIGVTALRM, regex_timing._expire)
    yield
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no timer")
@pytest.mark.usefixtures("short_time")
@pytest.mark.parametrize("pattern", ["(a+)+$", "(?:ab|a|b)*c", "x(y*)*z"])
def test_what_backtracks_without_end_is_told_by_the_length_of_the_message(pattern: str) -> None:
    assert compile_and_time(pattern)["slow"] in range(44, 48)
