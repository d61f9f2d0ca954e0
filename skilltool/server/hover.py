"""Hover: on a key what runtimes do with the field, on the name's value what each runtime's model sees."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.server.analysis import Analysis
from skilltool.server.field_help import field_help, known_runtimes
from skilltool.server.model_view import model_views
from skilltool.server.yaml_cursor import cursor_at


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
