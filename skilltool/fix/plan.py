"""Mending skills on disk: what `lint --fix` and `lint --diff` do before the findings are reported.

Each file is mended in memory, judged, written beside itself and moved into place: whatever happens, it is
either the old one or the new one. What a link leads to outside of the repository is not mended (`boundary`).
"""

from __future__ import annotations

import errno
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from skilltool.files import writing
from skilltool.files.paths import display_path
from skilltool.files.repository import left_directory
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Fix
from skilltool.fix import name_conflicts, patch
from skilltool.fix.choose import Candidate, fix_skill
from skilltool.fix.planned_edits import FixOutcome, PlannedEdit
from skilltool.fix.renames import check_rename, files_below, path_after, rename_order
from skilltool.lint import baseline, check
from skilltool.lint.run import Progress, find_skills
from skilltool.lint.settings import Settings
from skilltool.lint.suppression import PerFile, split
from skilltool.rules.frontmatter import invalid_name, name_directory_mismatch
from skilltool.skill import model as skills
from skilltool.skill.model import Skill
from skilltool.text.source import Source

_NAMING = frozenset({invalid_name.ID, name_directory_mismatch.ID})


def plan(
    paths: Sequence[Path], settings: Settings, unsafe: bool = False, progress: Progress | None = None
) -> FixOutcome:
    """Find out what would be mended in the skills that `paths` stand for; writes nothing.

    A fix of what lies outside of the repository, behind a link, is none of the changes but a problem.
    `progress` is told after each skill how many of how many are done. Raises `PathError` if there is
    nothing to mend in, unless the settings allow that.
    """
    found = find_skills(paths, settings)
    outcome = FixOutcome(skills=len(found.skills), unread=found.problems)
    accepted = baseline.load(settings.baseline) if settings.baseline else Counter[str]()
    planned: dict[Path, list[PlannedEdit]] = {}
    claims: list[name_conflicts.Claim] = []
    for directory in _told(found.skills, progress):
        changes = list(_changes(directory, settings, unsafe, accepted))
        names = changes[0].names
        if any(change.changes for change in changes) and (place := left_directory(changes[0].file, paths)):
            where = f"lies outside of {display_path(place)}, behind a link"
            outcome.problems.append(f"{changes[0].path}: {where}; the file is as it was")
            changes, names = [], (names[0], names[0])
        collections = name_conflicts.collections(directory, settings.runtimes)
        claims.append(name_conflicts.Claim(directory, collections, *names))
        planned[directory] = [change for change in changes if change.changes or change.refused]
    for directory in name_conflicts.conflicting(
        [*claims, *name_conflicts.neighbours(claims, settings.runtimes)]
    ):
        planned[directory] = list(_with_its_name(planned[directory][0], settings, unsafe, accepted))
    changes = [change for several in planned.values() for change in several]
    outcome.changes = [change for change in changes if not change.moves]
    _add_moves(outcome, [change for change in changes if change.moves])
    return outcome


def _told(skills: Sequence[Path], progress: Progress | None) -> Iterator[Path]:
    """Yield each skill, and tell when one is done with."""
    for number, directory in enumerate(skills, 1):
        yield directory
        if progress is not None:
            progress(number, len(skills))


def apply(outcome: FixOutcome) -> FixOutcome:
    """Write what was planned; a file that cannot be written stays, is said, and hides no other.

    What could not be planned stays among the problems.
    """
    done = FixOutcome(problems=list(outcome.problems))
    for change in outcome.changes:
        try:
            _write(change)
        except OSError as error:
            what = "directory" if change.moves else "file"
            done.problems.append(f"{change.path}: {error.strerror or error}; the {what} is as it was")
        else:
            done.changes.append(change)
    return done


def after_renames(paths: Sequence[Path], done: FixOutcome) -> Iterator[Path]:
    """Yield the paths that a user named, files and directories, as they are called now."""
    renames = [change.renamed for change in done.changes if change.rename]
    for path in paths:
        whole = Path(os.path.abspath(path))
        now = path_after(whole, renames)
        yield path if now == whole else now


def diff(outcome: FixOutcome) -> str:
    """Return all changes as a unified diff that `git apply` takes; where a link is, of what it leads to."""
    texts = {_in_diff(change): change for change in outcome.changes if not change.moves}
    moves = [change.renamed for change in outcome.changes if change.moves]
    files = dict.fromkeys([*texts, *(file for source, _ in moves for file in files_below(source))])
    return patch.unified_diff(_entry(file, texts.get(file), moves) for file in files)


