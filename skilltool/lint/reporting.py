"""From what was found in skills to a report: less what is suppressed or accepted, and for whom it holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from skilltool.findings.diagnostic import Diagnostic, Suppressed, numbered
from skilltool.lint.audience import Audience, audience_of, depends_on_place
from skilltool.lint.result import Report
from skilltool.lint.settings import Settings
from skilltool.rules.records import CheckedSkill


def report_of_one(checked: CheckedSkill, settings: Settings) -> Report:
    """Return the report on one skill that was checked."""
    kept, hidden = suppressed([checked], checked.diagnostics, settings)
    audiences = audiences_of([checked], settings)
    return Report(kept, 1, runtimes_of(audiences, settings), suppressed=hidden, audiences=audiences)


def audiences_of(checked: Sequence[CheckedSkill], settings: Settings) -> dict[str, Audience]:
    """Return for whom each skill was checked, by the path of its file; empty where all are checked alike."""
    if not depends_on_place(settings):
        return {}
    return {one.record.path: audience_of(settings, one.record.directory) for one in checked}


def runtimes_of(audiences: Mapping[str, Audience], settings: Settings) -> tuple[str, ...]:
    """Return the ids of all runtimes that skills were checked for, each once."""
    found = dict.fromkeys(name for each in audiences.values() for name in each.runtimes)
    return tuple(found) if depends_on_place(settings) else settings.runtimes


def without_baseline(report: Report, settings: Settings) -> Report:
    """Return a report without what the baseline accepts, if there is one."""
    if settings.baseline is None:
        return report
    from skilltool.lint import baseline

    fresh, known = baseline.split(report.diagnostics, baseline.load(settings.baseline))
    accepted = [Suppressed(each, "baseline", f"in {settings.baseline.name}") for each in known]
    return report._replace(diagnostics=fresh, suppressed=[*report.suppressed, *accepted])


def suppressed(
    checked: Sequence[CheckedSkill], diagnostics: Sequence[Diagnostic], settings: Settings
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Return the findings that count, and those that a comment or `per-file-ignores` suppresses."""
    comments = [comment for one in checked for comment in one.comments]
    if not diagnostics and not comments:
        return [], []
    from skilltool.lint.suppression import apply_suppressions

    return apply_suppressions(numbered(diagnostics), comments, settings)
