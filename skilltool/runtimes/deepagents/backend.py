"""How does Deep Agents reach the file system: its own paths, directories, files, and what goes wrong?

Source: `deepagents/backends/filesystem.py` of deepagents 0.7.32, and runs of it with Python 3.11, whose words
for a link that leads to itself these are.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.loading import (
    bytes_beside_skills,
    children,
    exists,
    is_directory,
    is_link_here,
    read_bytes,
)

LOGGER = "deepagents.backends.filesystem"
NOT_FOUND = "file_not_found"


class Entry(NamedTuple):
    """Something in a directory: its path as the framework writes it, and where it really is."""

    path: str
    real: Path
    is_directory: bool


class Listing(NamedTuple):
    """What is in a directory, what went wrong if something did, and how much of that is logged."""

    entries: tuple[Entry, ...] = ()
    error: str | None = None
    logged: tuple[str, ...] = ()
    links: tuple[Path, ...] = ()
    """The links to nothing, which are passed over."""


class Backend(NamedTuple):
    """A file system as the agent sees it: whole, or, if `virtual`, only what is in `top`, as `/`."""

    top: Path
    virtual: bool = False

    def place(self, path: str) -> Path:
        """Return where a path leads; raises OSError, and ValueError for one that leads out of `top`."""
        if self.virtual:
            return self._below_top(path if path.startswith("/") else f"/{path}")
        found = Path(path)
        if not found.is_absolute():
            return _resolved(self.top / found)
        if _is_loop(found):
            found.stat()  # raises
        return found

    def _below_top(self, path: str) -> Path:
        if ".." in path or path.startswith("~"):
            raise ValueError("Path traversal not allowed")
        top = os.path.realpath(self.top)
        found = _resolved(Path(top) / path.lstrip("/"))
        if not found.is_relative_to(top):
            raise ValueError(f"Path:{found} outside root directory: {top}")
        return found

    def listing(self, path: str) -> Listing:
        """List a directory, sorted by path, where that of a directory ends in `/`; raises ValueError."""
        try:
            directory = self.place(path)
            if not exists(directory):
                return Listing(error=f"Path '{path}': path_not_found")
            if not is_directory(directory):
                return Listing(error=f"Path '{path}': not_a_directory")
        except OSError as error:
            words = f"Cannot list '{path}': {error}"
            return Listing(error=words, logged=(words,))
        found: list[Entry] = []
        problems: list[str] = []
        try:
            below = children(directory)
        except OSError as error:
            below = []
            problems.append(f"Listing of '{path}' aborted: {error}")
        dead = [child for child in below if not self._add(child, found, problems)]
        found.sort(key=lambda entry: entry.path)
        return Listing(tuple(found), "\n".join(sorted(problems)) or None, tuple(problems), tuple(dead))

    def _add(self, child: Path, found: list[Entry], problems: list[str]) -> bool:
        """Add what a child is; return False for a link to nothing."""
        try:
            is_folder = is_directory(child)
            is_file = not is_folder and stat.S_ISREG(child.stat().st_mode) if exists(child) else False
        except OSError as error:
            problems.append(f"child error: cannot stat '{child}': {error}")
            return True
        if not is_file and not is_folder:
            if _is_loop(child):
                problems.append(f"child error: cannot resolve '{child}': {_loop(child)}")
            return not is_link_here(child)
        shown = self._shown(child)
        if shown is not None:
            found.append(Entry(f"{shown}/" if is_folder else shown, child, is_folder))
        return True

    def _shown(self, path: Path) -> str | None:
        """Return a path as the framework writes it, None for one that it passes over."""
        if not self.virtual:
            return str(path)
        top, real = Path(os.path.realpath(self.top)), Path(os.path.realpath(path))
        return f"/{real.relative_to(top).as_posix()}" if real.is_relative_to(top) else None

    def download(self, path: str, of_skill: bool = True) -> bytes | str:
        """Return the content of a file, or the framework's word for what is wrong.

        A file that is a link is not opened. Raises OSError for what it has no word for, and `Refusal` for
        what skilltool does not read.
        """
        try:
            place = self.place(path)
            if is_directory(place):
                return "is_directory"
            if is_link_here(place):
                return "invalid_path"
            return read_bytes(place) if of_skill else bytes_beside_skills(place)
        except ValueError:
            return "invalid_path"
        except OSError as error:
            return _word(error)


def _word(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return NOT_FOUND
    if error.errno == errno.ELOOP or isinstance(error, NotADirectoryError):
        return "invalid_path"
    if isinstance(error, PermissionError):
        return "permission_denied"
    if isinstance(error, IsADirectoryError):
        return "is_directory"
    raise error


def _resolved(path: Path) -> Path:
    """Return a path without links; raises OSError, in words of Python 3.11, for one that leads to itself."""
    if _is_loop(path):
        raise _loop(path)
    return Path(os.path.realpath(path))


def _loop(path: Path) -> OSError:
    error = OSError(f"Symlink loop from '{os.path.realpath(path)}'")
    error.errno = errno.ELOOP
    return error


def _is_loop(path: Path) -> bool:
    if not is_link_here(path):
        return False
    try:
        path.stat()
    except OSError as error:
        return error.errno == errno.ELOOP
    return False
