"""The format for people: the line, a caret under the place, what to do, and a summary."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.diagnostic import Diagnostic, Severity
from skilltool.report.base import Report, summary
from skilltool.report.printable import printable, width

_BOLD, _BLUE = "1", "1;34"
_COLOR = {Severity.ERROR: "1;31", Severity.WARNING: "1;33", Severity.INFO: "1;36"}


def render(report: Report, color: bool = False) -> str:
    """Return the report as text, with ANSI colours if `color`."""
    several = len(report.runtimes) > 1
    blocks = ["\n".join(_block(diagnostic, several, color)) for diagnostic in report.diagnostics]
    return "\n\n".join([*blocks, summary(report)]) + "\n"


def _block(diagnostic: Diagnostic, several: bool, color: bool) -> Iterator[str]:
    def paint(text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if color else text

    place = diagnostic.place
    number = str(place.start.line)
    margin = " " * len(number)
    bar = paint("|", _BLUE)
    tone = _COLOR[diagnostic.severity]
    head = paint(f"{diagnostic.severity}[{diagnostic.rule}]", tone)
    yield f"{head}{paint(': ' + printable(diagnostic.message), _BOLD)}"
    arrow = paint("-->", _BLUE)
    yield f"{margin}{arrow} {printable(diagnostic.path)}:{place.start.line}:{place.start.column}"
    excerpt = place.excerpt
    if excerpt.text.strip():
        before = excerpt.text[: excerpt.start]
        marked = excerpt.text[excerpt.start : excerpt.end]
        carets = paint("^" * max(width(marked), 1), tone)
        yield f"{margin} {bar}"
        yield f"{paint(number, _BLUE)} {bar} {printable(excerpt.text).rstrip()}"
        yield f"{margin} {bar} {' ' * width(before)}{carets}"
    if diagnostic.help:
        yield f"{margin} {paint('=', _BLUE)} help: {printable(diagnostic.help)}"
    if several:
        yield f"{margin} {paint('=', _BLUE)} for: {', '.join(diagnostic.runtimes)}"
