"""Rates and intervals: made-up routers of known quality are measured as what they are."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skilltool.route.measure import Judged, Rate, change, measured, rate, sign_test, wilson

RUNS, CASES, REPEATS = 100, 60, 3
Model = Callable[[random.Random], Callable[[], bool]]


def fresh(quality: float) -> Model:
    """Each answer is right with this chance, whatever the prompt."""
    return lambda chance: lambda: chance.random() < quality


def stubborn(quality: float) -> Model:
    """Each prompt is understood with this chance, and then always."""

    def prompt(chance: random.Random) -> Callable[[], bool]:
        understood = chance.random() < quality
        return lambda: understood

    return prompt


def judged(model: Model, chance: random.Random, cases: int = CASES, wrong: str | None = None) -> list[Judged]:
    found = []
    for number in range(cases):
        answer = model(chance)
        called = tuple("pdf" if answer() else wrong for _ in range(REPEATS))
        found.append(Judged(str(number), ("pdf",), (), called))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("quality", [0.5, 0.75, 0.9])
@pytest.mark.parametrize("model", [fresh, stubborn])
def test_the_interval_has_the_truth_in_95_of_100_runs(
    model: Callable[[float], Model], quality: float
) -> None:
    """Over 500 runs, of which 95 % is 475, give or take 10; also where answers to a prompt are the same."""
    chance = random.Random(20261125)
    within = 0
    for _ in range(5 * RUNS):
        recall = measured(judged(model(quality), chance)).recall
        within += recall.low <= quality <= recall.high
    assert within >= 0.93 * 5 * RUNS


def test_a_router_of_known_quality_is_measured_within_its_interval() -> None:
    chance = random.Random(1)
    found = [measured(judged(fresh(0.9), chance, wrong="docx")) for _ in range(RUNS)]
    assert sum(each.recall.low <= 0.9 <= each.recall.high for each in found) >= 95
    assert sum(each.precision.low <= 0.9 <= each.precision.high for each in found) >= 95
    assert 0.85 < sum(each.recall.value or 0.0 for each in found) / RUNS < 0.95


def test_repeats_do_not_make_an_interval_narrower() -> None:
    once = [Judged(str(number), ("pdf",), (), ("pdf" if number % 2 else None,)) for number in range(10)]
    often = [case._replace(called=case.called * 50) for case in once]
    assert measured(once).recall == measured(often).recall


def test_intervals_are_those_of_the_books() -> None:
    """Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    table = (
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    )
    for part, whole, low, high in table:
        assert wilson(part / whole, whole) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


@given(st.integers(0, 50), st.integers(0, 50))
def test_an_interval_has_its_rate(part: int, more: int) -> None:
    whole = part + more
    low, high = wilson(part / whole if whole else 0.0, whole)
    assert 0 <= low <= high <= 1
    if whole:
        assert low <= part / whole + 1e-9
        assert high >= part / whole - 1e-9


def test_errors_are_in_no_rate() -> None:
    cases = [
        Judged("a", ("pdf",), (), ("pdf", "pdf"), errors=1),
        Judged("b", ("pdf",), (), (), errors=3),
        Judged("c", (), (), (None, "pdf"), errors=1),
    ]
    found = measured(cases)
    assert (found.right.value, found.right.cases) == (0.75, 2)
    assert (found.recall.value, found.recall.cases) == (1, 1)
    assert (found.precision.value, found.precision.cases) == (pytest.approx(2 / 3), 2)
    assert found.table == {("pdf", "pdf"): 2, ("no skill", "no skill"): 1, ("no skill", "pdf"): 1}
    assert measured(cases[1:2]).right == Rate(None, 0)


def test_what_is_acceptable_and_what_is_rejected_counts() -> None:
    either = Judged("a", ("pdf", "docx"), ("charts",), ("docx", "charts", "other"))
    assert either.rate == pytest.approx(1 / 3)
    other = Judged("b", None, ("pdf",), ("docx", None, "pdf"))
    assert other.rate == pytest.approx(2 / 3)
    assert (either.wanted, other.wanted) == ("pdf", "not pdf")


def test_the_recall_of_a_skill_is_that_of_the_cases_that_expect_it_first() -> None:
    cases = [Judged("a", ("pdf", "docx"), (), ("pdf",)), Judged("b", ("docx",), (), (None,))]
    recalls = {each.key: each.recall.value for each in measured(cases).skills}
    assert recalls == {"pdf": 1, "docx": 0}


def test_the_sign_test_is_that_of_the_books() -> None:
    assert sign_test(0, 0) == 1
    assert sign_test(5, 0) == pytest.approx(2 / 32)
    assert sign_test(6, 0) == pytest.approx(2 / 64)
    assert sign_test(3, 9) == pytest.approx(0.146, abs=1e-3)


def test_a_change_is_chance_in_19_of_20_runs_where_nothing_has_changed() -> None:
    chance = random.Random(3)
    told = 0
    for _ in range(RUNS):
        before, after = (judged(fresh(0.8), chance, 30) for _ in range(2))
        told += change(before, after).verdict != "cannot tell"
    assert told <= 5
    worse = change(judged(fresh(0.95), chance), judged(fresh(0.5), chance))
    assert worse.verdict == "worse"
    assert change(judged(fresh(0.5), chance), judged(fresh(0.95), chance)).verdict == "better"


@given(st.lists(st.floats(0, 1), max_size=20))
def test_the_rate_of_cases_is_their_mean(values: list[float]) -> None:
    found = rate(values)
    if not values:
        assert found == Rate(None, 0)
    else:
        assert found.value == pytest.approx(math.fsum(values) / len(values))
