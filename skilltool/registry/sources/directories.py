"""Skills in a directory, found as `lint` finds them; no link is followed out of a skill."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from skilltool.bounds.budget import too_large
from skilltool.bounds.limited_process import LimitedProcessError, call_limited
from skilltool.pack.entry_names import Limits, is_excluded
from skilltool.pack.reading import InvalidArchiveError, Tally
from skilltool.pack.unpacking import reason_of, unpack_into
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


class Source:
    """One source. `inputs` yields each skill once, and is read only as fast as skills are checked.

    `fraction` is how much of it was read, from 0 to 1; `problems` are messages about what could not be read.
    """

    def __init__(self, label: str) -> None:
        """Take the name by which rows refer to the source."""
        self.label = label
        self.fraction = 0.0
        self.problems: list[str] = []

    def inputs(self) -> Iterator[Input]:
        """Yield the skills, also those that cannot be read."""
        raise NotImplementedError

    def close(self) -> None:
        """Delete what was unpacked, if anything was."""


_CHUNK = 1 << 18


class _TooLargeError(Exception):
    """A skill has more bytes than are handed in."""


class Directory(Source):
    """The skills under a directory. The id of a skill is its path under the directory, after `prefix`.

    `refused` has paths under the directory with the reason why nothing is there: their skill is unreadable.
    """

    def __init__(self, path: Path, label: str, prefix: str, refused: Mapping[str, str] | None = None) -> None:
        """Take an existing directory; nothing is read before `inputs`."""
        super().__init__(label)
        self._top = Path(os.path.abspath(path))
        self._prefix = prefix
        self._refused = dict(refused or {})

    def inputs(self) -> Iterator[Input]:
        """Yield each skill in the order of paths."""
        discovery = discover([self._top])
        self.problems += discovery.problems
        for number, directory in enumerate(discovery.skills, start=1):
            yield self._input(directory)
            self.fraction = number / len(discovery.skills)

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


# Of an archive with many skills. Its names are kept in memory while it is unpacked, some 400 bytes each.
LIMITS = Limits(files=300_000, entries=600_000, bytes=16 << 30, archive=32 << 30, directory=1 << 26)
_SECONDS = 60.0  # of processor time to unpack, and one more for each of these bytes:
_PER_SECOND = 4 << 20


class Archive(Source):
    """The skills in an archive; the id of a skill is its path in it, after `prefix`."""

    def __init__(self, path: Path, label: str, prefix: str) -> None:
        """Take an existing file; it is unpacked when it is read."""
        super().__init__(label)
        self._path, self._prefix = path, prefix
        self._folder: TemporaryDirectory[str] | None = None

    def inputs(self) -> Iterator[Input]:
        """Yield each skill in the order of paths; one that is not unpacked whole is unreadable."""
        self._folder = TemporaryDirectory(prefix="skilltool-")
        top = Path(os.path.realpath(self._folder.name))
        request = {"archive": str(self._path.absolute()), "top": str(top)}
        seconds = _SECONDS + self._path.stat().st_size / _PER_SECOND
        try:
            answer = call_limited(f"{__name__}:answer", request, seconds)
        except LimitedProcessError as error:
            answer = {"problem": str(error)}
        if "problem" in answer:
            self.problems.append(f"{self._path}: {answer['problem']}")
            yield Unread(f"{self._prefix}{self.label}", self.label, self.label, answer["problem"])
            return
        directory = Directory(top, self.label, self._prefix, answer["refused"])
        for each in directory.inputs():
            self.fraction = directory.fraction
            yield each
        self.fraction = 1.0
        self.problems += directory.problems

    def close(self) -> None:
        """Delete what was unpacked."""
        if self._folder is not None:
            self._folder.cleanup()


class _Admission(Tally):
    """Leaves out what never belongs to a skill, and notes what is refused: it spoils only its skill."""

    def __init__(self) -> None:
        super().__init__(LIMITS)
        self.refused: dict[str, str] = {}

    def admit(self, name: str, mode: int, size: int, is_folder: bool) -> str | None:
        if any(map(is_excluded, name.rstrip("/").removeprefix("./").split("/"))):
            return None
        return super().admit(name, mode, size, is_folder)

    def refuse(self, name: str, problem: str) -> None:
        self.refused[name.removeprefix("./")] = problem


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Unpack an archive under the empty directory `top`, in a process with limits; paths are absolute."""
    tally = _Admission()
    try:
        with Path(request["archive"]).open("rb") as file:
            unpack_into(file, Path(request["top"]), tally)
    except InvalidArchiveError as error:
        return {"problem": str(error)}
    except Exception as error:
        if (reason := reason_of(error)) is None:
            raise
        return {"problem": reason}
    return {"refused": tally.refused}
