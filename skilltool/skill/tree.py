"""Lists a directory: its files, its directories and its links, which are not followed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

MAX_FILES = 10_000
MAX_DEPTH = 32
# Files of tools and of other people.
SKIPPED_DIRECTORIES = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules"})


class Link(NamedTuple):
    """A symbolic link: its path below the directory, its target as written, and whether it leads outside."""

    path: str
    target: str
    escapes: bool


class Tree(NamedTuple):
    """The content of a directory, as relative paths with `/`.

    `complete` is False if a limit was reached (`MAX_FILES` entries, `MAX_DEPTH` nested directories), a
    directory could not be read, or one of `SKIPPED_DIRECTORIES` was skipped.
    """

    files: frozenset[str]
    directories: frozenset[str]
    links: tuple[Link, ...]
    complete: bool


def read(top: Path) -> Tree:
    """List the directory `top`, a real path. Never raises."""
    files: list[str] = []
    directories: list[str] = []
    links: list[Link] = []
    complete = True
    pending = [("", os.fspath(top), 0)]
    while pending:
        prefix, directory, depth = pending.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    path = prefix + entry.name
                    if entry.is_symlink():
                        links.append(_link(top, path))
                    elif not entry.is_dir(follow_symlinks=False):
                        files.append(path)
                    elif entry.name in SKIPPED_DIRECTORIES or depth == MAX_DEPTH:
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
