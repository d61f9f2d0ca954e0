"""From an offset in an inline text to the offset in the document.

markdown-it gives a block's inline text with list markers, quotes, indents, heading marks and
the backslashes of table pipes taken away. `parser` has noted of which pieces of which lines it
is made, counted from the ends of the lines, which are the same in both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from skilltool.text.source import Span

# At the end of a text it matches once more: a last, empty line, where the one before it ends.
_LINE = re.compile(r"(?P<text>[^\r\n]*)(?:\r\n|\n|\r|\Z)")


class Lines:
    """The lines of a body, numbered from 0 as markdown-it numbers them."""

    def __init__(self, text: str, base: int) -> None:
        """Take the body and its offset in the document."""
        self._base = base
        matches = list(_LINE.finditer(text))
        self._starts = [base + m.start() for m in matches]
        self._ends = [base + m.end("text") for m in matches]

    def span(self, first: int, after: int) -> Span:
        """Return the characters of the lines from `first` up to, not including, line `after`."""
        return Span(self._starts[first], self._starts[after])

    def place(self, pieces: Sequence[tuple[int, int, int]], first: int, after: int) -> Place:
        """Return where an inline text stands that is made of `pieces` (see `parser.Piece`).

        `first` and `after` are the lines of its block: with no pieces, its place is all of them.
        """
        starts = [at for at, _, _ in pieces]
        offsets = [self._ends[line] - from_end for _, line, from_end in pieces]
        whole = Span(self._starts[first], self._ends[max(after - 1, first)])
        return Place(starts, offsets, whole)


class Place:
    """Where one inline text stands."""

    def __init__(self, starts: list[int], offsets: list[int], whole: Span) -> None:
        """Take, per piece, its offset in the inline text and in the document; and the whole block."""
        self._starts = starts
        self._offsets = offsets
        self._whole = whole

    def span(self, start: int, end: int) -> Span:
        """Return the document's span of the inline text from `start` up to `end`."""
        if not self._starts:
            return self._whole
        return Span(self._offset(start), self._offset(end - 1) + 1 if end > start else self._offset(start))

    def _offset(self, at: int) -> int:
        piece = bisect_right(self._starts, at) - 1
        return self._offsets[piece] + at - self._starts[piece]
