"""Mending skills on disk: what `lint --fix` and `lint --diff` do before the findings are reported.

Each file is mended in memory, judged, written beside itself and moved into place: whatever happens, it is
either the old one or the new one.
"""

from __future__ import annotations

import difflib
import errno
import os
import posixpath
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from skilltool import baseline, check, clashes, fix, landmarks, lint, suppress, writing
from skilltool import skill as skills
from skilltool.diagnostic import Diagnostic, Fix
from skilltool.rules import invalid_name, name_directory_mismatch
from skilltool.settings import Settings
from skilltool.skill import Skill
from skilltool.source import Source

_NAMING = frozenset({invalid_name.ID, name_directory_mismatch.ID})
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


@dataclass(frozen=True, slots=True)
class Change:
    """What is to become of one skill's file; `path` as reports print it, `before` and `after` are texts.

    `applied` counts fixes by rule, `refused` says of a rule why its fix was not taken. `rename` is from
    and to, relative to the skill's directory; `names` are the frontmatter's name before and after.
    """

    directory: Path
    path: str
    before: str
    after: str
    applied: dict[str, int]
    refused: dict[str, str]
    rename: tuple[str, str] | None = None
    names: tuple[str | None, str | None] = (None, None)

    @property
    def changes(self) -> bool:
        """Whether anything is to be written or renamed."""
        return self.after != self.before or self.rename is not None


@dataclass(slots=True)
class Outcome:
    """What a run of fixes did or would do, and in words for a user what could not be done.

    `unread` says what could not be looked at (a check of the same paths says it, too); `skills` were.
    """

    changes: list[Change] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    skills: int = 0
    unread: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many fixes were applied."""
        return sum(sum(change.applied.values()) for change in self.changes)


def plan(paths: Sequence[Path], settings: Settings, unsafe: bool = False) -> Outcome:
    """Find out what would be mended in the skills that `paths` stand for; writes nothing.

    Raises `PathError` if there is nothing to mend in, unless the settings allow that.
    """
    found = lint.find(paths, settings)
    outcome = Outcome(skills=len(found.skills), unread=found.problems)
    accepted = baseline.load(settings.baseline) if settings.baseline else Counter[str]()
    claims: list[clashes.Claim] = []
    for directory in found.skills:
        change = _change(directory, settings, unsafe, accepted)
        claims.append(
            clashes.Claim(directory, clashes.collections(directory, settings.runtimes), *change.names)
        )
        if change.changes or change.refused:
            outcome.changes.append(change)
    taken = clashes.refused([*claims, *clashes.neighbours(claims, settings.runtimes)])
    outcome.changes = [
        _with_its_name(change, settings, unsafe, accepted) if change.directory in taken else change
        for change in outcome.changes
    ]
    return outcome


def apply(outcome: Outcome) -> Outcome:
    """Write what was planned; a file that cannot be written stays, is said, and hides no other."""
    done = Outcome()
    for change in outcome.changes:
        try:
            _write(change)
        except OSError as error:
            done.problems.append(f"{change.path}: {error.strerror or error}; the file is as it was")
        else:
            done.changes.append(change)
    return done


def after_renames(paths: Sequence[Path], done: Outcome) -> Iterator[Path]:
    """Yield the paths that a user named as they are called now."""
    moved = {
        change.directory: _place(change.directory, change.rename[1])
        for change in done.changes
        if change.rename and change.rename[0].startswith("../")
    }
    for path in paths:
        whole = Path(os.path.abspath(path))
        found = next((old for old in (whole, *whole.parents) if old in moved), None)
        yield path if found is None else moved[found] / whole.relative_to(found)


def diff(outcome: Outcome) -> str:
    """Return all changes as a unified diff that `git apply` takes."""
    return "".join(line for change in outcome.changes for line in _diff(change))


def _change(
    directory: Path,
    settings: Settings,
    unsafe: bool,
    accepted: Counter[str],
    without: frozenset[str] = frozenset(),
) -> Change:
    """Return what is to become of a skill; the fixes of the rules `without` are not taken."""
    skill = skills.load(directory)
    path = landmarks.shown(directory / skill.file_name)

    def find(now: Skill) -> Iterator[fix.Candidate]:
        return (each for each in _candidates(now, directory, settings, accepted) if each[0] not in without)

    done = fix.mend(skill, find, unsafe)
    after = skill if done.text == skill.source.text else skill.with_text(Source(done.text))
    names = (skill.frontmatter.text("name"), after.frontmatter.text("name"))
    return Change(
        directory, path, skill.source.text, done.text, done.applied, done.refused, done.rename, names
    )


def _with_its_name(change: Change, settings: Settings, unsafe: bool, accepted: Counter[str]) -> Change:
    """Return the change of a skill whose new name another one has: all but what gives it that name."""
    other = _change(change.directory, settings, unsafe, accepted, without=_NAMING)
    why = f"another skill beside it has the name `{change.names[1]}` then"
    rules = (rule for rule in change.applied if rule in _NAMING)
    return replace(other, refused=other.refused | dict.fromkeys(rules, why))


def _candidates(
    skill: Skill, directory: Path, settings: Settings, accepted: Counter[str]
) -> Iterator[fix.Candidate]:
    """Yield the fixes of findings that are reported: nothing that is switched off or accepted is mended."""
    checked = check.check_skill(skill, directory, settings, every_fix=True)
    per_file = suppress.PerFile(settings.base, settings.per_file_ignores)
    kept, _hidden, _used = suppress.split(checked.diagnostics, checked.comments, per_file)
    new, _known = baseline.split(kept, accepted)
    for diagnostic in new:
        mended = fix_of(diagnostic, skill, settings)
        if mended is not None:
            yield diagnostic.rule, mended


def fix_of(diagnostic: Diagnostic, skill: Skill, settings: Settings) -> Fix | None:
    """Return what mends a finding; the settings say whether a name or its directory is right."""
    if diagnostic.rule == name_directory_mismatch.ID and settings.name_source == "frontmatter":
        return name_directory_mismatch.renamed_directory(skill)
    return diagnostic.fix


def check_rename(directory: Path, rename: tuple[str, str]) -> tuple[Path, Path]:
    """Return from where to where a fix renames; raises OSError where something else is there already."""
    source, target = (_place(directory, name) for name in rename)
    if target.exists() and not target.samefile(source):
        raise OSError(errno.EEXIST, f"`{target.name}` is there already")
    return source, target


def _write(change: Change) -> None:
    """Write one change; raises OSError, also where the file or the name is not as it was planned on."""
    file = change.directory / posixpath.basename(change.path)
    if change.rename is not None:
        source, target = check_rename(change.directory, change.rename)
    if change.after != change.before:
        if Source.decode(file.read_bytes()).text != change.before:
            raise OSError(errno.EBUSY, "it was changed in the meantime")
        writing.put(file, change.after.encode("utf-8", "surrogatepass"))
    if change.rename is not None:
        source.rename(target)


def _place(directory: Path, name: str) -> Path:
    return directory.parent / name[3:] if name.startswith("../") else directory / name


def _diff(change: Change) -> Iterator[str]:
    folder = posixpath.dirname(change.path)
    old = new = change.path
    if change.rename is not None:
        old, new = (posixpath.normpath(posixpath.join(folder, name)) for name in change.rename)
        yield f"diff --git a/{old} b/{new}\nrename from {old}\nrename to {new}\n"
    before, after = (_LINE.findall(text) for text in (change.before, change.after))
    for line in difflib.unified_diff(before, after, f"a/{old}", f"b/{new}"):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
