"""What can be inserted at the cursor: fields and their values, paths, headings, and names."""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types as lsp

from skilltool import runtimes
from skilltool.rules import RULES
from skilltool.rules.shared.tools import FIELDS as TOOL_FIELDS
from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.tools import tools_of
from skilltool.server.analysis import Analysis
from skilltool.server.cursor import Cursor, cursor_at
from skilltool.server.field_help import REQUIRED, field_help, known_runtimes
from skilltool.server.leads import headings, known, text_at
from skilltool.skill.skill_file import FILE_NAME
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import printable
from skilltool.text.source import Span

# The start of a value, of a path, of a heading, of the name of a skill, and of a rule in a comment.
TRIGGER_CHARACTERS = (":", "(", "/", "#", "$", "@", "[", '"')
SKILL_FIELDS = ("dependencies", "related_skills", "related-skills", "requires", "skills", "prerequisites")
_MOST = 500  # items
_DESTINATION = lazy_pattern(r"\]\(<?(?P<path>[^()\s#<>]*)(?:#(?P<anchor>[^()\s<>]*))?\Z")
_PATH = lazy_pattern(r"(?:\A|[\s`\"'(/])(?P<path>(?:scripts|references|assets)/[\w./-]*)\Z")
_NAME = lazy_pattern(r"(?:(?:\A|[\s`(*\"'])[/$@]|\bSkill\([\"'])(?P<name>[\w-]*)\Z")
_RULE = lazy_pattern(r"skilltool: ignore\[(?P<name>[\w-]*)\Z")
_ITEM = lazy_pattern(r"[ \t]*-[ \t]+(?P<name>[\w-]*)\Z")
_LAST_WORD = lazy_pattern(r"[\w-]*\Z")
_KEY_OF_LIST = lazy_pattern(r"(?P<key>[A-Za-z_][\w-]*):[ \t]*(?:#.*)?\Z")
_IN_LIST = lazy_pattern(r"[ \t]*(?:-[ \t].*|-)?\Z")


def completions(analysis: Analysis, where: lsp.Position) -> list[lsp.CompletionItem]:
    """Return what can be inserted at a position, as plain text rather than snippets."""
    offset = analysis.positions.offset(where)
    source = analysis.text.source
    before = source.text[source.line_span(offset).start : offset]
    if (rule := _RULE.search(before)) is not None:
        return _named(analysis, offset, rule["name"], RULES, lsp.CompletionItemKind.EnumMember)
    envelope = analysis.skill.frontmatter.envelope
    if analysis.file or offset >= envelope.body.start:
        return _in_body(analysis, offset, before) if analysis.text.is_page else []
    cursor = cursor_at(source, envelope, offset)
    item = _ITEM.match(before)
    if item is not None and (field := _field_of_list(source.text[: offset - len(before)])) is not None:
        return _in_field(analysis, offset, field, item["name"])
    if cursor is None:
        return []
    if cursor.in_value and cursor.path[-1] in (*TOOL_FIELDS, *SKILL_FIELDS):
        word = _LAST_WORD.search(before)
        return _in_field(analysis, offset, cursor.path[-1], word[0] if word else "", not cursor.has_blank)
    configured = [runtimes.get(name) for name in analysis.runtimes]
    return list((_values if cursor.in_value else _keys)(analysis, cursor, configured))


def _field_of_list(before: str) -> str | None:
    """Return the key whose list goes on after some lines; None if they end otherwise."""
    for line in reversed(before.splitlines()):
        if not _IN_LIST.match(line):
            match = _KEY_OF_LIST.match(line.strip())
            return match["key"] if match else None
    return None


def _in_field(
    analysis: Analysis, offset: int, field: str, typed: str, needs_blank: bool = False
) -> list[lsp.CompletionItem]:
    """Return the tools of the place's clients, or the names of other skills."""
    if field in TOOL_FIELDS:
        known_tools = map(tools_of, (*analysis.runtimes, "claude-code"))
        names: Iterable[str] = next((tools.names for tools in known_tools if tools is not None), ())
    else:
        names = _other_skills(analysis) if field in SKILL_FIELDS else ()
    kind = lsp.CompletionItemKind.Function if field in TOOL_FIELDS else lsp.CompletionItemKind.Module
    return _named(analysis, offset, typed, names, kind, " " if needs_blank else "")


def _other_skills(analysis: Analysis) -> list[str]:
    own = Path(analysis.directory).resolve()
    return sorted({skill.name for skill in known(analysis).skills if skill.directory != own})


def _named(
    analysis: Analysis,
    offset: int,
    typed: str,
    names: Iterable[str],
    kind: lsp.CompletionItemKind,
    prefix: str = "",
) -> list[lsp.CompletionItem]:
    """Return names as items that replace what was typed of one."""
    where = analysis.positions.range(Span(offset - len(typed), offset))
    usable = (name for name in names if printable(name) == name)
    return [
        lsp.CompletionItem(name, kind=kind, text_edit=lsp.TextEdit(where, prefix + name))
        for _, name in zip(range(_MOST), usable, strict=False)
    ]


def _in_body(analysis: Analysis, offset: int, before: str) -> list[lsp.CompletionItem]:
    if (link := _DESTINATION.search(before)) is not None:
        if link["anchor"] is not None:
            return _anchors(analysis, offset, link["path"], link["anchor"])
        return _paths(analysis, offset, link["path"], in_page=True)
    if (path := _PATH.search(before)) is not None:
        return _paths(analysis, offset, path["path"], in_page=False)
    if (name := _NAME.search(before)) is not None:
        kind = lsp.CompletionItemKind.Module
        return _named(analysis, offset, name["name"], _other_skills(analysis), kind)
    return []


def _anchors(analysis: Analysis, offset: int, path: str, typed: str) -> list[lsp.CompletionItem]:
    """Return the headings of a page of the skill, of this one for an empty path."""
    text: Text | None = analysis.text
    if path:
        text = text_at(analysis, posixpath.normpath(posixpath.join(analysis.text.directory, path)))
    if text is None or not text.is_page:
        return []
    where = analysis.positions.range(Span(offset - len(typed), offset))
    return [
        lsp.CompletionItem(
            label=anchor,
            kind=lsp.CompletionItemKind.Reference,
            detail=printable(heading.text),
            sort_text=f"{number:05}",
            text_edit=lsp.TextEdit(where, anchor),
        )
        for number, (anchor, heading) in zip(range(_MOST), headings(text.markdown), strict=False)
        if anchor
    ]


def _paths(analysis: Analysis, offset: int, typed: str, in_page: bool) -> list[lsp.CompletionItem]:
    """Return the files of the skill as a link in this page writes them, or from the top of the skill.

    After `../` a link of the SKILL.md can also lead to another skill of the repository.
    """
    skill, text = analysis.skill, analysis.text
    start = text.directory if in_page and text.directory else "."
    own = analysis.file or skill.file_name
    files = [posixpath.relpath(file, start) for file in sorted(skill.tree.files) if file != own]
    if in_page and typed.startswith("../"):
        page = analysis.document.path.parent.resolve()
        others = (skill.directory for skill in known(analysis).skills if skill.directory != page)
        files += [posixpath.relpath((each / FILE_NAME).as_posix(), page.as_posix()) for each in others]
    fitting = [file for file in files if file.startswith(typed) and not set(file) & set(" ()<>")]
    return _named(analysis, offset, typed, fitting, lsp.CompletionItemKind.File)


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
