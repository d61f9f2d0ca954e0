"""JSON Lines: one object per finding, as in `diagnostics` of the JSON report."""

from __future__ import annotations

from skilltool.lint.result import Report
from skilltool.report.as_json import dumps
from skilltool.report.json import entry


def render(report: Report) -> str:
    """Return one line of ASCII per diagnostic; a clean run prints nothing."""
    return "".join(dumps(entry(diagnostic), indent=None) for diagnostic in report.diagnostics)
