"""Completion in the frontmatter: keys that are still missing, and values of fields that allow only a few."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lsprotocol import types as lsp

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.server.analysis import Analysis
from skilltool.server.field_help import REQUIRED, field_help, known_runtimes
from skilltool.server.yaml_cursor import Cursor, cursor_at

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
