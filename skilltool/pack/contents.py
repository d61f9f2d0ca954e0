"""Which files of a skill go into its archive: all but what git ignores and what is no part of any skill."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from skilltool.discovery.ignore import Ignore
from skilltool.errors import SkilltoolError
from skilltool.pack.limits import MAX_BYTES, MAX_DEPTH, MAX_FILES, clash, name_problem

# Never part of a skill, whatever git says: histories, secrets, caches, and what systems leave behind.
_NEVER = (
    *(".git", ".hg", ".svn", ".env", ".env.*", "!.env.example", "__pycache__", "*.py[co]", "node_modules"),
    *(".venv", "venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".DS_Store", "Thumbs.db", "*.swp"),
    *(".skilltool-*", ".*.tmp"),
)


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its path in the skill with `/`, its bytes, and whether it can be run."""

    path: str
    content: bytes
    executable: bool


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


def collected(directory: Path) -> Contents:
    """Read what of a skill's directory belongs into its archive.

    Raises `SkilltoolError` for a link that leaves the skill, a link to a folder, what is no regular file,
    names that clash where case does not count, and more than the bounds.
    """
    top = directory.resolve()
    found = Contents(top.name)
    ignore, never = Ignore((), top, gitignore=True), Ignore(_NEVER, top)
    for path in _walk(top, top, ignore, never, found):
        entry = _entry(top, path)
        found.entries.append(entry)
        if len(found.entries) > MAX_FILES or found.size > MAX_BYTES:
            raise SkilltoolError(f"{directory}: more than {MAX_FILES:,} files or {MAX_BYTES >> 20} MiB")
    found.entries.sort(key=lambda entry: entry.path.encode("utf-8", "surrogateescape"))
    found.left_out.sort()
    if same := clash(entry.path for entry in found.entries):
        raise SkilltoolError(
            f"{directory}: `{same[0]}` and `{same[1]}` are one name where case does not count"
        )
    return found


def _walk(top: Path, folder: Path, ignore: Ignore, never: Ignore, found: Contents) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: os.fsencode(entry.name))
    except OSError as error:
        raise SkilltoolError(f"{folder}: {error.strerror}") from None
    for entry in entries:
        path = Path(entry.path)
        is_folder = entry.is_dir(follow_symlinks=False)
        if any(patterns.matches(os.fspath(path), is_folder) for patterns in (never, ignore)):
            found.left_out.append(path.relative_to(top).as_posix() + "/" * is_folder)
        elif is_folder:
            if len(path.relative_to(top).parts) >= MAX_DEPTH:
                raise SkilltoolError(f"{path}: more than {MAX_DEPTH} levels deep")
            yield from _walk(top, path, ignore, never, found)
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
        if problem := name_problem(name):
            raise SkilltoolError(f"{path}: the name {problem}")
        if status.st_size > MAX_BYTES:
            raise SkilltoolError(f"{path}: larger than {MAX_BYTES >> 20} MiB")
        return Entry(name, path.read_bytes(), bool(status.st_mode & 0o111))
    except (OSError, RuntimeError) as error:
        raise SkilltoolError(f"{path}: {getattr(error, 'strerror', None) or error}") from None
