"""Where in the frontmatter is the cursor?

While somebody types, frontmatter is rarely valid YAML, so it is not parsed here. Only keys of block mappings
whose parents have lines of their own are recognised: that is how skills are written.
"""

from __future__ import annotations

from dataclasses import dataclass

from skilltool.text.frontmatter.envelope import Envelope
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source, Span

_LINE = lazy_pattern(
    r"(?P<indent> *)(?P<key>[A-Za-z_][\w-]*)?(?:(?P<colon>:)(?=[ \t]|\Z)(?P<blank>[ \t]*)(?P<value>.*))?\Z"
)
_OPENS = lazy_pattern(r"(?P<indent> *)(?P<key>[A-Za-z_][\w-]*):[ \t]*(?:#.*)?\Z")
_KEY = lazy_pattern(r"(?P<indent> *)(?P<key>[A-Za-z_][\w-]*):(?:[ \t]|\Z)")
_NOTHING = lazy_pattern(r"[ \t]*(?:#.*)?\Z")


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where in the frontmatter the cursor is.

    `path` leads to the key on the cursor's line, which may be half typed. `in_value` says whether the cursor
    is after the colon; `span` is the key or the value, in code points. `has_colon` says whether there is a
    colon, `has_blank` whether a space follows it. `siblings` are the other keys of the same mapping.
    """

    path: tuple[str, ...]
    in_value: bool
    span: Span
    has_colon: bool
    has_blank: bool
    siblings: frozenset[str]


def cursor_at(source: Source, envelope: Envelope, offset: int) -> Cursor | None:
    """Return the cursor at `offset`, in code points; None outside of the frontmatter's keys and values."""
    block = envelope.block
    if envelope.opening is None or not block.start <= offset <= block.end:
        return None
    if offset == block.end and envelope.closing is not None:
        return None
    here = source.line_span(offset)
    match = _LINE.match(source[here])
    first, last = source.position(block.start).line, source.position(block.end).line
    lines = [source[source.line_span(source.line_start(number))] for number in range(first, last + 1)]
    at = source.position(offset).line - first
    parents = _parents(lines, at, len(match["indent"])) if match else None
    if match is None or parents is None:
        return None
    in_value = match["colon"] is not None and offset >= here.start + match.end("colon")
    group = "value" if in_value else "key"
    start, end = match.span(group) if match[group] is not None else (len(match["indent"]),) * 2
    if offset < here.start + start:
        return None
    return Cursor(
        path=(*parents, match["key"] or ""),
        in_value=in_value,
        span=Span(here.start + start, here.start + end),
        has_colon=match["colon"] is not None,
        has_blank=bool(match["blank"]),
        siblings=_siblings(lines, at, len(match["indent"])),
    )


def _parents(lines: list[str], at: int, indent: int) -> tuple[str, ...] | None:
    """Return the parent keys of line `at`, outermost first; None inside a multi-line string or a list."""
    path: list[str] = []
    for line in reversed(lines[:at]):
        if indent == 0:
            break
        if _NOTHING.match(line) or len(line) - len(line.lstrip(" ")) >= indent:
            continue
        opens = _OPENS.match(line)
        if opens is None:
            return None
        path.insert(0, opens["key"])
        indent = len(opens["indent"])
    return None if indent else tuple(path)


def _siblings(lines: list[str], at: int, indent: int) -> frozenset[str]:
    """Return the other keys of the mapping that line `at` belongs to."""
    found: set[str] = set()
    for side in (reversed(lines[:at]), iter(lines[at + 1 :])):
        for line in side:
            if _NOTHING.match(line):
                continue
            depth = len(line) - len(line.lstrip(" "))
            if depth < indent:
                break
            key = _KEY.match(line)
            if depth == indent and key:
                found.add(key["key"])
    return frozenset(found)
