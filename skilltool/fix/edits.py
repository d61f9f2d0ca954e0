"""What a run of fixes plans to do, or has done, to files and to the names of directories."""

from __future__ import annotations

import errno
import os
import posixpath
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.bounds.budget import GivenUpError, InternalReason, TotalReason
from skilltool.files.writing import move_without_replacing, replace_if_unchanged
from skilltool.rules.records import root_of
from skilltool.skill.discovery import skill_at
from skilltool.text.source import Source


def resolve_name(directory: Path, name: str) -> Path:
    """Return the path that a fix calls `name`: a file in the skill, or with `../` the skill's directory."""
    return directory.parent / name[3:] if name.startswith("../") else directory / name


def check_rename(directory: Path, rename: tuple[str, str]) -> tuple[Path, Path]:
    """Return the paths before and after a rename; raises OSError where the new one is taken."""
    source, target = (resolve_name(directory, name) for name in rename)
    if target.exists() and not target.samefile(source):
        raise OSError(errno.EEXIST, f"`{target.name}` already exists")
    return source, target


def rename_order(moves: Mapping[Path, Path]) -> list[Path]:
    """Return the directories that can be renamed, in a working order; `moves` are from and to.

    Nested directories come before those around them, and a directory that gives up a name before the one that
    gets it. Left out is what would get a name that is taken, a name that another gets, or a name in a cycle.
    """
    claims = [
        Claim(source, frozenset({str(source.parent)}), source.name, target.name)
        for source, target in moves.items()
    ]
    lost = conflicting([*claims, *_siblings(moves)])
    waiting = {source: target for source, target in moves.items() if source not in lost}
    done: list[Path] = []
    while ready := [source for source, target in waiting.items() if target not in waiting]:
        done += ready
        for source in ready:
            del waiting[source]
    return sorted(done, key=lambda path: -len(path.parts))


def _siblings(moves: Mapping[Path, Path]) -> Iterator[Claim]:
    for parent in {source.parent for source in moves}:
        for name in os.listdir(parent):
            if parent / name not in moves:
                yield Claim(parent / name, frozenset({str(parent)}), name, name)


def path_after(path: Path, moves: Iterable[tuple[Path, Path]]) -> Path:
    """Return where a path is after renames that are made one after the other."""
    for source, target in moves:
        if path == source or source in path.parents:
            path = target / path.relative_to(source)
    return path


def files_below(directory: Path) -> Iterator[Path]:
    """Yield the files and links under a directory, as git would list them."""
    for where, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name != ".git")
        links = [name for name in folders if Path(where, name).is_symlink()]
        for name in sorted([*links, *names]):
            path = Path(where, name)
            if path.is_symlink() or path.is_file():
                yield path


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """What becomes of one file of a skill, or of its directory.

    `path` is the file as reports print it; `before` and `after` are its texts. `applied` counts fixes by
    rule, `refused` gives for a rule the reason why its fix was left out. `rename` is from and to, relative to
    the skill's directory; `names` are the frontmatter's name before and after. `inner` is the path under the
    skill of a file other than its SKILL.md.
    """

    directory: Path
    path: str
    before: str
    after: str
    applied: dict[str, int]
    refused: dict[str, str]
    rename: tuple[str, str] | None = None
    names: tuple[str | None, str | None] = (None, None)
    inner: str = ""

    @property
    def is_change(self) -> bool:
        """Whether anything is written or renamed."""
        return self.after != self.before or self.rename is not None

    @property
    def file(self) -> Path:
        """The file, by its name before the edit."""
        return self.directory / (self.inner or posixpath.basename(self.path))

    @property
    def renames_directory(self) -> bool:
        """Whether the directory, and not the file, gets another name."""
        return self.rename is not None and self.rename[0].startswith("../")

    @property
    def renamed(self) -> tuple[Path, Path]:
        """The paths before and after the rename; there must be one."""
        old, new = self.rename or ("", "")
        return resolve_name(self.directory, old), resolve_name(self.directory, new)


@dataclass(slots=True)
class FixOutcome:
    """What a run of fixes did or would do.

    `problems` says in words for a user what could not be fixed, `unread` what could not be read (a check of
    the same paths reports that, too), `hints` what is good to know; `skills` is the number of skills found.
    `given_up` has the directories of skills that were given up, each with the reason, as in a `GivenUpError`.
    """

    edits: list[PlannedEdit] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    skills: int = 0
    unread: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    given_up: dict[Path, str] = field(default_factory=dict)

    @property
    def left_over(self) -> list[Path]:
        """The skills for which no time was left, since others had used it up."""
        return [each for each, reason in self.given_up.items() if isinstance(reason, TotalReason)]

    @property
    def fixed(self) -> int:
        """How many findings were fixed."""
        return sum(sum(edit.applied.values()) for edit in self.edits)

    @property
    def changes(self) -> list[PlannedEdit]:
        """The edits that change anything."""
        return [edit for edit in self.edits if edit.is_change]


