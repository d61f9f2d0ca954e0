"""Which findings a report for people shows: the worst first, equal ones once, notes folded, not too many.

Programs get every finding (`json`, `sarif`, `junit`, ...); a person reads the first screen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.result import Report, count_of, is_fixable
from skilltool.report.style import Style
from skilltool.rules import GROUP_OF, NAMES
from skilltool.rules.traits import traits_of
from skilltool.text.printable import printable

_MOST_LINES = 30  # of one skill, but at least one finding
_MOST_SKILLS = 5  # that are named where findings are left out
_MOST_PLACES = 5  # that are named of equal findings
_MOST_OF_CAUSE = 3  # errors that are shown one by one
_MOST_NOTES = 4  # rules that are named in the line about notes


class Shown(NamedTuple):
    """A finding that is shown, and those that say the same and are not: in the same file, or in copies."""

    diagnostic: Diagnostic
    elsewhere: tuple[Diagnostic, ...] = ()

    @property
    def places(self) -> str:
        """Where else it is, for people: "also on lines 12 and 40", "also in 97 other files, such as b.md"."""
        path, own = self.diagnostic.path, self.diagnostic.location.start.line
        here = [one.location.start.line for one in self.elsewhere if one.path == path]
        lines = sorted({line for line in here if line != own})
        copies = sorted({one.path for one in self.elsewhere if one.path != path})
        parts = [f"{here.count(own) + 1:,} times on this line"] if own in here else []
        if lines:
            named = ", ".join(map(str, lines[:_MOST_PLACES]))
            more = f" and {len(lines) - _MOST_PLACES:,} more" if len(lines) > _MOST_PLACES else ""
            parts.append(f"also on line{'s' if len(lines) > 1 else ''} {named}{more}")
        if copies:
            named = printable(copies[0])
            other = f"{len(copies):,} other files, such as {named}" if len(copies) > 1 else named
            parts.append(f"also in {other}")
        return "; ".join(parts)


class Selection(NamedTuple):
    """The findings that are shown with their lines, how many are left out of each directory, and the notes.

    `notes` counts the folded notes by rule; empty where they are shown.
    """

    findings: list[tuple[Shown, Sequence[str]]]
    left_out: Counter[str]
    notes: Counter[str]

    @property
    def closing(self) -> list[str]:
        """A line per directory with findings that are left out, the one with the most first."""
        ranked = self.left_out.most_common()
        lines = [
            f"and {count:,} more in {printable(directory or '.')}; `--no-limit` shows all"
            for directory, count in ranked[:_MOST_SKILLS]
        ]
        rest = ranked[_MOST_SKILLS:]
        if rest:
            total = sum(count for _, count in rest)
            lines.append(f"and {total:,} more in {len(rest):,} other directories; `--no-limit` shows all")
        return lines


def select(report: Report, style: Style, lines_of: Callable[[Shown], Sequence[str]]) -> Selection:
    """Return what `style` shows of a report; `lines_of` makes the lines of a finding."""
    least = Severity.INFO if style.notes else Severity.WARNING
    notes = Counter(one.rule for one in report.diagnostics if one.severity < least)
    kept = [one for one in report.diagnostics if one.severity >= least]
    findings: list[tuple[Shown, Sequence[str]]] = []
    used: Counter[str] = Counter()
    left_out: Counter[str] = Counter()
    for shown in once(worst_first(kept), style.limit):
        directory = shown.diagnostic.directory
        lines = lines_of(shown)
        if style.limit and (
            left_out[directory] or (used[directory] and used[directory] + len(lines) > _MOST_LINES)
        ):
            left_out[directory] += 1 + len(shown.elsewhere)
            continue
        used[directory] += len(lines)
        findings.append((shown, lines))
    return Selection(findings, +left_out, notes)


def worst_first(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics by severity; of equal ones what harms first and lengths last, then in order."""
    return sorted(
        diagnostics,
        key=lambda one: (-one.severity, GROUP_OF.get(one.rule) != "safety", _is_of_length(one)),
    )


def _is_of_length(diagnostic: Diagnostic) -> bool:
    return diagnostic.rule in NAMES and traits_of(diagnostic.rule).of_length


def once(diagnostics: Sequence[Diagnostic], limit: bool = True) -> list[Shown]:
    """Return each finding with the equal ones after it: in its file, or at the same place in a copy of it.

    Files are copies of each other here if they have one name, and the findings one text and message; of
    SKILL.md also the skill's name. The line may differ: a copy may have a header of its own. Of some rules
    (`once_a_run`) the same message tells nothing new anywhere. With `limit`, so it is with more than three
    errors that share a cause.
    """
    causes = Counter((one.rule, one.cause) for one in diagnostics if one.cause and limit)
    first: dict[tuple[object, ...], Diagnostic] = {}
    elsewhere: dict[Diagnostic, list[Diagnostic]] = {}
    for one in diagnostics:
        said = (one.rule, one.severity, one.message, is_fixable(one))
        name = one.path.rpartition("/")[2], "" if one.file else one.skill
        in_file: tuple[object, ...] = (*said, one.path)
        in_copy: tuple[object, ...] = (*said, *name, one.location.digest)
        if one.rule in NAMES and traits_of(one.rule).once_a_run:
            in_copy = said
        elif causes[one.rule, one.cause] > _MOST_OF_CAUSE and one.severity is Severity.ERROR:
            in_copy = (one.rule, one.severity, one.cause)
        same = first.get(in_file) or first.get(in_copy)
        if same is None:
            elsewhere[one] = []
        else:
            elsewhere[same].append(one)
        first.setdefault(in_file, same or one)
        first.setdefault(in_copy, same or one)
    return [_nearest_first(one, others) for one, others in elsewhere.items()]


def _nearest_first(one: Diagnostic, others: Sequence[Diagnostic]) -> Shown:
    """Return equal findings, of copies first that with the fewest directories: others are made from it."""
    first, *rest = sorted((one, *others), key=lambda each: each.path.count("/"))
    return Shown(first, tuple(rest))


def folded_notes(notes: Counter[str]) -> str:
    """Return the line that stands for folded notes, "35 notes: 12 unknown-field, ...", empty for none."""
    if not notes:
        return ""
    ranked = sorted(notes.items(), key=lambda row: (-row[1], row[0]))
    named = [f"{count:,} {rule}" for rule, count in ranked[:_MOST_NOTES]]
    named += ["..."] if len(ranked) > _MOST_NOTES else []
    return f"{count_of(notes.total(), 'note')}: {', '.join(named)}; `--notes` shows them"
