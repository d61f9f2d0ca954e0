"""Which files of a skill go into its archive: all but what git ignores and what is no part of any skill."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from skilltool.errors import SkilltoolError
from skilltool.pack.limits import MAX_BYTES, MAX_DEPTH, MAX_FILES, clash, name_problem
from skilltool.skill.discovery.ignore import Ignore
from skilltool.skill.skill_file import FILE_NAME

# Never part of a skill, whatever git says: histories, secrets, caches, and what systems leave behind.
_NEVER = (
    *(".git", ".hg", ".svn", ".[eE][nN][vV]", ".[eE][nN][vV].*", "!.env.example"),
    *("__pycache__", "*.py[co]", "node_modules"),
    *(".venv", "venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".DS_Store", "Thumbs.db", "*.swp"),
    *(".skilltool-*", ".*.tmp"),
)
# How what a system can run begins: with a line for the shell, or as a binary of Linux or macOS.
_RUNS = (b"#!", b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its path in the skill with `/`, and its bytes."""

    path: str
    content: bytes

    @property
    def executable(self) -> bool:
        """Whether it can be run: by what it is, since not every system has modes."""
        return self.content.startswith(_RUNS)


@dataclass(slots=True)
class Contents:
    """A skill's files, sorted by the bytes of their paths, and the paths that were left out."""

    name: str
    entries: list[Entry] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The size of all files, in bytes."""
        return sum(len(entry.content) for entry in self.entries)


def collected(directory: Path, archive: Path | None = None) -> Contents:
    """Read what of a skill's directory belongs into its archive; `archive`, where that is written, does not.

    Raises `SkilltoolError` for a link that leaves the skill, a link to a folder, what is no regular file,
    names that clash where case does not count, more than the bounds, and a SKILL.md that is left out or
    not the only one.
    """
    top = directory.resolve()
    found = Contents(top.name)
    left_out = _Ignored(top, archive)
    for path in _walk(top, top, left_out, found):
        found.entries.append(_entry(top, path))
        if len(found.entries) > MAX_FILES or found.size > MAX_BYTES:
            raise SkilltoolError(f"{directory}: more than {MAX_FILES:,} files or {MAX_BYTES >> 20} MiB")
    found.entries.sort(key=lambda entry: entry.path.encode("utf-8", "surrogateescape"))
    found.left_out.sort()
    if same := clash(entry.path for entry in found.entries):
        raise SkilltoolError(
            f"{directory}: `{same[0]}` and `{same[1]}` are one name where case does not count"
        )
    skills = [entry.path for entry in found.entries if entry.path.rpartition("/")[2] == FILE_NAME]
    if FILE_NAME not in skills:
        raise SkilltoolError(f"{directory}: its {FILE_NAME} is left out, by .gitignore or as the output")
    if len(skills) > 1:
        raise SkilltoolError(
            f"{directory}: an archive holds one skill; `{skills[1]}` is another: move it out"
        )
    return found


class _Ignored:
    """What is left out of the archive of one skill."""

    def __init__(self, top: Path, archive: Path | None) -> None:
        self._top = top
        self._archive = archive and archive.resolve()
        self._patterns = (Ignore(_NEVER, top), Ignore((), top, gitignore=True))

    def holds(self, path: Path, is_folder: bool) -> bool:
        """Return whether a path in the skill is left out; of one below a folder that is, nobody asks."""
        if path == self._archive:
            return True
        return any(patterns.matches(os.fspath(path), is_folder) for patterns in self._patterns)

    def holds_target(self, link: Path) -> bool:
        """Return whether a link leads to what is left out, itself or by a folder above it."""
        target = link.resolve()
        if not target.is_relative_to(self._top):
            return False
        ways = [target, *target.parents]
        return any(self.holds(way, way.is_dir()) for way in ways[: ways.index(self._top)])


def _walk(top: Path, folder: Path, left_out: _Ignored, found: Contents) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        raise SkilltoolError(f"{folder}: {error.strerror}") from None
    for entry in entries:
        path = Path(entry.path)
        is_folder = entry.is_dir(follow_symlinks=False)
        if left_out.holds(path, is_folder) or (path.is_symlink() and left_out.holds_target(path)):
            found.left_out.append(path.relative_to(top).as_posix() + "/" * is_folder)
        elif is_folder:
            if len(path.relative_to(top).parts) >= MAX_DEPTH - 1:  # the archive has a folder above
                raise SkilltoolError(f"{path}: more than {MAX_DEPTH} levels deep")
            yield from _walk(top, path, left_out, found)
        else:
            yield path


def _entry(top: Path, path: Path) -> Entry:
    name = path.relative_to(top).as_posix()
    try:
        if path.is_symlink() and not path.resolve(strict=True).is_relative_to(top):
            raise SkilltoolError(f"{path}: a link that leaves the skill; put the file itself there")
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SkilltoolError(f"{path}: neither a file nor a folder of the skill; it cannot be packed")
        if problem := name_problem(f"{top.name}/{name}"):
            raise SkilltoolError(f"{path}: the name {problem}")
        if status.st_size > MAX_BYTES:
            raise SkilltoolError(f"{path}: larger than {MAX_BYTES >> 20} MiB")
        return Entry(name, path.read_bytes())
    except (OSError, RuntimeError) as error:
        raise SkilltoolError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
