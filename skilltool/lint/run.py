"""A run of `lint`: find the skills, check each, then all of them together, and report.

What a run is to do is in one `Settings`, which also names its paths: nothing else is handed down.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool.bounds.budget import OverBudgetError
from skilltool.bounds.crew import Crew
from skilltool.errors import PathError
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, Suppressed, numbered
from skilltool.lint import executor, over_bound
from skilltool.lint.check_collection import Together, check_together
from skilltool.lint.result import Report
from skilltool.lint.settings import Settings
from skilltool.rules import COLLECTION_RULES, GROUP_OF
from skilltool.rules.records import CheckedSkill, Record
from skilltool.skill.discovery import Discovery, discover, is_excluded
from skilltool.text import unsaved

if TYPE_CHECKING:
    from skilltool.lint.cache import ResultCache
    from skilltool.lint.worker import Outcome

Progress = Callable[[int, int], None]
_NEED_THE_FILE = frozenset({"runtime"})  # groups of rules


def check_skills(settings: Settings, progress: Progress | None = None, crew: Crew | None = None) -> Report:
    """Check the skills that `settings.paths` name.

    `progress` is called after each skill with how many of how many are done. `crew` has what is left of each
    skill's budget, if something else was done with the skills before. Raises `PathError` if there is nothing
    to check, unless the settings allow that.
    """
    found = find_skills(settings)
    run = _Run(settings, crew or Crew())
    with run.crew:
        for directory, outcome in _outcomes(found.skills, settings, progress, run.crew):
            run.add(directory, outcome)
        report = run.report(len(found.skills))
    problems = (*found.problems, *report.problems)
    return report._replace(
        problems=problems, hints=(*found.notes, *report.hints), skills_ignored=found.ignored
    )


def find_skills(settings: Settings) -> Discovery:
    """Find the skills that `settings.paths` name; raises `PathError` as `check_skills` does."""
    found = discover(
        settings.paths,
        exclude=settings.exclude,
        base=settings.base,
        respect_gitignore=settings.respect_gitignore,
        force_exclude=settings.force_exclude,
    )
    if not found.skills and not found.problems and not (settings.allow_empty or settings.force_exclude):
        raise PathError(_nothing_in(settings.paths))
    return found


def check_text(raw: bytes, file: Path, settings: Settings) -> Report:
    """Check bytes as if they were the SKILL.md `file`, by the rules about one skill.

    What lies beside it counts. It need not exist; the rules of a runtime, which would only say that, are
    left out then.
    """
    patterns = settings.exclude, settings.base, settings.respect_gitignore
    if settings.force_exclude and is_excluded(file, *patterns):
        return Report((), 0, settings.runtimes)
    unsaved_file = not os.path.lexists(file)
    left_out = {rule for rule in settings.rules if unsaved_file and GROUP_OF[rule] in _NEED_THE_FILE}
    rules = tuple(rule for rule in settings.rules if rule not in left_out | {*COLLECTION_RULES})
    settings = settings._replace(rules=rules)
    with Crew() as crew:
        try:
            checked = crew.call(file.parent, _check_unsaved, raw, file, settings)
        except OverBudgetError as error:
            return Report([over_bound.diagnostic(file, error, settings)], 1, settings.runtimes)
    return _without_baseline(_report_of_one(checked, settings), settings)


def _check_unsaved(raw: bytes, file: Path, settings: Settings) -> CheckedSkill:
    from skilltool.lint.check import check_bytes

    with unsaved.unsaved_buffer(file, raw):
        return check_bytes(raw, file, settings)


def check_one(directory: Path, settings: Settings) -> Report:
    """Check one skill directory, by the rules about one skill.

    Raises `PathError` if that takes more than the budget of a skill.
    """
    from skilltool.lint.check import check_directory

    with Crew() as crew:
        try:
            checked = crew.call(directory, check_directory, directory, settings)
        except OverBudgetError as error:
            raise PathError(f"{display_path(directory)}: {over_bound.message(error)}") from None
    return _report_of_one(checked, settings)


def _outcomes(
    skills: Sequence[Path], settings: Settings, progress: Progress | None, crew: Crew
) -> Iterator[tuple[Path, Outcome]]:
    """Yield the outcome of each skill, in their order: kept from an earlier run, or checked now."""
    done: dict[Path, Outcome] = {}
    with _cache(settings) as store:
        if store is not None and store.holds_any:
            kept = ((directory, store.get(directory)) for directory in skills)
            done |= {directory: found for directory, found in kept if found is not None}
        missing = [directory for directory in skills if directory not in done]
        for directory, outcome, row in executor.outcomes(missing, settings, crew):
            done[directory] = outcome
            if store is not None and row is not None:
                store.put(directory, row)
            if progress is not None:
                progress(len(done), len(skills))
    return ((directory, done[directory]) for directory in skills)


def _cache(settings: Settings) -> AbstractContextManager[ResultCache | None]:
    if settings.cache is None or unsaved.has_unsaved_buffer():
        return nullcontext()
    from skilltool.lint import cache

    return cache.open_cache(settings.cache, settings)


def _report_of_one(checked: CheckedSkill, settings: Settings) -> Report:
    kept, hidden = _suppressed([checked], checked.diagnostics, settings)
    return Report(kept, 1, settings.runtimes, suppressed=hidden)


@dataclass(slots=True)
class _Run:
    """What a run has found so far: the skills that were checked, and those that were given up."""

    settings: Settings
    crew: Crew
    checked: list[CheckedSkill] = field(default_factory=list)
    given_up: dict[str, Diagnostic] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    hints: list[str] = field(default_factory=list)

    def add(self, directory: Path, outcome: Outcome) -> None:
        """Take the outcome of one skill."""
        if isinstance(outcome, OverBudgetError):
            self.checked.append(over_bound.unchecked(directory))
            self._give_up(self.checked[-1].record, outcome)
        elif isinstance(outcome, str):
            self.problems.append(f"{display_path(directory)}: {outcome}")
        else:
            self.checked.append(outcome)

    def report(self, skills: int) -> Report:
        """Return the report: what each skill and all of them together have, less what is accepted.

        That a skill was given up is said in any case: no rule has to be selected for it, and nothing can
        suppress or accept it.
        """
        settings = self.settings
        diagnostics = [diagnostic for one in self.checked for diagnostic in one.diagnostics]
        together = self._together()
        diagnostics += together.diagnostics
        kept, hidden = _suppressed(self.checked, diagnostics, settings)
        if settings.per_file_ignores and settings.checks_whole_base:
            from skilltool.lint.suppression import unused_patterns

            kept = sorted([*kept, *unused_patterns(hidden, settings)], key=lambda each: each.order)
        report = Report(kept, skills, settings.runtimes, together.matrix, hidden, tuple(self.problems))
        report = _without_baseline(report._replace(hints=tuple(self.hints)), settings)
        if not self.given_up:
            return report
        both = sorted([*report.diagnostics, *self.given_up.values()], key=lambda each: each.order)
        return report._replace(diagnostics=both)

    def _together(self) -> Together:
        """Return what holds of all skills together; skills that take too long there are given up."""
        records = [one.record for one in self.checked]
        budget, ended = self.crew.allowance.budget, self.crew.allowance.ended
        known = set(ended)
        seconds = budget.in_all + len(records) * budget.share / 10
        try:
            together = self.crew.call_watched(seconds, check_together, records, self.settings)
        except OverBudgetError as error:
            self.problems.append(f"the check of all skills together {error}, and was given up")
            together = Together()
        by_key = {os.path.realpath(record.directory): record for record in records} if ended else {}
        for key in ended.keys() - known:
            if key in by_key:
                self._give_up(by_key[key], OverBudgetError(ended[key]))
            else:
                self.hints.append(f"{display_path(Path(key))}: {over_bound.message(ended[key])}")
        return together

    def _give_up(self, record: Record, error: OverBudgetError) -> None:
        self.given_up[record.path] = over_bound.diagnostic(Path(record.path), error, self.settings)


def _without_baseline(report: Report, settings: Settings) -> Report:
    """Return a report without what the baseline accepts, if there is one."""
    if settings.baseline is None:
        return report
    from skilltool.lint import baseline

    fresh, known = baseline.split(report.diagnostics, baseline.load(settings.baseline))
    accepted = [Suppressed(each, "baseline", f"in {settings.baseline.name}") for each in known]
    return report._replace(diagnostics=fresh, suppressed=[*report.suppressed, *accepted])


def _suppressed(
    checked: Sequence[CheckedSkill], diagnostics: Sequence[Diagnostic], settings: Settings
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Return the findings that count, and those that a comment or `per-file-ignores` suppresses."""
    comments = [comment for one in checked for comment in one.comments]
    if not diagnostics and not comments:
        return [], []
    from skilltool.lint.suppression import apply_suppressions

    return apply_suppressions(numbered(diagnostics), comments, settings)


def _nothing_in(paths: Sequence[Path]) -> str:
    named = ", ".join(f"`{path}`" for path in paths)
    return (
        f"no skills found in {named}: no directory contains a SKILL.md, or all of them are excluded; "
        "name another path, look into what git ignores with --no-respect-gitignore, "
        "or allow an empty run with --allow-empty"
    )
