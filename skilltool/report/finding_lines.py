"""Lines about findings for people: the headline, the line it points at, and what follows the last finding."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from skilltool.findings.diagnostic import Diagnostic, Excerpt
from skilltool.findings.finding import Severity
from skilltool.lint.result import FIX_MARK, Report, count_of, fixable, is_fixable, summary
from skilltool.lint.targets import Audience
from skilltool.report.as_json import dumps
from skilltool.report.grid import ELLIPSIS, Cluster, clusters
from skilltool.report.shown import Selection, folded_notes
from skilltool.report.style import BOLD, CYAN, OF_SEVERITY, PLAIN, Style
from skilltool.text.printable import (
    SafeText,
    display_width,
    printable,
    printable_characters,
    without_commands,
)

_MOST = 6  # groups of skills


def audience_lines(audiences: Mapping[str, Audience]) -> Iterator[str]:
    """Yield a line per group of skills, the largest first, if they were checked against different runtimes.

    `audiences` has the path of each skill. The last line names the clients whose rules are not known.
    """
    groups = Counter(audience.names for audience in audiences.values()).most_common()
    if len(groups) > 1:
        yield "checked against:"
        rows = [(count_of(count, "skill"), names) for names, count in groups[:_MOST]]
        width = max(len(count) for count, _ in rows)
        yield from (f"  {count:>{width}}  {names}" for count, names in rows)
        if len(groups) > _MOST:
            yield f"  and {count_of(sum(count for _, count in groups[_MOST:]), 'skill')} for other runtimes"
    unknown = sorted({client for audience in audiences.values() for client in audience.clients})
    if unknown:
        names = ", ".join(f"`{name}`" for name in unknown)
        whose = "its" if len(unknown) == 1 else "their"
        yield f"not checked against {names}: {whose} rules are not known"


# After so many findings the first ones have scrolled away.
_MANY = 30
_MOST_RULES = 10


def closing(report: Report, selection: Selection, style: Style, hint: bool = True) -> list[str]:
    """Return the paragraphs after the findings, none if `style` is quiet.

    `selection` is what is shown of the report; `hint` adds the command that explains a finding.
    """
    if style.quiet:
        return []
    notes = folded_notes(selection.notes)
    lines = [
        summary(report, notes=style.notes),
        *([notes] if notes else []),
        *audience_lines(report.audiences),
        *_fixable(report, style),
        *(_hint(report) if hint and selection.findings else ()),
    ]
    left_out = ["\n".join(selection.closing)] if selection.left_out else []
    counted = [one for one in report.diagnostics if style.notes or one.severity > Severity.INFO]
    tail = ["\n".join(_by_rule(counted, style))] if len(counted) > _MANY else []
    return [*left_out, *tail, "\n".join(lines)]


def _by_rule(diagnostics: Sequence[Diagnostic], style: Style) -> Iterator[str]:
    """Yield a table of the most frequent rules: how many findings, their severities, the rule."""
    counts = Counter(diagnostic.rule for diagnostic in diagnostics)
    severities: dict[str, set[Severity]] = {rule: set() for rule in counts}
    for diagnostic in diagnostics:
        severities[diagnostic.rule].add(diagnostic.severity)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    # A line for one more rule is as long as one that says so.
    shown = rows if len(rows) == _MOST_RULES + 1 else rows[:_MOST_RULES]
    texts = {rule: ", ".join(map(str, sorted(severities[rule], reverse=True))) for rule, _ in shown}
    number_width = len(f"{rows[0][1]:,}")
    text_width = max(map(len, texts.values()))
    yield style.paint(f"{len(diagnostics):,} findings by rule:", BOLD)
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
        worst = next(diagnostic for diagnostic in report.diagnostics if diagnostic.severity is report.worst)
        yield f"for more on a finding, run `skilltool rule {worst.rule}`"


def severity_and_rule(diagnostic: Diagnostic, style: Style) -> str:
    """Return `severity[rule]`, in the colour of the severity."""
    return style.paint(f"{diagnostic.severity}[{diagnostic.rule}]", OF_SEVERITY[diagnostic.severity])


def message(diagnostic: Diagnostic, style: Style, bold: bool = False) -> str:
    """Return the message, after `[*]` where `--fix` fixes the finding."""
    text = printable(diagnostic.message)
    mark = f"{style.paint(FIX_MARK, CYAN)} " if is_fixable(diagnostic) else ""
    return mark + (style.paint(text, BOLD) if bold else text)


def located(diagnostic: Diagnostic, path: str, style: Style) -> str:
    """Return `path:line:column` as a link to the file; `path` is how it is printed."""
    start = diagnostic.location.start
    colon = style.paint(":", CYAN)
    where = f"{style.paint(path, BOLD)}{colon}{start.line}{colon}{start.column}"
    return style.link(diagnostic.path, where)


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


class Snippet(NamedTuple):
    """One printable line, and the carets under it: `indent` cells before the first, then `carets` of them."""

    line: str
    indent: int
    carets: int


def snippet(excerpt: Excerpt, width: int) -> Snippet:
    """Cut an excerpt to at most `width` cells, carets included; what is cut off is an ellipsis.

    The beginning of the finding always stays, and as much of the rest of it as fits.
    """
    parts = clusters(_marked_characters(excerpt))
    first, stop = _span(parts, excerpt)
    begin, end = _window([part.width for part in parts], first, stop, width)
    start = ELLIPSIS if begin else ""
    before = start + "".join(part.text for part in parts[begin:first])
    marked = "".join(part.text for part in parts[first : min(stop, end)])
    after = "".join(part.text for part in parts[stop:end]) + (ELLIPSIS if end < len(parts) else "")
    indent = display_width(before)
    carets = max(display_width(before + marked) - indent, 1)
    return Snippet((before + marked + after).rstrip(), indent, carets)


_TAB = 4  # cells between two tab stops


def _marked_characters(excerpt: Excerpt) -> list[str]:
    """Return the characters to show: no spaces at the end, but all that carets stand under."""
    last = max(len(excerpt.text.rstrip()), excerpt.end, excerpt.start + 1)
    characters = printable_characters(excerpt.text)[:last]
    if "\t" in excerpt.text:
        used = 0
        for number, character in enumerate(excerpt.text[:last]):
            if character == "\t":
                characters[number] = " " * (_TAB - used % _TAB)
            used += display_width(characters[number])
    return characters if len(characters) == last else [*characters, " "]  # after the end of the line


def _span(parts: list[Cluster], excerpt: Excerpt) -> tuple[int, int]:
    """Return the clusters that the finding touches, at least one, as a range."""
    stops = list(accumulate([part.length for part in parts]))
    last = max(excerpt.end, excerpt.start + 1)
    return bisect_right(stops, excerpt.start), bisect_left(stops, last) + 1


def _window(widths: list[int], first: int, stop: int, room: int) -> tuple[int, int]:
    """Return the range of clusters to show: part of what is before the finding, of it, and of what is after.

    The finding gets two thirds of the room, what is before it one, and then each what the others leave.
    """
    sums = [0, *accumulate(widths)]
    count = len(widths)
    if sums[count] <= room:
        return 0, count

    def fits(begin: int, end: int) -> bool:
        cut = (begin > 0) + (end < count)
        return sums[end] - sums[begin] + cut <= room

    begin, end = first, first + 1
    while end < stop and sums[end + 1] - sums[first] <= room - room // 3 and fits(begin, end + 1):
        end += 1
    while begin > 0 and sums[first] - sums[begin - 1] <= room // 3 and fits(begin - 1, end):
        begin -= 1
    while end < count and fits(begin, end + 1):
        end += 1
    while begin > 0 and fits(begin - 1, end):
        begin -= 1
    return begin, end
