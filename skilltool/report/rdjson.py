"""The Reviewdog Diagnostic Format, for pull request reviews on many hosts.

Source: https://github.com/reviewdog/reviewdog/tree/master/proto/rdf (as of 2026-11-21). Its columns count
bytes of UTF-8, from 1; where the excerpt lacks the beginning of a long line, only line numbers are given.
"""

from __future__ import annotations

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.result import Report
from skilltool.report.as_json import dumps
from skilltool.text.printable import printable

_SEVERITY = {Severity.ERROR: "ERROR", Severity.WARNING: "WARNING", Severity.INFO: "INFO"}


def render(report: Report) -> str:
    """Return the report as one JSON object."""
    worst = report.worst
    data: dict[str, object] = {"source": {"name": "skilltool"}}
    if worst is not None:
        data["severity"] = _SEVERITY[worst]
    data["diagnostics"] = [_entry(diagnostic) for diagnostic in report.diagnostics]
    return dumps(data)


def _entry(diagnostic: Diagnostic) -> dict[str, object]:
    advice = f"; {diagnostic.help}" if diagnostic.help else ""
    return {
        "message": printable(f"{diagnostic.statement}{advice}"),
        "location": {"path": printable(diagnostic.path), "range": _range(diagnostic)},
        "severity": _SEVERITY[diagnostic.severity],
        "code": {"value": diagnostic.rule},
    }


def _range(diagnostic: Diagnostic) -> dict[str, object]:
    start, end = diagnostic.location.start, diagnostic.location.end
    excerpt = diagnostic.location.excerpt
    before = excerpt.text[: excerpt.start]
    if len(before) != start.column - 1 or end.line != start.line:
        return {"start": {"line": start.line}, "end": {"line": end.line}}
    first = len(before.encode("utf-8", "replace")) + 1
    last = first + len(excerpt.text[excerpt.start : excerpt.end].encode("utf-8", "replace"))
    return {"start": {"line": start.line, "column": first}, "end": {"line": end.line, "column": last}}
