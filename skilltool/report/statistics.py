"""How many findings each rule has: what `--statistics` prints in place of the findings."""

from __future__ import annotations

from collections import Counter

from skilltool.lint.result import Report, summary
from skilltool.report.as_json import dumps
from skilltool.report.audience_lines import audience_lines
from skilltool.report.style import BOLD, OF_SEVERITY, PLAIN, Style
from skilltool.text.printable import SafeText, without_commands

SCHEMA_VERSION = 1


def tally(report: Report, as_json: bool = False, style: Style = PLAIN) -> SafeText:
    """Return one line per rule and severity, the most frequent first, then the summary unless quiet."""
    counts = Counter((diagnostic.rule, diagnostic.severity) for diagnostic in report.diagnostics)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0][0], -row[0][1]))
    if as_json:
        entries = [{"rule": rule, "severity": str(how), "count": count} for (rule, how), count in rows]
        data = {"schema_version": SCHEMA_VERSION, "skills": report.skills, "statistics": entries}
        return dumps(data)
    width = max((len(f"{count:,}") for count in counts.values()), default=0)
    lines = [
        f"{style.paint(f'{count:>{width},}', BOLD)}  {style.paint(f'{how!s:<7}', OF_SEVERITY[how])}  {rule}"
        for (rule, how), count in rows
    ]
    if not style.quiet:
        lines += [*[""][: len(lines)], summary(report), *audience_lines(report.audiences)]
    return without_commands("".join(f"{line}\n" for line in lines))
