"""What an editor shows at the cursor, and where it goes from there."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from skilltool.server.analysis import Analysis
from skilltool.server.cursor import Cursor, cursor_at
from skilltool.server.field_help import field_help, known_runtimes
from skilltool.server.leads import lead_at
from skilltool.server.model_view import model_views
from skilltool.text.source import Span


def hover(analysis: Analysis, where: lsp.Position) -> lsp.Hover | None:
    """Return the hover at a position: on a field, the name's value, or what leads somewhere."""
    offset = analysis.positions.offset(where)
    cursor = _cursor(analysis, offset)
    if cursor is not None and not cursor.in_value:
        return _shown(analysis, cursor.span, field_help(known_runtimes(analysis.runtimes), cursor.path))
    if cursor is not None and cursor.path == ("name",):
        return _shown(analysis, cursor.span, model_views(analysis))
    lead = lead_at(analysis, offset)
    return None if lead is None else _shown(analysis, lead.span, lead.about or None)


def _cursor(analysis: Analysis, offset: int) -> Cursor | None:
    if analysis.file:
        return None
    return cursor_at(analysis.skill.source, analysis.skill.frontmatter.envelope, offset)


def _shown(analysis: Analysis, span: Span, text: str | None) -> lsp.Hover | None:
    if text is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, analysis.positions.range(span))


def definition(analysis: Analysis, where: lsp.Position) -> lsp.Location | None:
    """Return the file, and the line in it, to which the text at a position leads.

    That of a field or a tool is where our schemas have it.
    """
    lead = lead_at(analysis, analysis.positions.offset(where))
    if lead is None or lead.path is None:
        return None
    start = lsp.Position(lead.line - 1, 0)
    return lsp.Location(_uri(analysis, lead.path), lsp.Range(start, start))


def _uri(analysis: Analysis, path: Path) -> str:
    return analysis.document.uri if path == analysis.document.path else path.as_uri()
