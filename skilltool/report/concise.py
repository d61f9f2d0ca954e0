"""One line per finding, for terminals, logs and editors that read `path:line:column`."""

from __future__ import annotations

from skilltool.diagnostic import Diagnostic
from skilltool.report.base import Report, summary
from skilltool.report.printable import led, printable


def render(report: Report, color: bool = False) -> str:
    """Return the report as text; `color` changes nothing, so that lines can be searched."""
    return "\n".join([*map(line, report.diagnostics), summary(report)]) + "\n"


def line(diagnostic: Diagnostic) -> str:
    """Return one diagnostic as `path:line:column: severity[rule]: message`."""
    start = diagnostic.place.start
    where = f"{led(diagnostic.path)}:{start.line}:{start.column}"
    return f"{where}: {diagnostic.severity}[{diagnostic.rule}]: {printable(diagnostic.message)}"
