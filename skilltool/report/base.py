"""What a report is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skilltool.diagnostic import Diagnostic, Severity
from skilltool.matrix import Row


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a run: sorted diagnostics, how many skills were checked, and for which targets.

    `matrix` has a row per skill where it was asked for.
    """

    diagnostics: Sequence[Diagnostic]
    skills: int
    runtimes: tuple[str, ...]
    matrix: tuple[Row, ...] = ()

    def count(self, severity: Severity) -> int:
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
    checked = _counted(report.skills, "skill")
    if not report.diagnostics:
        return f"{checked} checked, no findings"
    concerned = len({diagnostic.path for diagnostic in report.diagnostics})
    counts = [_counted(n, str(s)) for s in sorted(Severity, reverse=True) if (n := report.count(s))]
    return f"{', '.join(counts)} in {concerned} of {checked}"


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 or noun == "info" else f"{number:,} {noun}s"
