"""What a model called, as text for people and as JSON for programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from skilltool.lint.result import count_of
from skilltool.report.grid import Cell, Column, Word, cell, hanging, head, table
from skilltool.report.style import BOLD, DIM, GREEN, RED, YELLOW, Style
from skilltool.route.measure import NO_SKILL, Change, Measured, Rate, change, measured
from skilltool.route.plan import Side

ABOUT = "based on a model's first answer to a client's listing and tool, not on the whole client"
INTERVALS = "95% Wilson intervals, based on the number of cases; repeats do not narrow them"
_MOST_COLUMNS = 8  # of the table of what is expected and called
_MOST_ROWS = 20


class Asked(NamedTuple):
    """Who was asked, how, and how often for each case; `sent` requests, `kept` answers from earlier runs."""

    model: str
    endpoint: str
    method: str
    repeats: int
    sent: int
    kept: int


def lines(
    asked: Asked,
    sides: Sequence[Side],
    before: Mapping[str, Side],
    revision: str | None,
    details: bool,
    style: Style,
) -> Iterator[str]:
    """Yield the report for people; `before` has by client what was measured in the other revision."""
    head_line = f"{asked.model} at {asked.endpoint}: {count_of(asked.repeats, 'answer')} for each case"
    yield from hanging(cell(head_line, BOLD), (), 0, style)
    yield from hanging(cell(f"{ABOUT}; {INTERVALS}", DIM), (), 0, style)
    for side in sides:
        yield ""
        yield from _client(side, details, style)
        if revision is not None:
            old = before.get(side.plan.runtime)
            yield from _change(None if old is None else change(old.cases, side.cases), revision, style)


def _client(side: Side, details: bool, style: Style) -> Iterator[str]:
    rates = measured(side.cases)
    plan = side.plan
    about = f": {count_of(plan.skills, 'skill')}, {count_of(len(side.cases), 'case')}"
    yield from hanging((Word(plan.runtime, BOLD), Word(about)), (), 0, style)
    yield from hanging((), cell(f"not sent: {'; '.join(plan.left_out)}", DIM), 2, style)
    rows = (("right answers", rates.right), ("recall", rates.recall), ("precision", rates.precision))
    for name, rate in rows:
        yield from hanging(cell(f"{name:<14}"), cell(shown(rate)), 2, style)
    if side.errors:
        total = sum(side.errors.values())
        reasons = ", ".join(f"{number:,} {reason}" for reason, number in side.errors.items())
        mark = Word(f"{count_of(total, 'error')}, not included in any rate: ", YELLOW)
        yield from hanging((mark,), cell(reasons), 2, style)
    if plan.untold:
        number = count_of(len(plan.untold), "case")
        yield from hanging(cell(f"{number} not sent because the skill is not listed", YELLOW), (), 2, style)
    yield from _skills(rates, details, style)
    yield from _table(rates, style)
    yield from _misses(side, details, style)


def shown(rate: Rate) -> str:
    """Return a rate as people read it: a percentage, its interval, and of how many cases."""
    if rate.value is None:
        return "no case"
    return f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%}) of {count_of(rate.cases, 'case')}"


def _skills(rates: Measured, details: bool, style: Style) -> Iterator[str]:
    chosen = [
        skill
        for skill in rates.skills
        if details or min(skill.recall.value or 0.0, skill.precision.value or 0.0) < 1
    ]
    if not chosen:
        return
    rows: list[list[Cell]] = [
        [cell(skill.key), cell(_short(skill.recall)), cell(_short(skill.precision))]
        for skill in chosen[: None if details else _MOST_ROWS]
    ]
    columns = (Column("skill", least=14, shorten=head), Column("recall"), Column("precision"))
    yield ""
    for line in table(columns, rows, style) or table(columns, rows, style._replace(width=None)) or ():
        yield f"  {line}"


def _short(rate: Rate) -> str:
    if rate.value is None:
        return "-"
    return f"{rate.value:.0%} ({rate.low:.0%} to {rate.high:.0%}, {rate.cases})"


def _table(rates: Measured, style: Style) -> Iterator[str]:
    """Yield what is expected and what is called, with the wrong cells marked, where a terminal has room."""
    wrong = {pair for pair in rates.table if pair[0] != pair[1]}
    if not wrong:
        return
    rows = list(dict.fromkeys(expected for expected, _ in wrong))
    often: Counter[str] = Counter()
    for (expected, called), number in rates.table.items():
        often[called] += number if expected in rows else 0
    columns = [called for called, number in often.most_common(_MOST_COLUMNS) if number]
    titles = (Column("expected", least=14, shorten=head), *(Column(name, numbers=True) for name in columns))
    body: list[list[Cell]] = []
    for expected in rows[:_MOST_ROWS]:
        line: list[Cell] = [cell(expected)]
        for called in columns:
            number = rates.table.get((expected, called), 0)
            color = GREEN if expected == called else RED
            line.append(cell(f"{number:,}" if number else "", color))
        body.append(line)
    found = table(titles, body, style)
    if found:
        yield ""
        yield "  called:"
        yield from (f"  {line}" for line in found)


def _misses(side: Side, details: bool, style: Style) -> Iterator[str]:
    """Yield the cases that are not always right, the worst first."""
    missed = [case for case in side.cases if case.rate is not None and case.rate < 1]
    missed.sort(key=lambda case: case.rate or 0.0)
    if missed:
        yield ""
    for case in missed if details else missed[:_MOST_ROWS]:
        called = Counter(name or NO_SKILL for name in case.called)
        what = ", ".join(f"{name} {number}" for name, number in called.most_common())
        text = f"{case.place}: expects {case.wanted}, called {what}"
        yield from hanging((), cell(text), 2, style)
    if not details and len(missed) > _MOST_ROWS:
        more = f"and {len(missed) - _MOST_ROWS:,} more; use `--details` to show them"
        yield from hanging(cell(more, DIM), (), 2, style)


def _change(found: Change | None, revision: str, style: Style) -> Iterator[str]:
    if found is None:
        yield from hanging(
            cell(f"against {revision}: the client has no skills in that revision", DIM), (), 2, style
        )
        return
    color = {"better": GREEN, "worse": RED}.get(found.verdict, YELLOW)
    counts = f"{len(found.better):,} cases better, {len(found.worse):,} worse"
    chance = f"; p = {found.chance:.2f}" if found.better or found.worse else ""
    old, new = found.before.value, found.after.value
    rates = "" if old is None or new is None else f"{old:.0%} before, {new:.0%} now; "
    yield ""
    start = (Word(f"against {revision}: "), Word(found.verdict, color))
    yield from hanging(start, cell(f" ({rates}{counts}{chance})"), 2, style)


def data(
    asked: Asked, sides: Sequence[Side], before: Mapping[str, Side], revision: str | None
) -> dict[str, Any]:
    """Return the part `model` of `route --output-format json`."""
    return {
        **asked._asdict(),
        "about": ABOUT,
        "intervals": INTERVALS,
        "against": revision,
        "runtimes": [_side_data(side, before.get(side.plan.runtime)) for side in sides],
    }


def _side_data(side: Side, old: Side | None) -> dict[str, Any]:
    rates = measured(side.cases)
    found = None if old is None else change(old.cases, side.cases)
    return {
        "runtime": side.plan.runtime,
        "not_sent": list(side.plan.left_out),
        "not_asked": list(side.plan.untold),
        "errors": dict(side.errors),
        "tokens": {"in": side.tokens[0], "out": side.tokens[1]},
        "right": _rate_data(rates.right),
        "recall": _rate_data(rates.recall),
        "precision": _rate_data(rates.precision),
        "skills": [
            {"key": each.key, "recall": _rate_data(each.recall), "precision": _rate_data(each.precision)}
            for each in rates.skills
        ],
        "table": [
            {"expected": expected, "called": called, "answers": number}
            for (expected, called), number in rates.table.items()
        ],
        "cases": [
            {
                "place": case.place,
                "expected": None if case.expected is None else list(case.expected),
                "wanted": case.wanted,
                "called": list(case.called),
                "right": list(map(case.is_right, case.called)),
                "errors": case.errors,
            }
            for case in side.cases
        ],
        "change": None
        if found is None
        else {
            "verdict": found.verdict,
            "before": _rate_data(found.before),
            "after": _rate_data(found.after),
            "better": list(found.better),
            "worse": list(found.worse),
            "chance": found.chance,
        },
    }


def _rate_data(rate: Rate) -> dict[str, Any]:
    return rate._asdict()
