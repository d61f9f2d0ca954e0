"""Converts offsets in an inline text to offsets in the document.

markdown-it removes list markers, quote marks, indents, heading marks and the backslashes of table pipes from
the inline text of a block. `parser` records the pieces of lines from which an inline text is made, counted
from the ends of the lines, because the ends are the same in both.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

from skilltool.text.source import Span

# Matches once more at the end of a text: an empty last line.
_LINE = re.compile(r"(?P<text>[^\r\n]*)(?:\r\n|\n|\r|\Z)")


class Lines:
    """The lines of a body, numbered from 0 as in markdown-it."""

    def __init__(self, text: str, base: int) -> None:
        """Take the body and its offset in the document."""
        self._base = base
        matches = list(_LINE.finditer(text))
        self._starts = [base + m.start() for m in matches]
        self._ends = [base + m.end("text") for m in matches]

    def span(self, first: int, after: int) -> Span:
        """Return the span of the lines from `first` up to, not including, `after`."""
        return Span(self._starts[first], self._starts[after])

    def inline_text(self, pieces: Sequence[tuple[int, int, int]], first: int, after: int) -> InlineText:
        """Return the inline text that is made of `pieces` (see `parser.Piece`).

        `first` and `after` are the lines of its block; without pieces, every span is that of the block.
        """
        starts = [at for at, _, _ in pieces]
        offsets = [self._ends[line] - from_end for _, line, from_end in pieces]
        whole = Span(self._starts[first], self._ends[max(after - 1, first)])
        return InlineText(starts, offsets, whole)


class InlineText:
    """The position of one inline text in the document."""

    def __init__(self, starts: list[int], offsets: list[int], whole: Span) -> None:
        """Take the offsets of the pieces, in the inline text and in the document, and the block's span."""
        self._starts = starts
        self._offsets = offsets
        self._whole = whole

    def span(self, start: int, end: int) -> Span:
        """Return the span in the document of the inline text from `start` up to `end`."""
        if not self._starts:
            return self._whole
        return Span(self._offset(start), self._offset(end - 1) + 1 if end > start else self._offset(start))

    def _offset(self, at: int) -> int:
        piece = bisect_right(self._starts, at) - 1
        return self._offsets[piece] + at - self._starts[piece]
