"""What an author does in every skill of a library is told once: one setting or one decision answers it.

So it is with descriptions that the open specification allows and the card does not, and with files that have
no frontmatter and that their client loads all the same: a build adds it. The first finding says how many
there are, the others become notes.
"""

from __future__ import annotations

from collections.abc import Sequence

from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.result import count_of
from skilltool.lint.targets import ELSEWHERE
from skilltool.rules import traits_of

_MOST = 1  # findings of a rule that are told one by one


def told_once(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics of a run, of each habit one with its severity and the number of the others."""
    found: dict[str, list[int]] = {}
    for at, diagnostic in enumerate(diagnostics):
        if _may_be_habit(diagnostic):
            found.setdefault(diagnostic.rule, []).append(at)
    told = list(diagnostics)
    for first, *others in (numbers for numbers in found.values() if len(numbers) > _MOST):
        message = f"{told[first].message}; {count_of(len(others), 'more skill')} like this"
        told[first] = told[first]._replace(message=message)
        for at in others:
            told[at] = told[at]._replace(severity=Severity.INFO)
    return told


def _may_be_habit(diagnostic: Diagnostic) -> bool:
    """Return whether a warning is about a habit, or only the card objects to the length of a text."""
    if diagnostic.severity is not Severity.WARNING:
        return False
    traits = traits_of(diagnostic.rule)
    return traits.habitual or (traits.of_length and diagnostic.runtimes == (ELSEWHERE,))
