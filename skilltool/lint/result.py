"""What a report is made from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from skilltool.findings.diagnostic import Diagnostic, Suppressed
from skilltool.findings.finding import Severity

if TYPE_CHECKING:
    from skilltool.lint.matrix import Row


class Report(NamedTuple):
    """The result of a run: sorted diagnostics, how many skills were checked, and for which targets.

    `matrix` has a row per skill where it was asked for. `suppressed` are the findings that somebody decided
    to live with; they are not among the diagnostics, and only SARIF, which has a place for them, shows more
    of them than their number. `problems` says in words for a user what could not be read or checked.
    """

    diagnostics: Sequence[Diagnostic]
    skills: int
    runtimes: tuple[str, ...]
    matrix: tuple[Row, ...] = ()
    suppressed: Sequence[Suppressed] = ()
    problems: tuple[str, ...] = ()

    @property
    def accepted(self) -> int:
        """How many findings a baseline accepts."""
        return sum(each.by == "baseline" for each in self.suppressed)

    @property
    def ignored(self) -> int:
        """How many findings a comment or a setting switches off."""
        return len(self.suppressed) - self.accepted

    def number(self, severity: Severity) -> int:
        """Return how many diagnostics have this severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)

    @property
    def worst(self) -> Severity | None:
        """The highest severity found, None where nothing was."""
        return max((diagnostic.severity for diagnostic in self.diagnostics), default=None)


def summary(report: Report) -> str:
    """Return one line that counts what was found, for people."""
    if not report.skills:
        return "no skill checked"
    checked = count_of(report.skills, "skill")
    hidden = [f"{report.ignored:,} ignored"] if report.ignored else []
    hidden += [f"{report.accepted:,} in the baseline"] if report.accepted else []
    behind = f" ({', '.join(hidden)})" if hidden else ""
    if not report.diagnostics:
        return f"{checked} checked, no findings{behind}"
    concerned = len({diagnostic.path for diagnostic in report.diagnostics})
    counts = [count_of(n, str(s)) for s in sorted(Severity, reverse=True) if (n := report.number(s))]
    return f"{', '.join(counts)} in {concerned} of {checked}{behind}"


def mark_of(diagnostic: Diagnostic) -> str:
    """Return `[*] ` for a finding that `--fix` fixes, else nothing."""
    return "[*] " if diagnostic.fix is not None and diagnostic.fix.safe else ""


def fixable(report: Report) -> str:
    """Return a line that counts what can be fixed, for people; nothing where nothing can."""
    fixes = [diagnostic.fix for diagnostic in report.diagnostics if diagnostic.fix is not None]
    safe = sum(fix.safe for fix in fixes)
    unsafe = len(fixes) - safe
    if safe:
        more = f" ({unsafe:,} more with `--unsafe-fixes`)" if unsafe else ""
        return f"[*] {safe:,} fixable with `--fix`{more}\n"
    return f"{unsafe:,} fixable with `--fix --unsafe-fixes`\n" if unsafe else ""


def count_of(number: int, noun: str) -> str:
    """Return a number and its noun, `1 skill` or `2,000 skills`; `info` has no plural."""
    return f"{number:,} {noun}" if number == 1 or noun == "info" else f"{number:,} {noun}s"
