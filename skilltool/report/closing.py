"""What follows the findings in a report for people: rules by frequency, the summary, what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from skilltool.findings.finding import Severity
from skilltool.lint.result import FIX_MARK, Report, fixable, summary
from skilltool.report.audience_lines import audience_lines
from skilltool.report.style import BOLD, CYAN, OF_SEVERITY, Style

# After so many findings the first ones have scrolled away.
_MANY = 30
_MOST_RULES = 10


def closing(report: Report, style: Style, hint: bool = True) -> list[str]:
    """Return the paragraphs after the findings, none if `style` is quiet.

    `hint` adds the command that explains a finding.
    """
    if style.quiet:
        return []
    lines = [
        summary(report),
        *audience_lines(report.audiences),
        *_fixable(report, style),
        *(_hint(report) if hint else ()),
    ]
    tail = ["\n".join(_by_rule(report, style))] if len(report.diagnostics) > _MANY else []
    return [*tail, "\n".join(lines)]


def _by_rule(report: Report, style: Style) -> Iterator[str]:
    """Yield a table of the most frequent rules: how many findings, their severities, the rule."""
    counts = Counter(diagnostic.rule for diagnostic in report.diagnostics)
    severities: dict[str, set[Severity]] = {rule: set() for rule in counts}
    for diagnostic in report.diagnostics:
        severities[diagnostic.rule].add(diagnostic.severity)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    # A line for one more rule is as long as one that says so.
    shown = rows if len(rows) == _MOST_RULES + 1 else rows[:_MOST_RULES]
    texts = {rule: ", ".join(map(str, sorted(severities[rule], reverse=True))) for rule, _ in shown}
    number_width = len(f"{rows[0][1]:,}")
    text_width = max(map(len, texts.values()))
    yield style.paint(f"{len(report.diagnostics):,} findings by rule:", BOLD)
    for rule, count in shown:
        gap = " " * (text_width - len(texts[rule]))
        severity = style.paint(texts[rule], OF_SEVERITY[max(severities[rule])])
        yield f"  {count:>{number_width},}  {severity}{gap}  {rule}"
    if len(rows) > len(shown):
        yield f"  and {len(rows) - len(shown):,} more rules; `skilltool lint --statistics` counts them all"


def _fixable(report: Report, style: Style) -> Iterator[str]:
    line = fixable(report)
    if line:
        mark = FIX_MARK if line.startswith(FIX_MARK) else ""
        yield style.paint(mark, CYAN) + line.removeprefix(FIX_MARK)


def _hint(report: Report) -> Iterator[str]:
    """Yield the command that explains a finding: one of the worst, of those the first."""
    if report.diagnostics:
        worst = next(each for each in report.diagnostics if each.severity is report.worst)
        yield f"for more on a finding, run `skilltool rule {worst.rule}`"
