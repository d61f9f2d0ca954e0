"""How runtimes look through a root: one level or any depth, which links they follow, in which order."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path


def names(directory: Path) -> list[str]:
    """Return the names in a directory in the byte order of their encoding; raises OSError.

    It is the order of Go's `os.ReadDir`, and stands for the file system's own order where a
    runtime lists unsorted.
    """
    return sorted(os.listdir(directory), key=os.fsencode)


def children(directory: Path) -> list[Path]:
    """Return all entries of a directory, in byte order; raises OSError."""
    return [directory / name for name in names(directory)]


def is_real_directory(path: Path) -> bool:
    """Return whether `path` is a directory and no link to one."""
    return _is_directory(path, follow_links=False)


def is_directory_entry(path: Path) -> bool:
    """Return whether `path` is a directory or a link to one."""
    return _is_directory(path, follow_links=True)


def _is_directory(path: Path, follow_links: bool) -> bool:
    """Ask as a listing does, which knows what its entries are also where they must not be looked at."""
    try:
        status = path.stat() if follow_links else path.lstat()
        return stat.S_ISDIR(status.st_mode)
    except PermissionError:
        with suppress(OSError), os.scandir(path.parent) as entries:
            return any(each.name == path.name and each.is_dir(follow_symlinks=False) for each in entries)
    except (OSError, ValueError):
        pass
    return False


def files_below(top: Path, name: str) -> list[Path]:
    """Return what is called `name` at any depth below `top`, as Python's `sorted(rglob(name))`.

    Directories behind links are not entered; a file may be a link, also a broken one, and a directory
    counts as a file. What cannot be listed is passed over.
    """
    found: list[Path] = []
    waiting = [os.fspath(top)]
    while waiting:  # no call in a call: a tree may be deeper than those may be
        directory = waiting.pop()
        with suppress(OSError), os.scandir(directory) as entries:
            for entry in entries:
                if entry.name == name:
                    found.append(Path(entry.path))
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return sorted(found)
