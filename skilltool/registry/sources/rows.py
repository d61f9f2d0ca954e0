"""Rows `(skill_id, path, bytes)` of a table become skills; the rows of one skill lie together."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.bounds.budget import too_large
from skilltool.pack.entry_names import EntryNames, name_problem
from skilltool.registry.sources.directories import Source
from skilltool.registry.submitted import (
    MAX_FILES,
    MAX_SKILL,
    MAX_SKILL_MIB,
    File,
    Input,
    Submitted,
    Unread,
    file_of,
)

LONGEST_ID = 4_096  # characters


def short_id(skill_id: str) -> str:
    """Return the beginning of an id that is too long, with a digest, so that it stays another than others."""
    digest = hashlib.sha256(skill_id.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{skill_id[:80]}\u2026{digest[:16]}"


class Row(NamedTuple):
    """One file of one skill, None where a `problem` says why there is none."""

    skill_id: str
    file: File | None
    problem: str | None = None


class _Group:
    """The rows of one skill so far."""

    def __init__(self, skill_id: str, label: str) -> None:
        self.skill_id = skill_id
        self._label = label
        self._directory = skill_id.rpartition("/")[2]
        self._files: list[File] = []
        self._names = EntryNames()
        self._left = MAX_SKILL
        self._refused: Unread | None = None
        if len(skill_id) > LONGEST_ID:
            self.skill_id = short_id(skill_id)
            self._refuse(f"its id is longer than {LONGEST_ID:,} characters")
        elif problem := name_problem(self._directory):
            self._refuse(f"the last part of its id, which is its directory name, {problem}")

    def add(self, row: Row) -> None:
        """Take a file; after one that is not fit, or too many, the others are dropped."""
        if row.file is None:
            self._refuse(row.problem or "it has no file")
        if row.file is None or self._refused is not None:
            return
        self._left -= row.file.size
        if problem := name_problem(row.file.path):
            self._refuse(f"the path `{row.file.path[:80]}` {problem}")
        elif self._left < 0:
            self._refuse(too_large(f"{MAX_SKILL_MIB} of files"), "over-bound")
        elif len(self._files) >= MAX_FILES:
            self._refuse(too_large(f"{MAX_FILES:,} files"), "over-bound")
        elif problem := self._names.add(row.file.path):
            self._refuse(problem)
        else:
            self._files.append(row.file)

    def _refuse(self, why: str, status: str = "unreadable") -> None:
        self._refused = Unread(self.skill_id, self._label, self._directory, why, status)
        self._files.clear()

    def input(self) -> Input:
        """Return the skill."""
        if self._refused is not None:
            return self._refused
        folders = {path.rpartition("/")[0] for path, *_ in self._files if "/" in path}
        return Submitted(
            self.skill_id, self._label, self._directory, tuple(self._files), tuple(sorted(folders))
        )


def grouped(rows: Iterable[Row], label: str) -> Iterator[Input]:
    """Yield the skill of each run of rows with one id."""
    group: _Group | None = None
    current = ""
    for row in rows:
        if group is None or row.skill_id != current:
            if group is not None:
                yield group.input()
            group, current = _Group(row.skill_id, label), row.skill_id
        group.add(row)
    if group is not None:
        yield group.input()


_LONGEST = MAX_SKILL * 4 // 3 + (1 << 16)  # bytes of a line: the largest file in base64, and its names


class Lines(Source):
    """A file of JSON Lines."""

    def __init__(self, path: Path, label: str) -> None:
        """Take an existing file."""
        super().__init__(label)
        self._path = path

    def inputs(self) -> Iterator[Input]:
        """Yield each skill in the order of the file."""
        return grouped(self._rows(), self.label)

    def _rows(self) -> Iterator[Row]:
        size = max(self._path.stat().st_size, 1)
        with self._path.open("rb") as file:
            number = 0
            while line := file.readline(_LONGEST + 1):
                number += 1
                if len(line) > _LONGEST:
                    yield Row(self._unnamed(number), None, f"its line is longer than {MAX_SKILL_MIB}")
                    while line and not line.endswith(b"\n"):
                        line = file.readline(_LONGEST)
                elif line.strip():
                    yield self._row(line, number)
                self.fraction = file.tell() / size

    def _unnamed(self, number: int) -> str:
        """Return an id for a line that has none."""
        return f"{self.label}:{number}"

    def _row(self, line: bytes, number: int) -> Row:
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            return Row(self._unnamed(number), None, f"line {number} is not JSON")
        if not isinstance(data, dict) or not isinstance(data.get("skill_id"), str):
            return Row(self._unnamed(number), None, f"line {number} has no `skill_id` that is a string")
        skill_id, path = data["skill_id"], data.get("path")
        if not isinstance(path, str):
            return Row(skill_id, None, f"line {number} has no `path` that is a string")
        try:
            return Row(skill_id, file_of(path, [_content(data)]))
        except (ValueError, binascii.Error):
            return Row(skill_id, None, f"line {number} has neither `bytes` in base64 nor `text`")


def _content(data: dict[str, object]) -> bytes:
    raw, text = data.get("bytes"), data.get("text")
    if isinstance(raw, str):
        return base64.b64decode(raw, validate=True)
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    raise ValueError
