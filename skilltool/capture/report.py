"""The report of captures: as data for programs, and as lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skilltool.capture.compare import CHANGED, NOT_CAPTURED, SAME
from skilltool.capture.segments import Difference, shown

SCHEMA_VERSION = 1
FAILED = "failed"
_FIRST = 5  # differences that are shown without --details
LEGEND = "`-` is what `render` prints, `+` is what the client sent"


@dataclass
class Report:
    """One capture of one client.

    `version` is that of the program, None if unknown, `edition` the version that it is compared with. `parts`
    has the outcome of each part, `problem` why there is none, as a predicate. `skills` counts those that were
    there, `listed` the entries, `own` the client's own entries, which are not compared, `called` the calls.
    """

    client: str
    version: str | None
    edition: str
    day: str
    program: str | None = None
    command: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    isolated: bool = False
    seconds: float = 0.0
    cpu: float = 0.0
    skills: int = 0
    listed: int = 0
    own: int = 0
    called: int = 0
    parts: dict[str, str] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    problem: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def outcome(self) -> str:
        """`same`, `changed`, or `failed` if nothing has changed and not all could be compared."""
        if self.problem is not None:
            return FAILED
        if self.changed:
            return CHANGED
        return FAILED if self.missing else SAME

    @property
    def changed(self) -> list[str]:
        """The parts that changed."""
        return [part for part, outcome in self.parts.items() if outcome == CHANGED]

    @property
    def missing(self) -> list[str]:
        """The parts that were not captured."""
        return [part for part, outcome in self.parts.items() if outcome == NOT_CAPTURED]

    @property
    def name(self) -> str:
        """The client with its version."""
        return self.client if self.version is None else f"{self.client} {self.version}"


def data(reports: Sequence[Report]) -> dict[str, Any]:
    """Return what `capture --output-format json` prints."""
    return {"schema_version": SCHEMA_VERSION, "captures": [entry(report) for report in reports]}


def entry(report: Report) -> dict[str, Any]:
    """Return one capture as data."""
    return {
        "client": report.client,
        "version": report.version,
        "edition": report.edition,
        "day": report.day,
        "outcome": report.outcome,
        "problem": report.problem,
        "parts": report.parts,
        "differences": [
            {"part": each.part, "name": each.name, "rendered": each.ours, "captured": each.theirs}
            for each in report.differences
        ],
        "skills": report.skills,
        "listed": report.listed,
        "own_entries": report.own,
        "called": report.called,
        "program": report.program,
        "command": report.command,
        "variables": report.variables,
        "isolated": report.isolated,
        "seconds": round(report.seconds, 2),
        "cpu_seconds": round(report.cpu, 2),
        "left_processes": report.left,
        "notes": report.notes,
    }


def lines(report: Report, details: bool) -> Iterator[str]:
    """Yield the lines about one capture for people."""
    if report.problem is not None:
        yield f"{report.name}: not captured: it {report.problem}"
        return
    edition = f"{report.client} {report.edition}".rstrip()
    if report.changed:
        yield f"{report.name}: differs from {edition}: {', '.join(report.changed)} ({report.seconds:.1f} s)"
    elif report.missing:
        missing = ", ".join(report.missing)
        seconds = f"{report.seconds:.1f} s"
        yield f"{report.name}: not captured: {missing}; the rest is the same as {edition} ({seconds})"
    else:
        yield f"{report.name}: the same as {edition} ({report.seconds:.1f} s)"
    width = max(map(len, report.parts), default=0)
    for part, outcome in report.parts.items():
        yield f"  {part:<{width}}  {outcome}{_about(report, part)}"
    yield from (f"  note: {note}" for note in report.notes)
    chosen = report.differences if details else _first(report.differences)
    for difference in chosen:
        yield ""
        yield f"  {difference.part}: {difference.name}"
        yield from (f"    {line}" for line in shown(difference))
    if more := len(report.differences) - len(chosen):
        yield ""
        yield f"  {more} more {'difference' if more == 1 else 'differences'} (`--details` shows all)"


def _first(differences: Sequence[Difference]) -> list[Difference]:
    """Return the first difference of each part, and then others, up to a few."""
    ones = {difference.part: number for number, difference in reversed([*enumerate(differences)])}
    ranked = sorted(range(len(differences)), key=lambda number: (number not in ones.values(), number))
    return [differences[number] for number in sorted(ranked[:_FIRST])]


def _about(report: Report, part: str) -> str:
    if part == "discovery" and report.parts[part] in (SAME, CHANGED):
        own = f", {report.own} built-in skills not compared" if report.own else ""
        return f" ({report.listed} of {report.skills} skills listed{own})"
    if part == "results" and report.parts[part] in (SAME, CHANGED):
        return f" ({report.called} called)"
    return ""


def listed(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the lines of `--list` for people: a table of clients."""
    titles = {
        "client": "Client",
        "version": "Installed",
        "edition": "Tested",
        "captured": "Captured",
        "outcome": "Outcome",
    }
    texts = [titles, *({key: _text(key, row) for key in titles} for row in rows)]
    widths = {key: max(len(text[key]) for text in texts) for key in titles}
    for text in texts:
        yield "  ".join(f"{text[key]:<{widths[key]}}" for key in titles).rstrip()


def _text(key: str, row: Mapping[str, Any]) -> str:
    if key == "version" and row["program"] is None:
        return "with --python" if row["library"] else "no"
    if key == "outcome" and row["captured"] is not None and not row["is_current"]:
        return f"{row['outcome']}, but the program has changed since"
    value = row[key]
    return "unknown" if key == "version" and value is None else "-" if value is None else str(value)
