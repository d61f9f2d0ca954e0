"""One line per finding, for terminals, logs and editors that read `path:line:column`."""

from __future__ import annotations

from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint.result import Report, mark_of, summary
from skilltool.report.links import link
from skilltool.report.printable import printable, printable_at_line_start


def render(report: Report, color: bool = False, links: bool = False) -> str:
    """Return the report as text; `color` changes nothing, so that lines can be searched."""
    lines = [line(diagnostic, links) for diagnostic in report.diagnostics]
    return "\n".join([*lines, summary(report)]) + "\n"


def line(diagnostic: Diagnostic, links: bool = False) -> str:
    """Return one diagnostic as `path:line:column: severity[rule]: message`, `[*]` before a fixable one's."""
    start = diagnostic.location.start
    where = f"{printable_at_line_start(diagnostic.path)}:{start.line}:{start.column}"
    if links:
        where = link(diagnostic.path, where)
    message = mark_of(diagnostic) + printable(diagnostic.message)
    return f"{where}: {diagnostic.severity}[{diagnostic.rule}]: {message}"
