"""How do runtimes scan a root: one level or any depth, which links do they follow, in which order?"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path


def names(directory: Path) -> list[str]:
    """Return the names in a directory in the byte order of their encoding; raises OSError.

    That is the order of Go's `os.ReadDir`. It also stands in for the file system's own order if a runtime
    does not sort.
    """
    return sorted(os.listdir(directory), key=os.fsencode)


def children(directory: Path) -> list[Path]:
    """Return the path of every entry of a directory, in the order of `names`; raises OSError."""
    return [directory / name for name in names(directory)]


def is_real_directory(path: Path) -> bool:
    """Return whether `path` is a directory itself, not a link to one."""
    return _is_directory(path, follow_links=False)


def is_directory_entry(path: Path) -> bool:
    """Return whether `path` is a directory or a link to one."""
    return _is_directory(path, follow_links=True)


def is_here(path: Path) -> bool:
    """Return whether something is at `path`; False also where that may not be asked."""
    return os.path.exists(path)  # noqa: PTH110 - `Path.exists` raises where permission is missing


def is_file_here(path: Path) -> bool:
    """Return whether a regular file is at `path`; False also where that may not be asked."""
    return os.path.isfile(path)  # noqa: PTH113 - as above


def is_directory_here(path: Path) -> bool:
    """Return whether a directory is at `path`; False also where that may not be asked."""
    return os.path.isdir(path)  # noqa: PTH112 - as above


def is_link_here(path: Path) -> bool:
    """Return whether a symbolic link is at `path`; False also where that may not be asked."""
    return os.path.islink(path)  # noqa: PTH114 - as above


def _is_directory(path: Path, follow_links: bool) -> bool:
    """Answer as a directory listing does: it knows the type of an entry without opening it."""
    try:
        status = path.stat() if follow_links else path.lstat()
        return stat.S_ISDIR(status.st_mode)
    except PermissionError:
        with suppress(OSError), os.scandir(path.parent) as entries:
            return any(each.name == path.name and each.is_dir(follow_symlinks=False) for each in entries)
    except (OSError, ValueError):
        pass
    return False


def files_below(
    top: Path, name: str, any_case: bool = False
) -> tuple[list[Path], list[tuple[Path, OSError]]]:
    """Return everything named `name` at any depth below `top`, as Python's `sorted(rglob(name))` does.

    With `any_case` also what differs from it in case only.
    Linked directories are not entered. A file may be a link, even a broken one, and a directory of that name
    counts, too. Directories below `top` that cannot be listed are skipped, and returned with the error.
    """
    found: list[Path] = []
    unlistable: list[tuple[Path, OSError]] = []
    waiting = [os.fspath(top)]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        directory = waiting.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    if entry.name == name or (any_case and entry.name.lower() == name.lower()):
                        found.append(Path(entry.path))
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            if directory != os.fspath(top):
                unlistable.append((Path(directory), error))
    return sorted(found), sorted(unlistable, key=lambda each: each[0])
