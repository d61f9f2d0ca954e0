"""Skills in a zip or tar archive: unpacked as `pack --check` unpacks one, then read as a directory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from skilltool.bounds.limited_process import LimitedProcessError, call_limited
from skilltool.pack.entry_names import Limits, is_excluded
from skilltool.pack.reading import InvalidArchiveError, Tally
from skilltool.pack.unpacking import reason_of, unpack_into
from skilltool.registry.sources.directories import Directory
from skilltool.registry.sources.source import Source
from skilltool.registry.submitted import Input, Unread

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
    """Unpack an archive below the empty directory `top`, in a process with limits; paths are absolute."""
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
