"""Workflow commands, which GitHub shows as annotations on changed lines.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions; what the runner
unescapes is in its ActionCommand.cs: `%25 %0D %0A` in data, also `%3A %2C` in properties.
"""

from __future__ import annotations

from collections.abc import Sequence

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.result import Report, count_of
from skilltool.report.concise import line
from skilltool.report.shown import worst_first
from skilltool.text.printable import printable, without_commands

_COMMAND = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}
MOST = 10  # annotations of one kind that GitHub takes from a step ("Limitations" on the same page)


def render(report: Report) -> str:
    """Return a command for each of the worst errors and warnings, and a line for each other one.

    GitHub shows so many of each kind and drops the rest, so that the rest is for whoever reads the log.
    Notes are counted in a sentence (`notes`). A clean run prints nothing.
    """
    found = worst_first([one for one in report.diagnostics if one.severity > Severity.INFO])
    commands: list[Diagnostic] = []
    for severity in (Severity.ERROR, Severity.WARNING):
        commands += [one for one in found if one.severity is severity][:MOST]
    shown = set(commands)
    rest = without_commands("".join(f"{line(one)}\n" for one in found if one not in shown))
    return "".join(f"{_command(one)}\n" for one in commands) + rest


def notes(report: Report) -> Sequence[str]:
    """Return a sentence about the notes, which are no annotations, if there are any."""
    count = report.number(Severity.INFO)
    return (
        (f"{count_of(count, 'note')} not shown; `--output-format full --notes` shows them",) if count else ()
    )


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
    text = diagnostic.statement + (f"; {diagnostic.help}" if diagnostic.help else "")
    where = f"{diagnostic.path}:{start.line}:{start.column}"
    return f"::{_COMMAND[diagnostic.severity]} {listed}::{_data(f'{where}: {text}')}"


def _data(text: str) -> str:
    return printable(text).replace("%", "%25")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
