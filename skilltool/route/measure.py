"""How often is the right skill called? Rates with intervals, by skill, and what a change has changed.

The unit is a case: repeats of one prompt are not independent, and say little about others. They make the
rate of their case more exact; the interval is that of so many cases, never of so many requests.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_Z = 1.959964  # two-sided 95%
_SURE = 0.05
NO_SKILL = "no skill"


class Rate(NamedTuple):
    """A part of a whole, from 0 to 1, of so many cases, with the ends of its interval; None of no case."""

    value: float | None
    cases: int
    low: float = 0.0
    high: float = 1.0


class Judged(NamedTuple):
    """What was called for a case of which it is known what is right.

    `expected` are the keys of which any is right, empty if none is to be called, None if only `rejected` are
    wrong. `called` has one entry for each answer: the key of the first skill that was called, or None.
    `errors` counts those without an answer.
    """

    place: str
    expected: tuple[str, ...] | None
    rejected: tuple[str, ...]
    called: tuple[str | None, ...]
    errors: int = 0

    def is_right(self, called: str | None) -> bool:
        """Return whether this is right."""
        if called is not None and called in self.rejected:
            return False
        if self.expected is None:
            return True
        return called in self.expected if self.expected else called is None

    @property
    def rate(self) -> float | None:
        """The part of the answers that is right; None without an answer."""
        return sum(map(self.is_right, self.called)) / len(self.called) if self.called else None

    @property
    def wanted(self) -> str:
        """What is expected, for a table."""
        if self.expected is None:
            return f"not {self.rejected[0]}"
        return self.expected[0] if self.expected else NO_SKILL


class OfSkill(NamedTuple):
    """The recall of a skill: of the cases that expect it; and its precision: of the calls that it got."""

    key: str
    recall: Rate
    precision: Rate


class Measured(NamedTuple):
    """All that is measured of one client.

    `right` is the rate of right answers, `recall` that of the cases that expect a skill, `precision` the part
    of the calls that is right. `table` counts calls by what is expected and what is called. `errors` counts
    answers that are none, by their reasons; they are in no rate.
    """

    right: Rate
    recall: Rate
    precision: Rate
    skills: tuple[OfSkill, ...]
    table: dict[tuple[str, str], int]


def wilson(value: float, cases: int) -> tuple[float, float]:
    """Return Wilson's interval (95%) of a rate among so many cases; 0 and 1 for no case.

    It does not end outside of 0 and 1, and is not empty for a rate of 1. Source: Wilson 1927; Newcombe 1998.
    """
    if cases <= 0:
        return 0.0, 1.0
    spread = _Z * math.sqrt(value * (1 - value) / cases + _Z**2 / (4 * cases**2))
    middle, whole = value + _Z**2 / (2 * cases), 1 + _Z**2 / cases
    return max((middle - spread) / whole, 0.0), min((middle + spread) / whole, 1.0)


def rate(values: Iterable[float]) -> Rate:
    """Return the mean of the rates of some cases, with its interval."""
    every = list(values)
    if not every:
        return Rate(None, 0)
    mean = math.fsum(every) / len(every)
    return Rate(mean, len(every), *wilson(mean, len(every)))


def measured(cases: Sequence[Judged]) -> Measured:
    """Return all rates of some cases; those without an answer are in none."""
    answered = [case for case in cases if case.called]
    expecting = [case for case in answered if case.expected]
    keys = dict.fromkeys(key for case in expecting for key in (case.expected or ()))
    keys |= dict.fromkeys(key for case in answered for key in case.called if key is not None)
    table: Counter[tuple[str, str]] = Counter()
    for case in answered:
        table.update((case.wanted, called or NO_SKILL) for called in case.called)
    return Measured(
        rate(case.rate or 0.0 for case in answered),
        rate(case.rate or 0.0 for case in expecting),
        _precision(answered, None),
        tuple(OfSkill(key, _recall(expecting, key), _precision(answered, key)) for key in keys),
        dict(table),
    )


def _recall(cases: Sequence[Judged], key: str) -> Rate:
    """Return how often a case that expects this skill first gets a skill that is right."""
    return rate(case.rate or 0.0 for case in cases if case.expected and case.expected[0] == key)


def _precision(cases: Sequence[Judged], key: str | None) -> Rate:
    """Return the part of the calls of a skill that is right, of all calls for None."""
    right = calls = number = 0.0
    for case in cases:
        made = [called for called in case.called if called is not None and key in (None, called)]
        number += bool(made)
        calls += len(made)
        right += sum(map(case.is_right, made))
    if not calls:
        return Rate(None, 0)
    return Rate(right / calls, int(number), *wilson(right / calls, int(number)))


class Change(NamedTuple):
    """The same cases before and after: how many are better and worse, and whether that can be chance.

    `chance` is how likely so unequal a number is if nothing has changed (sign test, two-sided). `verdict` is
    `better`, `worse`, or `cannot tell`.
    """

    before: Rate
    after: Rate
    better: tuple[str, ...]
    worse: tuple[str, ...]
    chance: float

    @property
    def verdict(self) -> str:
        """What can be said."""
        if self.chance >= _SURE:
            return "cannot tell"
        return "better" if len(self.better) > len(self.worse) else "worse"


def change(before: Sequence[Judged], after: Sequence[Judged]) -> Change:
    """Return what has changed in the cases that have answers before and after."""
    known = {case.place: case.rate for case in before if case.rate is not None}
    pairs = [
        (case.place, known[case.place], case.rate)
        for case in after
        if case.rate is not None and case.place in known
    ]
    better = tuple(place for place, old, new in pairs if new > old)
    worse = tuple(place for place, old, new in pairs if new < old)
    return Change(
        rate(old for _, old, _ in pairs),
        rate(new for _, _, new in pairs),
        better,
        worse,
        sign_test(len(better), len(worse)),
    )


def sign_test(better: int, worse: int) -> float:
    """Return how likely it is, two-sided, that so many of all changes or more go one way by chance."""
    number = better + worse
    tail: float = sum(math.comb(number, each) for each in range(min(better, worse) + 1)) / 2**number
    return min(2 * tail, 1.0)
