"""Which files and directories would `lint --fix` change, and to what? Nothing is written here.

What lies outside the repository and is reached through a link is never changed.

A skill renamed to the name of its neighbour would shadow it, or be shadowed, in every runtime that finds
skills by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from skilltool.bounds.budget import GivenUpError, InternalError
from skilltool.bounds.pool import WorkerPool
from skilltool.files.one_run import one_run
from skilltool.files.paths import display_path
from skilltool.files.repository import escaped_directory
from skilltool.findings.diagnostic import numbered
from skilltool.findings.finding import applied
from skilltool.fix.choose import Candidate, fix_skill, non_overlapping
from skilltool.fix.edits import (
    Claim,
    FixOutcome,
    PlannedEdit,
    collections,
    conflicting,
    neighbours,
    rename_order,
    unchanged,
)
from skilltool.lint import baseline, check
from skilltool.lint.find import find_skills
from skilltool.lint.run import Progress
from skilltool.lint.settings import Settings
from skilltool.lint.suppress import PerFileIgnores, split
from skilltool.lint.targets import audience_of
from skilltool.rules.frontmatter import invalid_name, name_directory_mismatch
from skilltool.skill.model import Skill, load_skill
from skilltool.skill.texts import Text
from skilltool.text.source import Source

_NAMING_RULES = frozenset({invalid_name.ID, name_directory_mismatch.ID})


@one_run()
def plan(
    settings: Settings,
    unsafe: bool = False,
    progress: Progress | None = None,
    pool: WorkerPool | None = None,
    go_on: bool = False,
) -> FixOutcome:
    """Return what would be fixed in the skills that `settings.paths` name.

    A fix of a file outside the repository, reached through a link, is a problem and not an edit. Nothing of
    a skill that is given up, over its budget, which `pool` has, or by a defect of ours, is changed.
    `progress` is called after each skill with how many of how many are done. With `go_on`, the skills that
    the last such run had no time for come first, which the cache of the settings knows. Raises `PathError`
    if there are no skills, unless the settings allow that.
    """
    discovery = find_skills(settings)
    outcome = FixOutcome(skills=len(discovery.skills), unread=discovery.problems, hints=discovery.notes)
    with pool or WorkerPool() as processes:
        work = _Work(settings, unsafe, processes, outcome)
        with _left_first(discovery.skills, settings, outcome) if go_on else nullcontext() as order:
            for number, directory in enumerate(order or discovery.skills, 1):
                work.add(directory)
                if progress is not None:
                    progress(number, len(discovery.skills))
        work.resolve_name_conflicts()
    edits = [edit for directory in discovery.skills for edit in work.planned[directory]]
    outcome.edits = [edit for edit in edits if not edit.renames_directory]
    _add_renamed_directories(outcome, [edit for edit in edits if edit.renames_directory])
    return outcome


@contextmanager
def _left_first(
    skills: Sequence[Path], settings: Settings, outcome: FixOutcome
) -> Iterator[Sequence[Path] | None]:
    """Yield the skills in the order of the work, and note afterwards for which no time was left."""
    if settings.cache is None:
        yield None
        return
    from skilltool.lint.cache import open_cache

    with open_cache(settings.cache, settings) as cache:
        left = cache.left_over(skills)
    order = list(dict.fromkeys((*left, *skills)))
    yield order
    if left or outcome.left_over:
        with open_cache(settings.cache, settings) as cache:
            cache.leave_over(skills, outcome.left_over)


class _Work:
    """The edits of a run as they are planned, skill by skill, and who claims which name."""

    def __init__(self, settings: Settings, unsafe: bool, pool: WorkerPool, outcome: FixOutcome) -> None:
        self._settings = settings
        self._unsafe = unsafe
        self._pool = pool
        self._outcome = outcome
        self._claims: list[Claim] = []
        self.planned: dict[Path, list[PlannedEdit]] = {}

    def add(self, directory: Path) -> None:
        """Plan the edits of one skill; none if it is given up."""
        edits = self._edits(directory)
        names = edits[0].names if edits else (None, None)
        changed = any(edit.is_change for edit in edits)
        if changed and (outside := escaped_directory(edits[0].file, self._settings.paths)):
            where = f"is outside {display_path(outside)}, reached through a link"
            self._outcome.problems.append(f"{edits[0].path}: {where}; the file was left unchanged")
            edits, names = [], (names[0], names[0])
        if directory in self._outcome.given_up:
            claim = unchanged(directory, self._runtimes(directory), self._name)
        else:
            claim = Claim(directory, collections(directory, self._runtimes(directory)), *names)
        self._claims.append(claim)
        self.planned[directory] = [edit for edit in edits if edit.is_change or edit.refused]

    def resolve_name_conflicts(self) -> None:
        """Let each skill whose new name another skill takes, or may take, keep its name."""
        siblings = neighbours(self._claims, self._runtimes, self._name)
        claims = [*self._claims, *siblings]
        taken = conflicting([claim for claim in claims if claim.is_known])
        for directory in conflicting(claims):
            before = self.planned[directory][0]
            why = f"another skill in the same directory would then also be named `{before.names[1]}`"
            if directory not in taken:
                why = (
                    f"a skill in the same directory could not be checked and may be named `{before.names[1]}`"
                )
            refused = dict.fromkeys((rule for rule in before.applied if rule in _NAMING_RULES), why)
            self.planned[directory] = [
                edit if edit.renames_directory else replace(edit, refused=edit.refused | refused)
                for edit in self._edits(directory, _NAMING_RULES)
            ]

    def _edits(self, directory: Path, without: frozenset[str] = frozenset()) -> list[PlannedEdit]:
        try:
            return self._pool.call(directory, _edits_of, directory, self._settings, self._unsafe, without)
        except GivenUpError as error:
            self._outcome.given_up[directory] = error.reason
            return []

    def _runtimes(self, directory: Path) -> Sequence[str]:
        return audience_of(self._settings, directory).runtimes

    def _name(self, directory: Path) -> str | None:
        return self._pool.call(directory, _name_of, directory)


def _name_of(directory: Path) -> str | None:
    return load_skill(directory).frontmatter.text("name")


def _edits_of(
    directory: Path, settings: Settings, unsafe: bool, without: frozenset[str]
) -> list[PlannedEdit]:
    return list(_planner(settings, unsafe).edits(directory, without))


@lru_cache(maxsize=1)
def _planner(settings: Settings, unsafe: bool) -> _Planner:
    return _Planner(settings, unsafe)


class _Planner:
    """Plans the edits of one skill after another, by the same settings."""

    def __init__(self, settings: Settings, unsafe: bool) -> None:
        self._settings = settings
        self._unsafe = unsafe
        self._baseline = baseline.load(settings.baseline) if settings.baseline else baseline.EMPTY

    def edits(self, directory: Path, without: frozenset[str] = frozenset()) -> Iterator[PlannedEdit]:
        """Yield the edit of a skill's file, that of its directory, if there is one, and those of other files.

        The fixes of the rules `without` are left out.
        """
        skill = load_skill(directory)
        path = display_path(directory / skill.file_name)

        inner: dict[str, list[Candidate]] = {}

        def find(now: Skill) -> Iterator[Candidate]:
            found = self._candidates(now, directory)
            if now is skill:
                inner.update({file: several for file, several in found.items() if file})
            return (each for each in found.get("", ()) if each[0] not in without)

        done = fix_skill(skill, find, self._unsafe, audience_of(self._settings, directory).runtimes)
        after = skill if done.text == skill.source.text else skill.with_text(Source(done.text))
        names = (skill.frontmatter.text("name"), after.frontmatter.text("name"))
        renames = {rename[0].startswith("../"): (rule, rename) for rule, rename in done.renames.items()}
        rule, own = renames.get(False, ("", None))
        counts = done.applied | ({rule: 1} if own else {})
        yield PlannedEdit(directory, path, skill.source.text, done.text, counts, done.refused, own, names)
        if True in renames:
            rule, rename = renames[True]
            yield PlannedEdit(directory, path, done.text, done.text, {rule: 1}, {}, rename, names)
        for file, candidates in inner.items():
            text = skill.text_of(file)
            if text is not None:
                yield self._edit_of_file(directory, text, candidates)

    def _edit_of_file(self, directory: Path, text: Text, candidates: Sequence[Candidate]) -> PlannedEdit:
        """Return the edit of a page or script, in which no runtime reads fields or a body."""
        before = text.source.text
        chosen = non_overlapping(candidate for candidate in candidates if self._unsafe or candidate[1].safe)
        after = applied(before, (edit for _, fix in chosen for edit in fix.edits))
        counts = dict(Counter(rule for rule, _ in chosen))
        path = display_path(directory / text.file)
        return PlannedEdit(directory, path, before, after, counts, {}, inner=text.file)

    def _candidates(self, skill: Skill, directory: Path) -> dict[str, list[Candidate]]:
        """Return the fixes of findings by file: none of what is suppressed or in the baseline.

        Raises `InternalError` if a rule did: not all that is wrong with the skill is known then.
        """
        settings = self._settings
        checked = check.check_skill(skill, directory, settings, every_fix=True)
        if checked.defect is not None:
            raise InternalError(checked.defect)
        per_file = PerFileIgnores(settings.base, settings.per_file_ignores)
        kept, _hidden, _used = split(numbered(checked.diagnostics), checked.comments, per_file)
        new, _known = baseline.split(kept, self._baseline)
        found: dict[str, list[Candidate]] = {}
        for diagnostic in new:
            if diagnostic.fix is not None:
                found.setdefault(diagnostic.file, []).append((diagnostic.rule, diagnostic.fix))
        return found


def _add_renamed_directories(outcome: FixOutcome, edits: Sequence[PlannedEdit]) -> None:
    """Add the renames of directories, each after those it depends on; what cannot be renamed is a problem."""
    by_source = {edit.renamed[0]: edit for edit in edits}
    order = rename_order(dict(edit.renamed for edit in edits))
    outcome.edits += [by_source[source] for source in order]
    for edit in edits:
        source, target = edit.renamed
        if source not in order:
            taken = f"`{target.name}` already exists, or is the new name of another directory"
            outcome.problems.append(f"{edit.path}: {taken}; the directory was left unchanged")
