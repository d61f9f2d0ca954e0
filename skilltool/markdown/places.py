"""From an offset in an inline text to the offset in the document.

markdown-it gives a block's inline text with list markers, quotes, indents, heading marks
and table pipes taken away, and says only on which lines it stood. Each line of the inline
text is a piece of a line of the document, so it is looked for there, from left to right.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from skilltool.source import Span

_PIPE = re.compile(r"\|")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|\Z)")


class Lines:
    """The lines of a body, numbered from 0 as markdown-it numbers them."""

    def __init__(self, text: str, base: int) -> None:
        """Take the body and its offset in the document."""
        self._text = text
        self._base = base
        self._starts = [m.start() for m in _LINE.finditer(text)]
        self._used: dict[int, int] = {}

    def span(self, first: int, after: int) -> Span:
        """Return the characters of the lines from `first` up to, not including, line `after`."""
        start, end = self._start(first), self._start(after)
        return Span(start + self._base, max(start, end) + self._base)

    def text(self, line: int) -> str:
        """Return one line without its line end."""
        return self._text[self._start(line) : self._start(line + 1)].rstrip("\r\n")

    def _start(self, line: int) -> int:
        return self._starts[line] if line < len(self._starts) else len(self._text)

    def place(self, inline: str, first: int, table_cell: bool = False) -> Place:
        """Find the inline text of a block that begins on line `first`.

        Cells of one table row must be asked for in their order: each begins where the one
        before it ended.
        """
        starts: list[int] = []
        offsets: list[int] = []
        at = 0
        for number, piece in enumerate(inline.split("\n")):
            stripped = piece.strip(" \t")
            offset = self._find(stripped, first + number, table_cell) - (
                len(piece) - len(piece.lstrip(" \t"))
            )
            starts.append(at)
            offsets.append(offset)
            for escapes, pipe in enumerate(_PIPE.finditer(piece) if table_cell else (), start=1):
                starts.append(at + pipe.start())
                offsets.append(offset + pipe.start() + escapes)
            at += len(piece) + 1
        return Place(starts, offsets, self._base)

    def _find(self, piece: str, line: int, table_cell: bool) -> int:
        """Return the offset in the body of a piece of inline text that stands on `line`.

        A table cell loses the backslash of each escaped pipe.
        """
        text = self.text(line)
        if not table_cell:
            return self._start(line) + max(text.rfind(piece), 0)
        written = piece.replace("|", "\\|")
        column = max(text.find(written, self._used.get(line, 0)), 0)
        self._used[line] = column + len(written)
        return self._start(line) + column


class Place:
    """Where one inline text stands."""

    def __init__(self, starts: list[int], offsets: list[int], base: int) -> None:
        """Take, per stretch without gaps, its offset in the inline text and in the body."""
        self._starts = starts
        self._offsets = offsets
        self._base = base

    def span(self, start: int, end: int) -> Span:
        """Return the document's span of the inline text from `start` up to `end`."""
        return Span(self._offset(start), self._offset(end - 1) + 1 if end > start else self._offset(start))

    def _offset(self, at: int) -> int:
        stretch = bisect_right(self._starts, at) - 1
        return self._base + self._offsets[stretch] + at - self._starts[stretch]
