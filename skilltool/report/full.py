"""The format for people: the line, a caret under the place, what to do, and a summary."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from typing import TYPE_CHECKING

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.result import Report, fixable, mark_of, summary
from skilltool.report.links import link
from skilltool.report.printable import display_width, printable, printable_at_line_start

if TYPE_CHECKING:
    from skilltool.lint.matrix import Cell

_BOLD, _BLUE = "1", "1;34"
_LONGEST_KEY = 24
_COLOR = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}


def render(report: Report, color: bool = False, links: bool = False) -> str:
    """Return the report as text, with ANSI colours if `color`, its paths as hyperlinks if `links`."""
    several = len(report.runtimes) > 1
    blocks = ["\n".join(_block(diagnostic, several, color, links)) for diagnostic in report.diagnostics]
    table = ["\n".join(_matrix(report, links))] if report.matrix else []
    return "\n\n".join([*blocks, *table, summary(report)]) + "\n" + fixable(report)


def _matrix(report: Report, links: bool) -> Iterator[str]:
    """Yield a table: a line per skill, a column per target."""
    places = [row.path.rpartition("/")[0] or "." for row in report.matrix]
    common = places[0].rpartition("/")[0] if len(places) == 1 else posixpath.commonpath(places)
    rows = [[printable_at_line_start(f"{common}/") if common else "", *report.runtimes]]
    for place, row in zip(places, report.matrix, strict=True):
        cells = [_cell(row.skill, row.cells.get(name)) for name in report.runtimes]
        rows.append([printable_at_line_start(place.removeprefix(common).removeprefix("/") or "."), *cells])
    widths = [max(map(display_width, column)) for column in zip(*rows, strict=True)]
    for directory, texts in zip((None, *places), rows, strict=True):
        gaps = [" " * (wide - display_width(text)) for text, wide in zip(texts, widths, strict=True)]
        if links and directory is not None:
            texts[0] = link(directory, texts[0])
        yield "  ".join(map("".join, zip(texts, gaps, strict=True))).rstrip()


def _cell(skill: str, cell: Cell | None) -> str:
    if cell is None:
        return "-"
    words = [cell.state] if cell.key in (None, skill) else [f"as {_short(str(cell.key))}"]
    words += ["cut"] if cell.cut else []
    words += ["unlisted"] if cell.state == "loaded" and not cell.listed else []
    return ", ".join(words)


def _block(diagnostic: Diagnostic, several: bool, color: bool, links: bool) -> Iterator[str]:
    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if color else text

    location = diagnostic.location
    number = str(location.start.line)
    margin = " " * len(number)
    bar = paint("|", _BLUE)
    tone = _COLOR[diagnostic.severity]
    head = paint(f"{diagnostic.severity}[{diagnostic.rule}]", tone)
    yield f"{head}{paint(': ' + mark_of(diagnostic) + printable(diagnostic.message), _BOLD)}"
    arrow = paint("-->", _BLUE)
    where = f"{printable(diagnostic.path)}:{location.start.line}:{location.start.column}"
    yield f"{margin}{arrow} {link(diagnostic.path, where) if links else where}"
    excerpt = location.excerpt
    if excerpt.text.strip():
        before = excerpt.text[: excerpt.start]
        marked = excerpt.text[excerpt.start : excerpt.end]
        carets = paint("^" * max(display_width(marked), 1), tone)
        yield f"{margin} {bar}"
        yield f"{paint(number, _BLUE)} {bar} {printable(excerpt.text).rstrip()}"
        yield f"{margin} {bar} {' ' * display_width(before)}{carets}"
    if diagnostic.help:
        yield f"{margin} {paint('=', _BLUE)} help: {printable(diagnostic.help)}"
    if several:
        yield f"{margin} {paint('=', _BLUE)} for: {', '.join(diagnostic.runtimes)}"


def _short(key: str) -> str:
    shown = printable(key)
    return shown if len(shown) <= _LONGEST_KEY else f"{shown[: _LONGEST_KEY - 1]}\u2026"