def _in_diff(change: PlannedEdit) -> Path:
    """Return the file that a diff names: git writes to no link, but can rename one."""
    is_link = change.rename is None and change.file.is_symlink()
    return Path(os.path.realpath(change.file)) if is_link else change.file


def _entry(file: Path, change: PlannedEdit | None, moves: Sequence[tuple[Path, Path]]) -> patch.Entry:
    own = [change.renamed] if change and change.rename else []
    old, new = display_path(file), display_path(path_after(file, [*own, *moves]))
    return patch.Entry(old, new, change.before, change.after) if change else patch.Entry(old, new)


def _changes(
    directory: Path,
    settings: Settings,
    unsafe: bool,
    accepted: Counter[str],
    without: frozenset[str] = frozenset(),
) -> Iterator[PlannedEdit]:
    """Yield what is to become of a skill's file, then of its directory, if anything.

    The fixes of the rules `without` are not taken.
    """
    skill = skills.load_skill(directory)
    path = display_path(directory / skill.file_name)

    def find(now: Skill) -> Iterator[Candidate]:
        return (each for each in _candidates(now, directory, settings, accepted) if each[0] not in without)

    done = fix_skill(skill, find, unsafe)
    after = skill if done.text == skill.source.text else skill.with_text(Source(done.text))
    names = (skill.frontmatter.text("name"), after.frontmatter.text("name"))
    renames = {rename[0].startswith("../"): (rule, rename) for rule, rename in done.renames.items()}
    rule, own = renames.get(False, ("", None))
    counted = done.applied | ({rule: 1} if own else {})
    yield PlannedEdit(directory, path, skill.source.text, done.text, counted, done.refused, own, names)
    if True in renames:
        rule, move = renames[True]
        yield PlannedEdit(directory, path, done.text, done.text, {rule: 1}, {}, move, names)


def _with_its_name(
    change: PlannedEdit, settings: Settings, unsafe: bool, accepted: Counter[str]
) -> Iterator[PlannedEdit]:
    """Yield the changes of a skill whose new name another one has: all but what gives it that name."""
    why = f"another skill beside it has the name `{change.names[1]}` then"
    refused = dict.fromkeys((rule for rule in change.applied if rule in _NAMING), why)
    for other in _changes(change.directory, settings, unsafe, accepted, without=_NAMING):
        yield other if other.moves else replace(other, refused=other.refused | refused)


def _add_moves(outcome: FixOutcome, moves: Sequence[PlannedEdit]) -> None:
    """Add what becomes of directories, each after what its new name waits for; say which stay."""
    by_source = {change.renamed[0]: change for change in moves}
    order = rename_order(dict(change.renamed for change in moves))
    outcome.changes += [by_source[source] for source in order]
    for change in moves:
        source, target = change.renamed
        if source not in order:
            taken = f"`{target.name}` is there already, or another directory is to be called so"
            outcome.problems.append(f"{change.path}: {taken}; the directory is as it was")


def _candidates(
    skill: Skill, directory: Path, settings: Settings, accepted: Counter[str]
) -> Iterator[Candidate]:
    """Yield the fixes of findings that are reported: nothing that is switched off or accepted is mended."""
    checked = check.check_skill(skill, directory, settings, every_fix=True)
    per_file = PerFile(settings.base, settings.per_file_ignores)
    kept, _hidden, _used = split(checked.diagnostics, checked.comments, per_file)
    new, _known = baseline.split(kept, accepted)
    for diagnostic in new:
        mended = fix_of(diagnostic, skill, settings)
        if mended is not None:
            yield diagnostic.rule, mended


def fix_of(diagnostic: Diagnostic, skill: Skill, settings: Settings) -> Fix | None:
    """Return what mends a finding; the settings say whether a name or its directory is right."""
    if diagnostic.rule == name_directory_mismatch.ID and settings.name_source == "frontmatter":
        return name_directory_mismatch.rename_directory(skill)
    return diagnostic.fix


def _write(change: PlannedEdit) -> None:
    """Write one change; raises OSError, also where the file or the name is not as it was planned on."""
    file = change.file
    if change.after != change.before and Source.decode(file.read_bytes()).text != change.before:
        raise OSError(errno.EBUSY, "it was changed in the meantime")
    if change.rename is not None:
        source, target = check_rename(change.directory, change.rename)
        source.rename(target)
        file = target
    try:
        if change.after != change.before:
            writing.write_atomically(file, change.after.encode("utf-8", "surrogatepass"))
    except OSError:
        if change.rename is not None:
            target.rename(source)
        raise
