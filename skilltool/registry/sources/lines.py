"""A table of files as JSON Lines: `{"skill_id", "path", "bytes"}` in base64, or `text` instead of `bytes`."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from pathlib import Path

from skilltool.registry.sources.rows import Row, grouped
from skilltool.registry.sources.source import Source
from skilltool.registry.submitted import MAX_SKILL, MAX_SKILL_MIB, Input

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
                    yield Row(
                        self._unnamed(number), "SKILL.md", b"", f"its line has more than {MAX_SKILL_MIB}"
                    )
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
            return Row(self._unnamed(number), "SKILL.md", b"", f"line {number} is not JSON")
        if not isinstance(data, dict) or not isinstance(data.get("skill_id"), str):
            return Row(
                self._unnamed(number), "SKILL.md", b"", f"line {number} has no `skill_id` that is a string"
            )
        skill_id, path = data["skill_id"], data.get("path")
        if not isinstance(path, str):
            return Row(skill_id, "", b"", f"line {number} has no `path` that is a string")
        try:
            return Row(skill_id, path, _content(data))
        except (ValueError, binascii.Error):
            return Row(skill_id, path, b"", f"line {number} has neither `bytes` in base64 nor `text`")


def _content(data: dict[str, object]) -> bytes:
    raw, text = data.get("bytes"), data.get("text")
    if isinstance(raw, str):
        return base64.b64decode(raw, validate=True)
    if isinstance(text, str):
        return text.encode("utf-8", "surrogatepass")
    raise ValueError
