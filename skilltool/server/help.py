"""Help while typing: hover, completion, and what the cursor is in.

While somebody types, frontmatter is rarely valid YAML, so it is not parsed here. Only keys of block mappings
whose parents have lines of their own are recognised: that is how skills are written.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types as lsp

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.server.analysis import Analysis
from skilltool.server.model_view import model_views
from skilltool.text.frontmatter.envelope import Envelope
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source, Span

REQUIRED = "required"
_UNKNOWN = "unknown"


def known_runtimes(configured: Sequence[str]) -> list[Runtime]:
    """Return the configured runtimes, then `portable` and every other one without an edition, each once."""
    return [runtimes.get(n) for n in dict.fromkeys((*configured, "portable", *runtimes.BARE))]


def field_help(shown: list[Runtime], path: fields.FieldPath) -> str | None:
    """Return Markdown on a field: its purpose, and what each runtime requires; None if no runtime knows it.

    All of it comes from our schemas, none from the document.
    """
    demands: dict[str, list[str]] = {}
    for runtime in shown:
        demand = fields.demand(runtime, path, REQUIRED) or _UNKNOWN
        demands.setdefault(demand, []).append(runtime.id)
    if list(demands) == [_UNKNOWN]:
        return None
    purposes = [f"- {text} ({', '.join(ids)})" for text, ids in fields.meanings(shown, path).items()]
    rows = [f"| {', '.join(ids)} | {demand} |" for demand, ids in demands.items()]
    return "\n".join([f"`{'.'.join(path)}`", "", *purposes, "", "| runtime | field |", "|---|---|", *rows])


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


def hover(analysis: Analysis, where: lsp.Position) -> lsp.Hover | None:
    """Return the hover at a position; None outside of keys and of the name's value."""
    if analysis.file:
        return None
    skill = analysis.skill
    cursor = cursor_at(skill.source, skill.frontmatter.envelope, analysis.positions.offset(where))
    if cursor is None:
        return None
    if not cursor.in_value:
        text = field_help(known_runtimes(analysis.runtimes), cursor.path)
    elif cursor.path == ("name",):
        text = model_views(analysis)
    else:
        return None
    if text is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, analysis.positions.range(cursor.span))


TRIGGER_CHARACTERS = (":",)  # the start of a value


def completions(analysis: Analysis, where: lsp.Position) -> list[lsp.CompletionItem]:
    """Return what can be inserted at a position, as plain text rather than snippets."""
    if analysis.file:
        return []
    source = analysis.skill.source
    cursor = cursor_at(source, analysis.skill.frontmatter.envelope, analysis.positions.offset(where))
    if cursor is None:
        return []
    configured = [runtimes.get(name) for name in analysis.runtimes]
    return list((_values if cursor.in_value else _keys)(analysis, cursor, configured))


def _keys(analysis: Analysis, cursor: Cursor, configured: list[Runtime]) -> Iterator[lsp.CompletionItem]:
    """Yield the fields that the configured runtimes know, required ones first, else in schema order."""
    parents = cursor.path[:-1]
    names = dict.fromkeys(name for runtime in configured for name in fields.known(runtime, parents))
    shown = known_runtimes(analysis.runtimes)
    for number, name in enumerate(names):
        path = (*parents, name)
        if name in cursor.siblings:
            continue
        demands = [text for runtime in configured if (text := fields.demand(runtime, path, REQUIRED))]
        suffix = "" if cursor.has_colon else ":" if _is_mapping(configured, path) else ": "
        documentation = field_help(shown, path) or ""
        yield lsp.CompletionItem(
            label=name,
            kind=lsp.CompletionItemKind.Property,
            detail=demands[0],
            documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, documentation),
            sort_text=f"{int(not demands[0].startswith(REQUIRED))}{number:03}",
            text_edit=lsp.TextEdit(analysis.positions.range(cursor.span), name + suffix),
        )


def _values(analysis: Analysis, cursor: Cursor, configured: list[Runtime]) -> Iterator[lsp.CompletionItem]:
    """Yield the values of a field whose schema has an `enum` or `x-values`, or the type `boolean` alone."""
    schemas = [about for runtime in configured if (about := fields.about(runtime, cursor.path)) is not None]
    values = [value for schema in schemas for key in ("enum", "x-values") for value in schema.get(key, ())]
    values += [value for schema in schemas if fields.types(schema) == ("boolean",) for value in (True, False)]
    prefix = "" if cursor.has_blank else " "
    for text in dict.fromkeys(v if isinstance(v, str) else json.dumps(v) for v in values):
        yield lsp.CompletionItem(
            label=text,
            kind=lsp.CompletionItemKind.Value,
            text_edit=lsp.TextEdit(analysis.positions.range(cursor.span), prefix + text),
        )


def _is_mapping(configured: list[Runtime], path: fields.FieldPath) -> bool:
    """Return whether the value starts on the next line: a mapping or a list."""
    kinds = {kind for runtime in configured for kind in fields.types(fields.about(runtime, path) or {})}
    return bool(kinds) and kinds <= {"object", "array"}
