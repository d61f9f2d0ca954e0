"""Skills in a directory, found as `lint` finds them; no link is followed out of a skill."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO

from skilltool.bounds.budget import too_large
from skilltool.registry.sources.source import Source
from skilltool.registry.submitted import (
    HEAD,
    MAX_SKILL,
    MAX_SKILL_MIB,
    File,
    Input,
    Submitted,
    Unread,
    file_of,
)
from skilltool.skill import tree
from skilltool.skill.discovery import discover
from skilltool.skill.skill_file import read_skill_file, skill_file

_CHUNK = 1 << 18


class _TooLargeError(Exception):
    """A skill has more bytes than are handed in."""


class Directory(Source):
    """The skills below a directory. The id of a skill is its path below the directory, after `prefix`.

    `refused` has paths below the directory with the reason why nothing is there: their skill is unreadable.
    """

    def __init__(self, path: Path, label: str, prefix: str, refused: Mapping[str, str] | None = None) -> None:
        """Take an existing directory; nothing is read before `inputs`."""
        super().__init__(label)
        self._top = Path(os.path.abspath(path))
        self._prefix = prefix
        self._refused = dict(refused or {})

    def inputs(self) -> Iterator[Input]:
        """Yield each skill in the order of paths."""
        found = discover([self._top])
        self.problems += found.problems
        for number, directory in enumerate(found.skills, start=1):
            yield self._input(directory)
            self.fraction = number / len(found.skills)

    def _input(self, directory: Path) -> Input:
        inside = directory.relative_to(self._top).as_posix() if directory.is_relative_to(self._top) else "."
        skill_id = self._prefix + (directory.name if inside == "." else inside)
        if self._refused:
            below = "" if inside == "." else f"{inside}/"
            if reason := next((why for path, why in self._refused.items() if path.startswith(below)), None):
                return Unread(skill_id, self.label, directory.name, reason)
        try:
            return _read(directory, skill_id, self.label)
        except _TooLargeError:
            why = too_large(f"{MAX_SKILL_MIB} of files")
            return Unread(skill_id, self.label, directory.name, why, "over-bound")
        except OSError as error:
            where = os.path.relpath(error.filename, directory) if error.filename else "."
            return Unread(skill_id, self.label, directory.name, f"`{where}`: {error.strerror or error}")


def _read(directory: Path, skill_id: str, label: str) -> Input:
    real = Path(os.path.realpath(directory))
    names = os.listdir(real)
    listed = tree.read(real)
    if listed.excess is not None:
        return Unread(skill_id, label, real.name, listed.excess, "over-bound")
    links = {link.path: link.target for link in listed.links}
    named = skill_file(names)
    files: list[File] = []
    left = MAX_SKILL
    for path in sorted({*listed.files, *links}):
        files.append(_file(real, path, links.get(path), is_skill=path == named, left=left))
        left -= files[-1].size
    # What lint does not enter is known by its name only.
    skipped = tree.SKIPPED_DIRECTORIES.intersection(names)
    return Submitted(skill_id, label, real.name, tuple(files), tuple(sorted({*listed.directories, *skipped})))


def _file(top: Path, path: str, link: str | None, is_skill: bool, left: int) -> File:
    file = top / path
    if link is not None:
        raw, size, unreadable = read_skill_file(file, top) if is_skill else (b"", 0, "a link")
        if unreadable is None and size == len(raw):
            return file_of(path, [raw])
        return File(path, b"", 0, b"", link)
    if not stat.S_ISREG(file.lstat().st_mode):
        return File(path, b"", 0, b"")
    with file.open("rb", buffering=0) as opened:
        return file_of(path, _chunks(opened, left))


def _chunks(opened: IO[bytes], left: int) -> Iterator[bytes]:
    while chunk := opened.read(min(_CHUNK, HEAD)):
        left -= len(chunk)
        if left < 0:
            raise _TooLargeError
        yield chunk
