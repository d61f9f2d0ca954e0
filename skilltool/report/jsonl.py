"""One JSON object per finding and line, as in `diagnostics` of the JSON report; nothing for a clean run."""

from __future__ import annotations

from skilltool.lint.result import Report
from skilltool.report.as_json import dumps
from skilltool.report.json import entry


def render(report: Report) -> str:
    """Return one line per diagnostic; only ASCII."""
    return "".join(dumps(entry(diagnostic), indent=None) for diagnostic in report.diagnostics)
