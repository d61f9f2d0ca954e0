"""How often each rule found something: what `--statistics` prints in place of the findings."""

from __future__ import annotations

import json
from collections import Counter

from skilltool.report.base import Report, summary

SCHEMA_VERSION = 1


def tally(report: Report, as_json: bool = False) -> str:
    """Return one line per rule, the most frequent first: count, worst severity, rule; then the summary."""
    counts = Counter(diagnostic.rule for diagnostic in report.diagnostics)
    worst = {rule: max(each.severity for each in report.diagnostics if each.rule == rule) for rule in counts}
    rules = sorted(counts, key=lambda rule: (-counts[rule], rule))
    if as_json:
        entries = [{"rule": rule, "severity": str(worst[rule]), "count": counts[rule]} for rule in rules]
        data = {"schema_version": SCHEMA_VERSION, "skills": report.skills, "statistics": entries}
        return json.dumps(data, indent=2) + "\n"
    width = max((len(f"{count:,}") for count in counts.values()), default=0)
    lines = [f"{counts[rule]:>{width},}  {worst[rule]!s:<7}  {rule}" for rule in rules]
    return "\n".join([*lines, *[""][: len(lines)], summary(report)]) + "\n"
