"""Positions of the protocol: 0-based lines, and characters in the units that client and server negotiated.

Source: Language Server Protocol 3.17, "Position" and "positionEncodings". Our offsets count code points.
"""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.findings.diagnostic import Location
from skilltool.text.source import Position, Source, Span

# encoding -> the codec whose units are counted, and the bytes per unit
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Positions:
    """Converts offsets into a text to positions of the protocol and back; the text has no lone surrogates."""

    def __init__(self, source: Source, encoding: str) -> None:
        """Take the text, and `utf-8`, `utf-16` or `utf-32`."""
        self._source = source
        self._codec, self._bytes = _UNITS[encoding]

    def position(self, offset: int) -> lsp.Position:
        """Return the position of the character at `offset`, in code points."""
        line = self._source.position(offset).line
        before = self._source.text[self._source.line_start(line) : offset]
        return lsp.Position(line - 1, len(before.encode(self._codec)) // self._bytes)

    def range(self, span: Span) -> lsp.Range:
        """Return the range of a span; an empty span gives an empty range."""
        return lsp.Range(self.position(span.start), self.position(span.end))

    def offset(self, position: lsp.Position) -> int:
        """Return the offset of a position, in code points.

        After the end of a line that is the line's end, after the last line the end of the text, inside a
        character its start.
        """
        start = self._source.line_start(position.line + 1)
        end = max(start, self._source.line_span(start).end)
        if self._source.position(start).line != position.line + 1:
            return len(self._source.text)
        units = self._source.text[start:end].encode(self._codec)[: position.character * self._bytes]
        return start + len(units.decode(self._codec, "ignore"))

    def span(self, location: Location) -> Span:
        """Return the span of a location in a report, whose lines and columns count from 1."""
        return Span(self._offset_of(location.start), self._offset_of(location.end))

    def _offset_of(self, position: Position) -> int:
        bom = int(position.line == 1 and self._source.bom)  # has no column in a report
        return self._source.line_start(position.line) + position.column - 1 + bom