def apply(planned: FixOutcome) -> FixOutcome:
    """Write the planned edits and return what was done.

    A file that cannot be written is left unchanged, becomes a problem beside those of the plan, and does not
    keep the others from being written.
    """
    done = FixOutcome(problems=list(planned.problems), skills=planned.skills)
    for edit in planned.edits:
        try:
            _write(edit)
        except OSError as error:
            what = "directory" if edit.renames_directory else "file"
            done.problems.append(f"{edit.path}: {error.strerror or error}; the {what} was left unchanged")
        except Exception as error:  # a defect of ours in one skill must not keep others from being written
            done.problems.append(f"{edit.path}: {InternalReason.of(error, 'the fix')}")
        else:
            done.edits.append(edit)
    return done


def paths_after(paths: Sequence[Path], done: FixOutcome) -> Iterator[Path]:
    """Yield the paths that a user named, files and directories, by their names after the renames."""
    renames = [edit.renamed for edit in done.edits if edit.rename]
    for path in paths:
        absolute = Path(os.path.abspath(path))
        now = path_after(absolute, renames)
        yield path if now == absolute else now


def _write(edit: PlannedEdit) -> None:
    """Write one edit; raises OSError, also where the file or the name has changed since it was planned."""
    file = edit.file
    if edit.after != edit.before and Source.decode(file.read_bytes()).text != edit.before:
        raise OSError(errno.EBUSY, "it has changed since it was read")
    if edit.rename is not None:
        source, target = check_rename(edit.directory, edit.rename)
        if target.exists():  # the same file, where case makes no difference
            source.rename(target)
        else:
            move_without_replacing(source, target)
        file = target
    try:
        if edit.after != edit.before:
            before, after = (text.encode("utf-8", "surrogatepass") for text in (edit.before, edit.after))
            replace_if_unchanged(file, before, after)
    except OSError:
        if edit.rename is not None:
            target.rename(source)
        raise


class Claim(NamedTuple):
    """The name of a skill before and after its fixes; it must be unique in each of its `collections`.

    A skill that was given up may have any name: its name is not known.
    """

    directory: Path
    collections: frozenset[str]
    before: str | None
    after: str | None
    is_known: bool = True

    @property
    def is_new(self) -> bool:
        """Whether a name is replaced by another."""
        return self.before is not None and self.after != self.before


def conflicting(claims: Sequence[Claim]) -> set[Path]:
    """Return the directories whose new names conflict; each of them keeps its old name."""
    paths: set[Path] = set()
    unknown = {where for claim in claims if not claim.is_known for where in claim.collections}
    while True:
        holders: dict[tuple[str, str | None], int] = {}
        now = [claim.before if claim.directory in paths else claim.after for claim in claims]
        keys = [
            [(where, name) for where in claim.collections] for claim, name in zip(claims, now, strict=True)
        ]
        for key in (key for several in keys for key in several):
            holders[key] = holders.get(key, 0) + 1
        more = {
            claim.directory
            for claim, own in zip(claims, keys, strict=True)
            if claim.is_new
            and claim.directory not in paths
            and (claim.collections & unknown or any(holders[key] > 1 for key in own))
        }
        if not more:
            return paths
        paths |= more


def collections(directory: Path, targets: Sequence[str]) -> frozenset[str]:
    """Return the directories in which a name must be unique: the roots of the targets, and the parent."""
    parent = os.path.abspath(directory.parent).replace(os.sep, "/")
    return frozenset({parent, *(root_of(parent, runtimes.get(target)) for target in targets)})


def unchanged(directory: Path, targets: Sequence[str], name_of: Callable[[Path], str | None]) -> Claim:
    """Return the claim of a skill that keeps its name.

    `name_of` returns the name in the frontmatter of the skill in a directory; it raises `GivenUpError` for
    one that was given up.
    """
    where = collections(directory, targets)
    try:
        name = name_of(directory)
    except GivenUpError:
        return Claim(directory, where, None, None, is_known=False)
    return Claim(directory, where, name, name)


def neighbours(
    claims: Sequence[Claim],
    targets_of: Callable[[Path], Sequence[str]],
    name_of: Callable[[Path], str | None],
) -> Iterator[Claim]:
    """Yield the siblings of skills that get a new name, as far as they are not among the claims.

    `targets_of` returns the runtimes that a skill is checked against; `name_of` is as in `unchanged`.
    """
    known: Collection[Path] = {claim.directory for claim in claims}
    for parent in sorted({claim.directory.parent for claim in claims if claim.is_new}):
        for directory in sorted(parent.iterdir()):
            if directory not in known and directory.is_dir() and _is_skill(directory):
                yield unchanged(directory, targets_of(directory), name_of)


def _is_skill(directory: Path) -> bool:
    try:
        return skill_at(os.fspath(directory), os.listdir(directory)) is not None
    except OSError:
        return False
