"""Asks all that is planned, and puts the answers together, by client and case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from skilltool.route.ask import Endpoint, Kept, Limits, Outcome, Request, ask
from skilltool.route.measure import Judged
from skilltool.route.plan import ClientPlan, Side


def requests_of(plans: Sequence[ClientPlan], repeats: int) -> list[Request]:
    """Return all requests: every case once before any is repeated, so that a run that ends early has all."""
    return [
        Request(question.body, plan.reader, repeat)
        for repeat in range(repeats)
        for plan in plans
        for question in plan.questions
    ]


def run(
    at: Endpoint,
    plans: Sequence[ClientPlan],
    repeats: int,
    limits: Limits,
    kept: Kept,
    told: Callable[[int, int], None] | None = None,
) -> list[Side]:
    """Return what was called for each client, in the order of the plans; raises as `ask` does."""
    outcomes = ask(at, requests_of(plans, repeats), limits, kept, told)
    number = sum(len(plan.questions) for plan in plans)
    sides, start = [], 0
    for plan in plans:
        end = start + len(plan.questions)
        mine = [outcomes[repeat * number + start : repeat * number + end] for repeat in range(repeats)]
        sides.append(_side(plan, mine))
        start = end
    return sides


def _side(plan: ClientPlan, by_repeat: Sequence[Sequence[Outcome]]) -> Side:
    cases = []
    for number, question in enumerate(plan.questions):
        answers = [outcomes[number] for outcomes in by_repeat]
        called = tuple(next(iter(each.called), None) for each in answers if each.error is None)
        errors = len(answers) - len(called)
        cases.append(Judged(question.place, question.expected, question.rejected, called, errors))
    every = [outcome for outcomes in by_repeat for outcome in outcomes]
    reasons = Counter(outcome.error for outcome in every if outcome.error is not None)
    asked = [outcome.tokens for outcome in every if not outcome.kept]
    tokens = (sum(taken for taken, _ in asked), sum(given for _, given in asked))
    return Side(plan, tuple(cases), dict(reasons), tokens)
