"""What `route` says without a model, as text for people and as JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from skilltool.findings.finding import Severity
from skilltool.lint.result import count_of
from skilltool.report.grid import Column, Word, cell, hanging, table
from skilltool.report.style import BOLD, DIM, GREEN, RED, YELLOW, Style
from skilltool.route.check import VERY_NEAR, Checked, Verdict
from skilltool.route.find_cases import Found
from skilltool.route.lexical import Close
from skilltool.route.problems import Problem

SCHEMA_VERSION = 1
LEXICAL = "lexical: ranks compare words (BM25); they do not predict what a model would call"
_COLUMNS = (
    Column("client"),
    Column("skills listed", numbers=True),
    Column("cases listed", numbers=True),
    Column("ranked first", numbers=True),
    Column("in first 3", numbers=True),
)
_COLORS = {Severity.ERROR: RED, Severity.WARNING: YELLOW, Severity.INFO: DIM}
_MOST_PLACES, _MOST_SKILLS, _MOST_ROWS = 4, 4, 10


class Shown(NamedTuple):
    """What there is to show: the cases, what is said of each client, near skills, and all that is wrong."""

    found: Found
    clients: tuple[Checked, ...]
    near: tuple[Close, ...]
    problems: tuple[Problem, ...]
    prompts: bool = False

    @property
    def worst(self) -> Severity | None:
        """The severity of the worst problem, None if there is none."""
        return max((each.severity for each in self.problems), default=None)


def lines(shown: Shown, details: bool, style: Style) -> Iterator[str]:
    """Yield the report for people; without `details` long lists end after some rows."""
    cases = shown.found.cases
    expecting = sum(bool(each.case.expected) for each in cases)
    if cases:
        where = count_of(len(shown.found.files), "file")
        head = f"{count_of(len(cases), 'case')} in {where}, {expecting:,} with an expected skill"
        yield from (*hanging(cell(head, BOLD), (), 0, style), "")
    yield from _clients(shown.clients, 5 if expecting else 2, style)
    if expecting or shown.near:
        yield from hanging(cell(LEXICAL, DIM), (), 0, style)
    yield from _misranked(shown, details, style)
    yield from _near(shown.near, details, style)
    yield from _problems(shown.problems, details, style)


def _clients(clients: Sequence[Checked], number_of_columns: int, style: Style) -> Iterator[str]:
    rows = []
    for client in clients:
        number = len(client.verdicts)
        every = client.listed == number
        rows.append(
            [
                cell(client.runtime, BOLD),
                cell(f"{len(client.skills):,}"),
                cell(f"{number:,}" if every else f"{client.listed:,} of {number:,}", GREEN if every else RED),
                cell(f"{client.within(1):,}"),
                cell(f"{client.within(3):,}"),
            ][:number_of_columns]
        )
    columns = _COLUMNS[:number_of_columns]
    if rows:
        yield from table(columns, rows, style) or table(columns, rows, style._replace(width=None)) or ()


def _misranked(shown: Shown, details: bool, style: Style) -> Iterator[str]:
    """Yield the cases whose skill is not in the first rank, once for clients that agree."""
    found: dict[tuple[str, str], tuple[Verdict, list[str]]] = {}
    for client in shown.clients:
        for verdict in client.verdicts:
            if verdict.expected and verdict.rank != 1:
                key = (verdict.located.place, _outcome(verdict))
                found.setdefault(key, (verdict, []))[1].append(client.runtime)
    if not found:
        return
    yield ""
    yield from hanging(cell("Words point to a different skill", BOLD), (), 0, style)
    rows = list(found.values())
    for verdict, clients in rows if details else rows[:_MOST_ROWS]:
        ids = f" ({', '.join(clients)})" if len(clients) < len(shown.clients) else ""
        text = f": {_outcome(verdict)}{ids}"
        yield from hanging((Word(verdict.located.place, BOLD),), cell(text), 2, style)
        if shown.prompts:
            yield from hanging((), cell(f'"{_flat(verdict.located.case.prompt)}"', DIM), 4, style)
    yield from _more(len(rows), details, style)


def _outcome(verdict: Verdict) -> str:
    name = f"`{verdict.expected[0]}`"
    if verdict.rank is None:
        other = f"; `{verdict.first}` matches {_words(verdict.words)}" if verdict.first else ""
        return f"{name} matches no word in the prompt{other}"
    if not verdict.words:
        return f"{name} and `{verdict.first}` match the same words: {_words(verdict.own)}"
    return (
        f"{name} is {_ordinal(verdict.rank)}: it matches {_words(verdict.own)}, "
        f"but `{verdict.first}` matches {_words(verdict.words)}"
    )


def _near(near: Sequence[Close], details: bool, style: Style) -> Iterator[str]:
    if not near:
        return
    yield ""
    yield from hanging(cell("Similar descriptions", BOLD), (), 0, style)
    for pair in near if details else near[:_MOST_ROWS]:
        very = ", very similar" if pair.likeness >= VERY_NEAR else ""
        head = f"`{pair.one}` and `{pair.other}`"
        text = f" {pair.likeness:.2f}{very}: both contain {_words(pair.words[:5])}"
        yield from hanging(cell(head), cell(text), 2, style)
    yield from _more(len(near), details, style)


def _problems(problems: Sequence[Problem], details: bool, style: Style) -> Iterator[str]:
    """Yield errors and warnings; notes only with `details`, else their number."""
    chosen = [each for each in problems if details or each.severity > Severity.INFO]
    if chosen:
        yield ""
        yield from hanging(cell("Problems", BOLD), (), 0, style)
    for each in chosen:
        mark = Word(f"{each.severity}[{each.kind}]", _COLORS[each.severity])
        yield from hanging((mark, Word(": ")), cell(sentence(each)), 2, style)
        if each.places:
            yield from hanging((), cell(f"in {_some(each.places, _MOST_PLACES)}", DIM), 4, style)
        if each.help:
            yield from hanging((), cell(f"help: {each.help}", DIM), 4, style)
    notes = len(problems) - len(chosen)
    if notes:
        yield ""
        yield from hanging(
            cell(f"{count_of(notes, 'note')}; use `--details` to show them", DIM), (), 0, style
        )


def sentence(problem: Problem) -> str:
    """Return what is wrong as a clause with its subject: the skills, or the clients."""
    skills = _some([f"`{name}`" for name in problem.skills], _MOST_SKILLS)
    if problem.clients:
        who = _some(problem.clients, _MOST_SKILLS)
        return f"{skills}: {who}: {problem.message}"
    return f"{skills}: {problem.message}" if skills else problem.message


def _more(number: int, details: bool, style: Style) -> Iterator[str]:
    if not details and number > _MOST_ROWS:
        more = f"and {number - _MOST_ROWS:,} more; use `--details` to show them"
        yield from hanging(cell(more, DIM), (), 2, style)


def _some(names: Iterable[str], most: int) -> str:
    every = list(names)
    more = len(every) - most
    return ", ".join(every[:most]) + (f" and {more:,} more" if more > 0 else "")


def _words(words: Sequence[str]) -> str:
    return ", ".join(f"`{word}`" for word in words) or "none"


def _flat(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 160 else f"{flat[:160]}..."


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def data(shown: Shown) -> dict[str, Any]:
    """Return what `route --output-format json` prints; prompts are in it only if they were asked for."""
    return {
        "schema_version": SCHEMA_VERSION,
        "files": list(shown.found.files),
        "outcome_files": list(shown.found.outcomes),
        "cases": [
            {
                "place": each.place,
                "id": each.case.id,
                "expected": None if each.case.expected is None else list(each.case.expected),
                "rejected": list(each.case.rejected),
                **({"prompt": each.case.prompt} if shown.prompts else {}),
            }
            for each in shown.found.cases
        ],
        "lexical": {
            "about": LEXICAL,
            "runtimes": [
                {
                    "runtime": client.runtime,
                    "skills": list(client.skills),
                    "ranks": [_ranked(verdict) for verdict in client.verdicts],
                }
                for client in shown.clients
            ],
            "near": [{**pair._asdict(), "words": list(pair.words)} for pair in shown.near],
        },
        "problems": [
            {
                "severity": str(each.severity),
                "kind": each.kind,
                "message": each.message,
                "help": each.help or None,
                "places": list(each.places),
                "skills": list(each.skills),
                "runtimes": list(each.clients),
            }
            for each in shown.problems
        ],
    }


def _ranked(verdict: Verdict) -> dict[str, Any]:
    return {
        "place": verdict.located.place,
        "listed": list(verdict.expected),
        "rank": verdict.rank,
        "first": verdict.first,
        "words": list(verdict.words),
        "own_words": list(verdict.own),
    }
