"""Counts what an archive contains, and raises at the first entry that is over a limit or not fit."""

from __future__ import annotations

import stat

from skilltool.errors import SkilltoolError
from skilltool.pack.entry_names import EntryNames, is_excluded, name_problem, shown
from skilltool.pack.limits import ONE_SKILL, Limits

CHUNK = 1 << 16  # bytes that are read, decompressed and written at once


class InvalidArchiveError(SkilltoolError):
    """An archive that is unsafe to unpack or not one skill; the text names the entry at fault."""


class Tally:
    """The entries of one archive so far, and the bytes of their contents."""

    def __init__(self, limits: Limits = ONE_SKILL) -> None:
        """Begin with no entry."""
        self.limits = limits
        self._names = EntryNames(limits)
        self._announced = 0
        self._unpacked = 0
        self._entries = 0

    def admit(self, name: str, mode: int, size: int, is_folder: bool) -> str | None:
        """Return the path to unpack an entry to, None for a directory; raises `InvalidArchiveError`.

        `mode` is the one of Unix with the type of the file, 0 if the archive has none; `size` is the number
        of bytes that the archive says it has. Nothing of the entry has been read yet.
        """
        self._entries += 1
        if self._entries > self.limits.entries:
            raise InvalidArchiveError(
                f"contains more than the {self.limits.entries:,} files and directories that skilltool allows"
            )
        path = name.removeprefix("./")
        if is_folder and path in ("", "."):
            return None
        if problem := _problem(name, path, mode, size, is_folder):
            self.refuse(name, f"the entry {shown(name)} {problem}")
            return None
        if problem := self._names.add(path.rstrip("/"), not is_folder):
            self.refuse(name, problem)
            return None
        self._announced += size
        self._check_size(self._announced)
        return None if is_folder else path

    def refuse(self, name: str, problem: str) -> None:
        """Raise `InvalidArchiveError` for an entry that is not fit; `problem` is a clause."""
        raise InvalidArchiveError(problem)

    def unpack(self, size: int) -> None:
        """Count bytes that were decompressed, whatever the archive says; raises `InvalidArchiveError`."""
        self._unpacked += size
        self._check_size(self._unpacked)

    def _check_size(self, size: int) -> None:
        if size > self.limits.bytes:
            most = f"{self.limits.bytes >> 20:,} MiB"
            raise InvalidArchiveError(f"unpacks to more than the {most} that skilltool allows")


def _problem(name: str, path: str, mode: int, size: int, is_folder: bool) -> str | None:
    """Return what is wrong with one entry by itself, as a predicate, or None."""
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG, stat.S_IFDIR if is_folder else 0):
        return "is a link or a special file"
    if problem := name_problem(path if path.strip("/") else name):
        return problem
    if path.endswith("/") and not is_folder:
        return "is a file whose name ends in a slash"
    left_out = next(filter(is_excluded, path.rstrip("/").split("/")), None)
    if left_out is not None:
        return f"must not be in a skill: `skilltool pack` leaves out {shown(left_out)}"
    if is_folder and size:
        return "is a directory with content"
    if mode & (stat.S_ISUID | stat.S_ISGID) and not is_folder:
        return "runs with the rights of its owner or group (set-user-ID or set-group-ID)"
    return None
