"""Builds a node tree from YAML text: `key: value` lines here, all else by libyaml, which loads slowly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from skilltool.text.frontmatter.nodes import MAX_DEPTH, Document, Mapping, Node, Scalar
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_LONGEST = 16_000  # characters; more may have more nodes than are read


_LINE = lazy_pattern(
    r"(?P<indent> *)(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99}):"
    r"(?: +(?:(?P<double>\"[^\"\\]*\")|(?P<single>'[^']*')"
    # A plain value begins with no sign of YAML, and holds neither `: ` nor ` #`, nor a colon at its end.
    r"|(?P<plain>(?!\.\.\.)[^] !\"#%&')*,:>?@[`{|}-](?>(?:[^ #:]++|:(?! |\Z)|(?<! )#| +(?![ #]|\Z))*))))? *"
)


Entry = tuple[Node, Node]


def is_printable(text: str) -> bool:
    """Return whether a text has no control but line feeds, and no space but the space."""
    return text.replace("\n", "").isprintable()


def read_plain_lines(text: str, base: int = 0) -> Mapping | None:
    """Return the mapping in YAML `text`, at offset `base` of its document; None if it is declined."""
    if len(text) > _LONGEST or not is_printable(text):
        return None
    entries: list[Entry] = []
    below: list[Entry] | None = None  # the entries of the last key, if it has no value of its own
    indent = 0
    for at, line in _lines(text, base):
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        width, value = match.end("indent"), _value(match, at)
        key = Scalar(_span(match, "key", at), match["key"], "")
        if width:
            if below is None or value is None or (below and width != indent):
                return None
            below.append((key, value))
            indent = width
            continue
        if below is not None and not _close(entries, below):
            return None
        below = [] if value is None else None
        entries.append((key, value or key))
    if below is not None and not _close(entries, below):
        return None
    return _mapping(entries) if entries else None


def _lines(text: str, base: int) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, each with its offset."""
    for line in text.split("\n"):
        if line and not line.startswith("#"):
            yield base, line
        base += len(line) + 1


def _value(match: re.Match[str], at: int) -> Scalar | None:
    kind = match.lastgroup
    if kind is None or kind == "key":
        return None
    if kind == "plain":
        return Scalar(_span(match, kind, at), match[kind], "")
    return Scalar(_span(match, kind, at), match[kind][1:-1], match[kind][0])


def _span(match: re.Match[str], group: str, at: int) -> Span:
    start, end = match.span(group)
    return Span(at + start, at + end)


def _close(entries: list[Entry], below: list[Entry]) -> bool:
    """Give the last key its mapping; return whether it has one."""
    if below:
        entries[-1] = entries[-1][0], _mapping(below)
    return bool(below)


def _mapping(entries: list[Entry]) -> Mapping:
    return Mapping(Span(entries[0][0].span.start, entries[-1][1].span.end), tuple(entries), False)


def compose(text: str, base: int = 0, first_only: bool = False, max_depth: int = MAX_DEPTH) -> Document:
    """Build the node tree of YAML `text`; `base` is added to all offsets.

    With `first_only`, text after the first document is ignored, as in Go's parsers. Raises `BoundError` if a
    limit is exceeded, and `YamlError` for anything that is not a single YAML document.

    Several runtimes read the same text of a skill, so the last trees are kept.
    """
    return _compose(text, base, first_only, max_depth)


@lru_cache(maxsize=4)
def _compose(text: str, base: int, first_only: bool, max_depth: int) -> Document:
    root = read_plain_lines(text, base)
    if root is not None:
        return Document(root, end=base + len(text))
    from skilltool.text.frontmatter.libyaml import compose_by_libyaml

    return compose_by_libyaml(text, base, first_only, max_depth)
