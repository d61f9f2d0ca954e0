"""Completion in the frontmatter: keys that are not there yet, and values where there are only a few."""

from __future__ import annotations

import json
from collections.abc import Iterator

from lsprotocol import types as lsp

from skilltool import runtimes
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.server.document import Analysis
from skilltool.server.fields_text import described, targets
from skilltool.server.yaml_cursor import Cursor, cursor

TRIGGERS = (":",)  # a value is wanted


def completions(analysis: Analysis, where: lsp.Position) -> list[lsp.CompletionItem]:
    """Return what can be put in at a position; plain text, no snippets."""
    source = analysis.skill.source
    place = cursor(source, analysis.skill.frontmatter.envelope, analysis.positions.offset(where))
    if place is None:
        return []
    mine = [runtimes.get(name) for name in analysis.settings.runtimes]
    return list((_values if place.in_value else _keys)(analysis, place, mine))


def _keys(analysis: Analysis, place: Cursor, mine: list[Runtime]) -> Iterator[lsp.CompletionItem]:
    """Yield the fields that the targets know, in the order of their schemas, those that are needed first."""
    parents = place.path[:-1]
    names = dict.fromkeys(name for runtime in mine for name in fields.known(runtime, parents))
    everyone = targets(analysis.settings)
    for number, name in enumerate(names):
        path = (*parents, name)
        if name in place.siblings:
            continue
        demands = [words for runtime in mine if (words := fields.demand(runtime, path))]
        behind = "" if place.has_colon else ":" if _is_mapping(mine, path) else ": "
        documentation = described(everyone, path) or ""
        yield lsp.CompletionItem(
            label=name,
            kind=lsp.CompletionItemKind.Property,
            detail=demands[0],
            documentation=lsp.MarkupContent(lsp.MarkupKind.Markdown, documentation),
            sort_text=f"{int(not demands[0].startswith('required'))}{number:03}",
            text_edit=lsp.TextEdit(analysis.positions.range(place.span), name + behind),
        )


def _values(analysis: Analysis, place: Cursor, mine: list[Runtime]) -> Iterator[lsp.CompletionItem]:
    """Yield the values of a field that has only a few: true and false, or a list of them in the schema."""
    found = [about for runtime in mine if (about := fields.about(runtime, place.path)) is not None]
    values = [value for about in found for value in about.get("enum", ())]
    values += [value for about in found if "boolean" in fields.types(about) for value in (True, False)]
    before = "" if place.has_blank else " "
    for text in dict.fromkeys(v if isinstance(v, str) else json.dumps(v) for v in values):
        yield lsp.CompletionItem(
            label=text,
            kind=lsp.CompletionItemKind.Value,
            text_edit=lsp.TextEdit(analysis.positions.range(place.span), before + text),
        )


def _is_mapping(mine: list[Runtime], path: fields.FieldPath) -> bool:
    """Return whether the value begins on the next line: a mapping or a list."""
    kinds = {kind for runtime in mine for kind in fields.types(fields.about(runtime, path) or {})}
    return bool(kinds) and kinds <= {"object", "array"}
