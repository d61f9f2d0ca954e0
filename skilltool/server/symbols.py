"""The outline of a document: the keys of the frontmatter, and the headings, each with what it contains."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as lsp

from skilltool.server.analysis import Analysis
from skilltool.text.frontmatter.nodes import Mapping, Node, Scalar
from skilltool.text.markdown import Heading
from skilltool.text.printable import printable
from skilltool.text.source import Span

_LONGEST = 80  # characters of a value
_MOST = 5_000  # symbols


def symbols(analysis: Analysis) -> list[lsp.DocumentSymbol]:
    """Return the outline; that of a file that is not Markdown is empty."""
    text = analysis.text
    if not text.is_page:
        return []
    found = [] if analysis.file else _of_keys(analysis, analysis.skill.frontmatter.root)
    headings = [heading for heading in text.markdown.headings[:_MOST] if heading.text.strip()]
    return found + _of_headings(analysis, headings, text.body_span.end)


def _of_keys(analysis: Analysis, node: Node | None) -> list[lsp.DocumentSymbol]:
    found = []
    for key, value in node.entries[:_MOST] if isinstance(node, Mapping) else ():
        if isinstance(key, Scalar) and key.text:
            whole = Span(key.span.start, max(key.span.end, value.span.end))
            detail = printable(" ".join(value.text.split()))[:_LONGEST] if isinstance(value, Scalar) else None
            inner = _of_keys(analysis, value)
            kind = lsp.SymbolKind.Object if inner else lsp.SymbolKind.Property
            found.append(_symbol(analysis, key.text, kind, whole, key.span, inner, detail))
    return found


def _of_headings(analysis: Analysis, headings: Sequence[Heading], end: int) -> list[lsp.DocumentSymbol]:
    """Return the headings of the highest level first found, each up to the next one, with those under it."""
    found = []
    at = 0
    while at < len(headings):
        first = headings[at]
        after = next(
            (n for n in range(at + 1, len(headings)) if headings[n].level <= first.level), len(headings)
        )
        stop = headings[after].span.start if after < len(headings) else end
        inner = _of_headings(analysis, headings[at + 1 : after], stop)
        whole = Span(first.span.start, max(stop, first.span.end))
        kind = lsp.SymbolKind.String
        found.append(_symbol(analysis, first.text, kind, whole, first.span, inner, None))
        at = after
    return found


def _symbol(
    analysis: Analysis,
    name: str,
    kind: lsp.SymbolKind,
    whole: Span,
    chosen: Span,
    inner: list[lsp.DocumentSymbol],
    detail: str | None,
) -> lsp.DocumentSymbol:
    place = analysis.positions.range
    return lsp.DocumentSymbol(
        printable(name.strip()) or "?", kind, place(whole), place(chosen), detail, children=inner or None
    )
