"""The statements of a D2 diagram: what stands outside braces, each with the line on which it begins."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from skilltool.runtimes.kimi_cli.flows.graph import at_line


class Unquoted(NamedTuple):
    """The signs of a text that are neither in quotes nor quotes, by position; and if one is left open."""

    signs: tuple[tuple[int, str], ...]
    is_open: bool


def unquoted(text: str) -> Unquoted:
    """Return what of a text is outside quotes."""
    quote, escaped = "", False
    found: list[tuple[int, str]] = []
    for position, sign in enumerate(text):
        if escaped:
            escaped = False
        elif quote:
            escaped = sign == "\\"
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            found.append((position, sign))
    return Unquoted(tuple(found), bool(quote))


def statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each statement; raises `FlowError` for what is not closed.

    A line end within quotes belongs to its statement, and so does one after a backslash, which goes. What
    follows a brace on its line is left out.
    """
    reader = _Reader()
    position = 0
    while position < len(text):
        if text.startswith("\\\n", position):
            reader.line += 1
            position += 2
            continue
        if text[position] == "#" and not reader.quote:
            end = text.find("\n", position)
            position = len(text) if end < 0 else end
            continue
        yield from reader.take(text[position])
        position += 1
    yield from reader.end()


class _Reader:
    """Reads a diagram sign by sign."""

    def __init__(self) -> None:
        self.line = self.begin = 1
        self.depth = 0
        self.quote = ""
        self.escaped = False
        self.dropped = False  # the rest of the line, after a brace
        self.signs: list[str] = []

    def take(self, sign: str) -> Iterator[tuple[int, str]]:
        """Yield the statement that a sign ends, if it ends one."""
        if sign == "\n":
            yield from self._end_of_line()
            return
        if not self.quote and sign in "{}":
            yield from self._brace(sign)
            return
        if self.escaped:
            self.escaped = False
        elif self.quote:
            self.escaped = sign == "\\"
            self.quote = "" if sign == self.quote else self.quote
        elif sign in "'\"":
            self.quote = sign
        if not self.depth and not self.dropped:
            self.signs.append(sign)

    def _end_of_line(self) -> Iterator[tuple[int, str]]:
        self.line += 1
        if self.quote and not self.depth and not self.dropped:
            self.signs.append("\n")
            return
        if not self.depth and not self.quote and not self.dropped:
            yield from self._statement()
        self.signs.clear()
        self.dropped = False
        self.begin = self.line

    def _brace(self, sign: str) -> Iterator[tuple[int, str]]:
        if sign == "}":
            if not self.depth:
                raise at_line(self.line, "Unmatched '}'")
            self.depth -= 1
            return
        if not self.depth:
            yield from self._statement()
            self.dropped = True
            self.signs.clear()
        self.depth += 1

    def _statement(self) -> Iterator[tuple[int, str]]:
        if statement := "".join(self.signs).strip():
            yield self.begin, statement

    def end(self) -> Iterator[tuple[int, str]]:
        """Yield the last statement; raises `FlowError` if something is open."""
        if self.depth:
            raise at_line(self.line, "Unclosed '{' block")
        if self.quote:
            raise at_line(self.line, "Unclosed string")
        yield from self._statement()
