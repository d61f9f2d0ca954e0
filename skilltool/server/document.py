"""A document that is open in the editor: its text, the protocol's positions in it, and its URI.

Source: Language Server Protocol 3.17, "Position" and "positionEncodings". Our offsets count code points.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit
from urllib.request import url2pathname

from lsprotocol import types as lsp

from skilltool.findings.diagnostic import Location
from skilltool.packages.manifest import kind_of
from skilltool.skill.discovery.walk import skill_around
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Position, Source, Span

_LONE_SURROGATE = lazy_pattern("[\ud800-\udfff]")


@dataclass(frozen=True, eq=False)
class Document:
    """One version of one open document: the version number that the editor gave it, and its text."""

    uri: str
    path: Path
    version: int | None
    text: str

    @classmethod
    def of(cls, uri: str, path: Path, version: int | None, text: str) -> Document:
        """Take what an editor sent; a lone surrogate, which no file can hold, becomes U+FFFD."""
        return cls(uri, path, version, _LONE_SURROGATE.sub("\ufffd", text))

    @cached_property
    def is_manifest(self) -> bool:
        """Whether the document is the manifest of a package; one within a skill is a file of the skill."""
        return kind_of(self.path.as_posix()) is not None and skill_around(self.path) is None


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


def path_from_uri(uri: str) -> Path | None:
    """Return the absolute path of a `file:` URI; None for any other, such as that of a new buffer.

    Also None for a path with the character NUL, which no file name can contain.
    """
    try:
        parts = urlsplit(uri)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return None
    # `?` and `#` start a query and a fragment; in a file name they are escaped.
    path = Path(_decoded(parts.path))
    return path if path.is_absolute() and "\0" not in str(path) else None


def _decoded(path: str) -> str:
    if Path("/").drive or ":" in path[:5]:
        windows = url2pathname(path)
        if Path(windows).drive:
            return windows
    return unquote(path, errors="surrogateescape")


def sibling_uri(uri: str, relative: str) -> str:
    """Return the URI of a path relative to the directory of the file `uri`, in the client's spelling.

    `relative` uses `/`, and has `..` only at its start.
    """
    directory = uri.rpartition("/")[0]
    while relative.startswith("../"):
        directory, relative = directory.rpartition("/")[0], relative[3:]
    return f"{directory}/{quote(relative.encode('utf-8', 'surrogateescape'))}"
