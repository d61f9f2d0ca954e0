"""Splits a document into frontmatter and body.

This is the lenient split that `lint` uses: a byte order mark, blank lines before the opening marker and
trailing whitespace after a marker are accepted but recorded, so that rules can report them for runtimes that
do not accept them. How each runtime splits is in `runtimes`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_LEADING = lazy_pattern(r"\ufeff?(?P<blank>(?:[ \t]*(?:\r\n|\n|\r))*)")


_OPENING = lazy_pattern(r"(?P<marker>---)(?P<padding>[ \t]*)(?:\r\n|\n|\r|\Z)")


_CLOSING = lazy_pattern(r"(?<=[\n\r])(?P<marker>---)(?P<padding>[ \t]*)(?:\r\n|\n|\r|\Z)")


class Envelope(NamedTuple):
    """The parts of a document, as spans.

    `opening` and `closing` are the three dashes of the markers, or None. `block` is the YAML between them.
    `body` is everything after the line of the closing marker: the whole text without an opening marker,
    nothing without a closing one. `padding` lists what a strict reader rejects: blank lines before the
    opening marker, and whitespace after either marker.
    """

    opening: Span | None
    block: Span
    closing: Span | None
    body: Span
    padding: tuple[Span, ...] = ()


def split(text: str) -> Envelope:
    """Split `text`, which may start with a byte order mark. Never raises."""
    leading = _LEADING.match(text)
    start = leading.end() if leading else 0
    opening = _OPENING.match(text, start)
    if opening is None:
        return Envelope(None, Span(0, 0), None, Span(1 if text[:1] == "\ufeff" else 0, len(text)))
    padding = [_group(leading, "blank")] if leading else []
    padding.append(_group(opening, "padding"))
    block_start = opening.end()
    closing = _closing(text, block_start)
    if closing is None:
        end = Span(len(text), len(text))
        block = Span(block_start, len(text))
        return Envelope(_group(opening, "marker"), block, None, end, _filled(padding))
    padding.append(_group(closing, "padding"))
    return Envelope(
        _group(opening, "marker"),
        Span(block_start, closing.start()),
        _group(closing, "marker"),
        Span(closing.end(), len(text)),
        _filled(padding),
    )


def _closing(text: str, start: int) -> re.Match[str] | None:
    """Return the first closing marker; dashes are found in a tenth of the time that the expression takes."""
    at = text.find("---", start)
    while at >= 0:
        if match := _CLOSING.match(text, at):
            return match
        at = text.find("---", at + 1)
    return None


def _group(match: re.Match[str], name: str) -> Span:
    return Span(*match.span(name))


def _filled(spans: list[Span]) -> tuple[Span, ...]:
    return tuple(span for span in spans if span.end > span.start)
