"""A Code Quality report, which GitLab shows in merge requests.

Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format (as of 2026-11-21).
"""

from __future__ import annotations

import hashlib
from collections import Counter

from skilltool.findings.finding import Severity
from skilltool.lint.result import Report
from skilltool.report.as_json import dumps
from skilltool.text.printable import printable

_SEVERITY = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.INFO: "info"}


def render(report: Report) -> str:
    """Return a JSON list; each finding has a unique fingerprint that stays when it moves to another line."""
    seen: Counter[tuple[str, str]] = Counter()
    entries = []
    for diagnostic in report.diagnostics:
        seen[diagnostic.path, diagnostic.fingerprint] += 1
        number = seen[diagnostic.path, diagnostic.fingerprint]
        parts = f"{diagnostic.path}\0{diagnostic.fingerprint}\0{number}"
        location = diagnostic.location
        advice = f"; {diagnostic.help}" if diagnostic.help else ""
        entries.append(
            {
                "description": printable(f"{diagnostic.statement}{advice}"),
                "check_name": diagnostic.rule,
                "fingerprint": hashlib.sha256(parts.encode("utf-8", "surrogatepass")).hexdigest(),
                "severity": _SEVERITY[diagnostic.severity],
                "location": {
                    "path": printable(diagnostic.path),
                    "lines": {"begin": location.start.line, "end": location.end.line},
                },
            }
        )
    return dumps(entries)
