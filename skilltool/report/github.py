"""Workflow commands, which GitHub shows as annotations on changed lines.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions; what the runner
unescapes is in its ActionCommand.cs: `%25 %0D %0A` in data, also `%3A %2C` in properties.
"""

from __future__ import annotations

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.result import Report
from skilltool.text.printable import printable

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(report: Report) -> str:
    """Return one command per diagnostic, and nothing else: a clean run prints nothing."""
    return "".join(_command(diagnostic) + "\n" for diagnostic in report.diagnostics)


def _command(diagnostic: Diagnostic) -> str:
    start, end = diagnostic.location.start, diagnostic.location.end
    properties = {
        "title": f"skilltool ({diagnostic.rule})",
        "file": diagnostic.path,
        "line": str(start.line),
        "col": str(start.column),
        "endLine": str(end.line),
        "endColumn": str(end.column),
    }
    listed = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    text = diagnostic.message + (f"; {diagnostic.help}" if diagnostic.help else "")
    where = f"{diagnostic.path}:{start.line}:{start.column}"
    return f"::{_COMMAND[diagnostic.severity]} {listed}::{_data(f'{where}: {text}')}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
