"""Decodes files, and converts offsets to lines and columns.

Offsets count code points of the decoded file, from 0, including a byte order mark and every carriage return.
Lines and columns are 1-based, columns in code points; only reports use them.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

Answer = TypeVar("Answer")
_BOM = "\ufeff"
_ALSO_ASCII = "\u0130\u0131\u017f\u212a"  # what `re.IGNORECASE` takes for i, s or k
_NEAR = 4096  # characters; up to here counting is faster than building the line table


class Span(NamedTuple):
    """The characters from offset `start` up to, not including, offset `end`."""

    start: int
    end: int

    def shifted(self, by: int) -> Span:
        """Return this span moved right by `by` characters."""
        return Span(self.start + by, self.end + by)


class Position(NamedTuple):
    """A 1-based line and a 1-based column in code points, as a person counts them."""

    line: int
    column: int


class Source:
    """A decoded file: its text, its encoding, and the spans of invalid bytes.

    `text` keeps the byte order mark and all line ends. Each byte that cannot be decoded is one U+FFFD in
    `text`, and `invalid` has its span.
    """

    def __init__(self, text: str, encoding: str = "utf-8", invalid: tuple[Span, ...] = ()) -> None:
        """Take a text, its encoding, and the spans of U+FFFD that replace invalid bytes."""
        self.text = text
        self.encoding = encoding
        self.invalid = invalid
        self._answers: dict[Any, Any] = {}

    def once(self, question: Callable[[Source], Answer]) -> Answer:
        """Return `question(self)`; the answer is kept."""
        if question not in self._answers:
            self._answers[question] = question(self)
        answer: Answer = self._answers[question]
        return answer

    @property
    def is_lossless(self) -> bool:
        """Whether encoding the text as UTF-8 gives the bytes of the file again."""
        return self.encoding == "utf-8" and not self.invalid

    @classmethod
    def decode(cls, raw: bytes) -> Source:
        """Decode the bytes of a file as UTF-8, or as UTF-16 if a byte order mark says so. Never raises."""
        if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            return cls(raw.decode("utf-16", errors="replace"), encoding="utf-16")
        try:
            return cls(raw.decode("utf-8"))
        except UnicodeDecodeError:
            text = raw.decode("utf-8", errors="surrogateescape")
        invalid = tuple(Span(*m.span()) for m in re.finditer("[\udc80-\udcff]+", text))
        return cls(re.sub("[\udc80-\udcff]", "\ufffd", text), invalid=invalid)

    @property
    def bom(self) -> bool:
        """Whether the file starts with a UTF-8 byte order mark."""
        return self.text.startswith(_BOM)

    @cached_property
    def folded(self) -> bytes:
        """The text with its ASCII letters, and what `re.IGNORECASE` takes for them, in lower case.

        As bytes it takes a fifth of the time of folding the case of all letters.
        """
        text = self.text
        if not text.isascii() and any(letter in text for letter in _ALSO_ASCII):
            text = text.casefold().replace("i\u0307", "i").replace("\u0131", "i")
        return text.encode("utf-8", "surrogatepass").lower()

    @cached_property
    def newline(self) -> str:
        r"""The line ending of the file: `"\n"`, `"\r\n"`, `"\r"`, `"mixed"`, or `""` for none."""
        crlf = self.text.count("\r\n")
        lone_cr = self.text.count("\r") - crlf
        lone_lf = self.text.count("\n") - crlf
        kinds = [end for end, n in (("\n", lone_lf), ("\r\n", crlf), ("\r", lone_cr)) if n]
        return kinds[0] if len(kinds) == 1 else "mixed" if kinds else ""

    @cached_property
    def _lines(self) -> list[int]:
        """The offset of the start of each line."""
        text = self.text
        if "\r" in text:  # which becomes another line end at the same offset, or a character before one
            text = text.replace("\r\n", " \n").replace("\r", "\n")
        return list(accumulate((len(line) + 1 for line in text.split("\n")[:-1]), initial=0))

    @property
    def line_count(self) -> int:
        """The number of lines; a final line end does not start another line."""
        return len(self._lines) - (self._lines[-1] == len(self.text))

    def position(self, offset: int) -> Position:
        """Return the line and column of the character at `offset`; a byte order mark takes up no column."""
        if offset < _NEAR and "_lines" not in self.__dict__ and "\r" not in self.text[: offset + 1]:
            line = self.text.count("\n", 0, offset) + 1  # most offsets are in the frontmatter
            column = offset - self.text.rfind("\n", 0, offset)
        else:
            line = bisect_right(self._lines, offset)
            column = offset - self._lines[line - 1] + 1
        if line == 1 and self.bom and column > 1:
            column -= 1
        return Position(line, column)

    def line_start(self, line: int) -> int:
        """Return the offset of the start of the 1-based `line`; after the last line, the end of the text."""
        return self._lines[line - 1] if line <= len(self._lines) else len(self.text)

    def line_span(self, offset: int) -> Span:
        """Return the span of the line that contains `offset`, without its line end and without a BOM."""
        near = self._near_line(offset)
        if near is not None:
            start, end = near
        else:
            line = bisect_right(self._lines, offset)
            start, end = self._lines[line - 1], self.line_start(line + 1)
            if line < len(self._lines):
                end -= 2 if self.text.startswith("\r\n", end - 2) else 1
        if start == 0 and self.bom:
            start = 1
        return Span(start, end)

    def _near_line(self, offset: int) -> tuple[int, int] | None:
        """Return the line of an offset near the start, if that is cheaper than the line table."""
        if offset >= _NEAR or "_lines" in self.__dict__:
            return None
        end = self.text.find("\n", offset)
        end = len(self.text) if end < 0 else end
        return None if "\r" in self.text[:end] else (self.text.rfind("\n", 0, offset) + 1, end)

    def __getitem__(self, span: Span) -> str:
        """Return the characters of `span`."""
        return self.text[span.start : span.end]
