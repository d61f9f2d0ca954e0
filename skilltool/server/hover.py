"""What an editor shows for the word under the pointer: of a key its facts, of the name what models see."""

from __future__ import annotations

from lsprotocol import types as lsp

from skilltool.server.document import Analysis
from skilltool.server.field_help import described, targets
from skilltool.server.model_view import seen_by_all
from skilltool.server.yaml_cursor import cursor


def hover(analysis: Analysis, where: lsp.Position) -> lsp.Hover | None:
    """Return the hover at a position; None where there is nothing to say."""
    place = cursor(
        analysis.skill.source, analysis.skill.frontmatter.envelope, analysis.positions.offset(where)
    )
    if place is None:
        return None
    if not place.in_value:
        text = described(targets(analysis.settings), place.path)
    elif place.path == ("name",):
        text = seen_by_all(analysis)
    else:
        return None
    if text is None:
        return None
    content = lsp.MarkupContent(lsp.MarkupKind.Markdown, text)
    return lsp.Hover(content, analysis.positions.range(place.span))
