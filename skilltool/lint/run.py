"""A run over many skills: find them, check each, then all of them together, and report.

Rules that need the whole collection run on one short record per skill.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skilltool import runtimes
from skilltool.errors import PathError
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, Suppressed
from skilltool.findings.finding import Severity, stated
from skilltool.lint.executor import Outcome, outcomes
from skilltool.lint.result import Report
from skilltool.lint.settings import Settings
from skilltool.rules import COLLECTION_RULES, GROUP_OF, severity_of
from skilltool.rules.prefilters.collection_rules import PREFILTERS
from skilltool.rules.records import CheckedSkill, CollectionFinding, IgnoreComment, Record
from skilltool.skill.discovery import Discovery, discover, passes_over
from skilltool.text.unsaved import any_substituted, substituted

if TYPE_CHECKING:
    from skilltool.lint.cache import Kept

Progress = Callable[[int, int], None]
_NEED_THE_FILE = frozenset({"runtime"})  # groups of rules


class Run(NamedTuple):
    """The result of a run, and in words for a user what could not be read or checked."""

    report: Report
    problems: tuple[str, ...]


def lint_paths(paths: Sequence[Path], settings: Settings, progress: Progress | None = None) -> Run:
    """Check the skills that `paths` stand for.

    `progress` is told after each skill how many of how many are done. Raises `PathError` if there is
    nothing to check, unless the settings allow that.
    """
    found = find_skills(paths, settings)
    problems = list(found.problems)
    checked: list[CheckedSkill] = []
    for directory, outcome in _outcomes(found.skills, settings, progress):
        if isinstance(outcome, str):
            problems.append(f"{display_path(directory)}: {outcome}")
        else:
            checked.append(outcome)
    whole = bool(settings.per_file_ignores) and any(
        settings.base.is_relative_to(path.resolve()) for path in paths
    )
    return Run(_together(checked, len(found.skills), settings, whole), tuple(problems))


def find_skills(paths: Sequence[Path], settings: Settings) -> Discovery:
    """Find the skills that `paths` stand for; raises `PathError` as `run` does."""
    found = discover(
        paths,
        exclude=settings.exclude,
        base=settings.base,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
    )
    if not found.skills and not found.problems and not (settings.allow_empty or settings.force_exclude):
        raise PathError(_nothing_in(paths))
    return found


def check_text(raw: bytes, file: Path, settings: Settings) -> Report:
    """Check bytes as if they were the SKILL.md `file`, by the rules about one skill.

    What lies beside it counts. It need not exist; a runtime, which would only say that, is not asked then.
    """
    from skilltool.lint.check import check_bytes

    patterns = settings.exclude, settings.base, settings.respect_gitignore
    if settings.force_exclude and passes_over(file, *patterns):
        return Report((), 0, settings.runtimes)
    unsaved = not os.path.lexists(file)
    left_out = {rule for rule in settings.rules if unsaved and GROUP_OF[rule] in _NEED_THE_FILE}
    rules = tuple(rule for rule in settings.rules if rule not in left_out | {*COLLECTION_RULES})
    settings = settings._replace(rules=rules)
    with substituted(file, raw):
        return _new(_alone(check_bytes(raw, file, settings), settings), settings)


def check_one(directory: Path, settings: Settings) -> Report:
    """Check one skill directory, by the rules about one skill."""
    from skilltool.lint.check import check_directory

    return _alone(check_directory(directory, settings), settings)


def _alone(checked: CheckedSkill, settings: Settings) -> Report:
    kept, hidden = _shown(checked.diagnostics, checked.comments, settings)
    return Report(kept, 1, settings.runtimes, suppressed=hidden)


def check_collection(records: Sequence[Record], settings: Settings) -> Iterator[Diagnostic]:
    """Yield what the rules about many skills find among `records`, which are in path order."""
    for name in (name for name in settings.rules if name in COLLECTION_RULES):
        merged: dict[CollectionFinding, dict[str, Severity]] = {}
        for target in map(runtimes.get, settings.runtimes):
            if not PREFILTERS[name](records, target):
                continue
            for finding in COLLECTION_RULES[name].check_all(records, target):
                merged.setdefault(finding, {})[target.id] = severity_of(name, target)
        unanimous = bool(merged) and getattr(COLLECTION_RULES[name], "UNANIMOUS", False)
        for (record, message, advice, clause), severities in merged.items():
            if unanimous and len(severities) < len(settings.runtimes):
                continue
            yield Diagnostic(
                path=record.path,
                location=record.location,
                rule=name,
                severity=max(severities.values()),
                message=stated(message, clause, list(severities)),
                help=advice,
                skill=record.skill,
                runtimes=tuple(severities),
            )


def _outcomes(
    skills: Sequence[Path], settings: Settings, progress: Progress | None
) -> list[tuple[Path, Outcome]]:
    """Return what became of each skill, in their order: kept from an earlier run, or checked now."""
    done: dict[Path, Outcome] = {}
    with _cache(settings) as store:
        if store is not None and store.holds_any:
            kept = ((directory, store.get(directory)) for directory in skills)
            done |= {directory: found for directory, found in kept if found is not None}
        missing = [directory for directory in skills if directory not in done]
        for directory, outcome, row in outcomes(missing, settings):
            done[directory] = outcome
            if store is not None and row is not None:
                store.put(directory, row)
            if progress is not None:
                progress(len(done), len(skills))
    return [(directory, done[directory]) for directory in skills]


def _cache(settings: Settings) -> AbstractContextManager[Kept | None]:
    if settings.cache is None or any_substituted():
        return nullcontext()
    from skilltool.lint import cache

    return cache.opened(settings.cache, settings)


def _together(checked: Sequence[CheckedSkill], skills: int, settings: Settings, whole: bool) -> Report:
    """Return the report of a run; `whole` if what its patterns should have matched was looked at."""
    records = [one.record for one in checked]
    diagnostics = [diagnostic for one in checked for diagnostic in one.diagnostics]
    diagnostics += check_collection(records, settings)
    comments = [each for one in checked for each in one.comments]
    kept, hidden = _shown(diagnostics, comments, settings)
    if whole:
        from skilltool.lint.suppression import unused_patterns

        kept = sorted([*kept, *unused_patterns(hidden, settings)], key=lambda each: each.order)
    report = Report(kept, skills, settings.runtimes, suppressed=hidden)
    if settings.matrix:
        from skilltool.lint import matrix

        report = report._replace(matrix=matrix.build(records, list(map(runtimes.get, settings.runtimes))))
    return _new(report, settings)


def _new(report: Report, settings: Settings) -> Report:
    """Return a report without what the baseline accepts, if there is one."""
    if settings.baseline is None:
        return report
    from skilltool.lint import baseline

    fresh, known = baseline.split(report.diagnostics, baseline.load(settings.baseline))
    accepted = [Suppressed(each, "baseline", f"in {settings.baseline.name}") for each in known]
    return report._replace(diagnostics=fresh, suppressed=[*report.suppressed, *accepted])


def _shown(
    diagnostics: Sequence[Diagnostic], comments: Sequence[IgnoreComment], settings: Settings
) -> tuple[list[Diagnostic], list[Suppressed]]:
    if not diagnostics and not comments:
        return [], []
    from skilltool.lint.suppression import apply_suppressions

    return apply_suppressions(diagnostics, comments, settings)


def _nothing_in(paths: Sequence[Path]) -> str:
    named = ", ".join(f"`{path}`" for path in paths)
    return (
        f"no skill to check in {named}: no directory there holds a SKILL.md, or what does is excluded. "
        "Name another path, look at what git ignores with --no-respect-gitignore, "
        "or accept an empty run with --allow-empty"
    )
