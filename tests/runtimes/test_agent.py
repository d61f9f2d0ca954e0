"""Where the agent profiles do by other means what the running code does with regular expressions."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.runtimes.agent.context import _WANTS_ALL, _WANTS_INFO, _asks
from skilltool.runtimes.agent.loading import split
from skilltool.runtimes.patterns.regex_search import search

_PIECES = ["\n", "\n", " ", "---", "\n---\n", "a", "\t", "\x0b", "\u2028", "-"]
_WORDS = ["what", "can", "could", "you", "u", "do", "show", "list", "capabilities", "skill", "skills", "all"]
_WORDS += ["documentation", "docs", " ", "\n", "x", "_", "shall", "undo"]


@given(st.lists(st.sampled_from(_PIECES), max_size=12).map("".join))
def test_the_markers_are_those_of_the_regular_expression(text: str) -> None:
    match = re.match(r"^---\s*\n(.*?)\n---\s*\n(.*)", "---" + text, re.DOTALL)
    assert split("---" + text) == (match and (match[1], match[2].strip()))


@given(st.lists(st.sampled_from(_WORDS), max_size=9).map("".join))
def test_a_wish_is_found_where_the_regular_expression_finds_it(message: str) -> None:
    for steps in _WANTS_INFO + _WANTS_ALL:
        assert _asks(message, (steps,)) == bool(re.search(".*".join(f"(?:{s})" for s in steps), message))


@pytest.mark.parametrize("text", ["---" + "\n" * 500_000, "---\n" + "\n---x" * 100_000])
def test_markers_are_found_in_linear_time(text: str) -> None:
    begun = time.monotonic()
    assert split(text) is None
    assert time.monotonic() - begun < 5


def test_a_pattern_without_end_is_ended_and_the_others_are_searched() -> None:
    first, endless, broken, last = search([["A"], [r"(a+)+$"], ["(x", "b"], ["c"]], "a" * 60 + "b", 0.5)
    assert first.found
    assert not endless.found
    assert endless.failure == "the search took longer than 0.5 s"
    assert broken.found
    assert broken.errors == (("(x", "missing ), unterminated subpattern at position 0"),)
    assert (last.found, last.failure) == (False, None)


def test_a_pattern_that_is_too_much_for_the_machine_is_not_found() -> None:
    (answer,) = search([["a{99999999999999999999}"]], "a")
    assert (answer.found, answer.failure) == (False, "the repetition number is too large")
