"""What lies in a directory: its files, its directories and its links, none of which is followed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

MAX_FILES = 10_000
MAX_DEPTH = 32
# Other people's files, or none of the author's.
PASSED_OVER = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules"})


class Link(NamedTuple):
    """A symbolic link: its path below the directory, and whether it leads out of that directory."""

    path: str
    target: str
    escapes: bool


class Tree(NamedTuple):
    """What lies below a directory, as paths relative to it with `/`.

    `complete` is False where a bound was reached (`MAX_FILES` entries, `MAX_DEPTH` directories one
    in another), a directory could not be read, or one of `PASSED_OVER` was.
    """

    files: frozenset[str]
    directories: frozenset[str]
    links: tuple[Link, ...]
    complete: bool


def read(top: Path) -> Tree:
    """Walk the directory `top`, whose path holds no link. Never raises."""
    files: list[str] = []
    directories: list[str] = []
    links: list[Link] = []
    complete = True
    pending = [("", os.fspath(top), 0)]
    while pending:
        prefix, place, depth = pending.pop()
        try:
            with os.scandir(place) as entries:
                for entry in entries:
                    path = prefix + entry.name
                    if entry.is_symlink():
                        links.append(_link(top, path))
                    elif not entry.is_dir(follow_symlinks=False):
                        files.append(path)
                    elif entry.name in PASSED_OVER or depth == MAX_DEPTH:
                        complete = False
                    else:
                        directories.append(path)
                        pending.append((f"{path}/", entry.path, depth + 1))
        except OSError:
            complete = False
        if len(files) + len(directories) + len(links) > MAX_FILES:
            complete = False
            break
    links.sort(key=lambda link: link.path)
    return Tree(frozenset(files), frozenset(directories), tuple(links), complete)


def _link(top: Path, path: str) -> Link:
    try:
        target = str((top / path).readlink())
        real = os.path.realpath(top / path)
    except OSError:
        return Link(path, "", escapes=True)
    return Link(path, target, escapes=not Path(real).is_relative_to(top))
