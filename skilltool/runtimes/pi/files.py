"""Which files below a root are skills of pi, and in which order?

Source: `collectSkillEntries` in `dist/core/package-manager.js` of pi 1.5.2, and records. A directory with
a SKILL.md is a skill, and nothing below it is searched. Other `.md` files count directly in a root of pi, and
below, not in, a root of `.agents`. A linked directory is followed, but not searched twice: that adds nothing.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.pi.ignoring import Ignored
from skilltool.skill.skill_file import FILE_NAME

_MOST_DIRECTORIES = 4_000
_Inode = tuple[int, int]


class Found(NamedTuple):
    """The files of a root, and the directories with a file that is named like a SKILL.md and is not one."""

    files: list[Path]
    misnamed: list[Path]


def skill_files(root: Path, of_agents: bool) -> Found:
    """Return what a root has: names in byte order, what a directory has in its place."""
    walk = _Walk(of_agents)
    walk.directory(root, "")
    return Found(walk.found, walk.misnamed)


class _Walk:
    def __init__(self, of_agents: bool) -> None:
        self.found: list[Path] = []
        self.misnamed: list[Path] = []
        self._of_agents = of_agents
        self._ignored = Ignored()
        self._seen: set[_Inode] = set()

    def directory(self, top: Path, prefix: str) -> None:
        """Add the files of the root and of all directories below it."""
        waiting: list[tuple[Path, str, bool]] = [(top, prefix, True)]
        while waiting:  # a loop: a tree may be deeper than Python's recursion limit
            path, below, is_directory = waiting.pop()
            if not is_directory:
                self.found.append(path)
            elif len(self._seen) < _MOST_DIRECTORIES:
                waiting += reversed(self._inside(path, below))

    def _inside(self, directory: Path, prefix: str) -> list[tuple[Path, str, bool]]:
        """Return the files and directories that come of one directory, in their order."""
        status = _status(directory)
        if status is None or (status.st_dev, status.st_ino) in self._seen:
            return []
        self._seen.add((status.st_dev, status.st_ino))
        try:
            names = sorted(os.listdir(directory), key=os.fsencode)
        except OSError:
            return []
        self._ignored.enter(directory, prefix, frozenset(names))
        file = directory / FILE_NAME
        if FILE_NAME in names and _is_file(file) and not self._ignored.hides(prefix + FILE_NAME, False):
            return [(file, prefix, False)]
        flat = bool(prefix) == self._of_agents
        if prefix and not flat and any(name.lower() == FILE_NAME.lower() for name in names):
            self.misnamed.append(directory)
        return [
            (directory / name, f"{prefix}{name}/", is_directory)
            for name in names
            if not name.startswith(".") and name != "node_modules"
            for is_directory in self._kind(directory / name, prefix + name, flat)
        ]

    def _kind(self, path: Path, below: str, flat: bool) -> list[bool]:
        """Return [True] for a directory to search, [False] for a file that may be a skill, else nothing."""
        status = _status(path)
        if status is None:
            return []
        if stat.S_ISDIR(status.st_mode):
            return [] if self._ignored.hides(below, True) else [True]
        is_skill = flat and stat.S_ISREG(status.st_mode) and path.name.endswith(".md")
        return [False] if is_skill and not self._ignored.hides(below, False) else []


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def _is_file(path: Path) -> bool:
    status = _status(path)
    return status is not None and stat.S_ISREG(status.st_mode)
