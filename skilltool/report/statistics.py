"""How often each rule found something: what `--statistics` prints in place of the findings."""

from __future__ import annotations

import json
from collections import Counter

from skilltool.lint.result import Report, summary

SCHEMA_VERSION = 1


def tally(report: Report, as_json: bool = False) -> str:
    """Return one line per rule and severity, the most frequent first; then the summary."""
    counts = Counter((diagnostic.rule, diagnostic.severity) for diagnostic in report.diagnostics)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0][0], -row[0][1]))
    if as_json:
        entries = [{"rule": rule, "severity": str(how), "count": count} for (rule, how), count in rows]
        data = {"schema_version": SCHEMA_VERSION, "skills": report.skills, "statistics": entries}
        return json.dumps(data, indent=2) + "\n"
    width = max((len(f"{count:,}") for count in counts.values()), default=0)
    lines = [f"{count:>{width},}  {how!s:<7}  {rule}" for (rule, how), count in rows]
    return "\n".join([*lines, *[""][: len(lines)], summary(report)]) + "\n"
