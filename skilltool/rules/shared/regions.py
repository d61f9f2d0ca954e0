"""Answers whether an offset is in one of many spans, in logarithmic time.

Bodies are untrusted: a megabyte can hold a hundred thousand code spans and as many things to look up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from skilltool.skill.texts import Text
from skilltool.text import markdown
from skilltool.text.source import Span

_MAX_LINE = 300  # characters on either side


class Regions:
    """The union of some spans."""

    def __init__(self, spans: Iterable[Span]) -> None:
        """Take spans in any order; they may overlap."""
        self._starts: list[int] = []
        self._ends: list[int] = []
        for span in sorted(spans):
            if self._ends and span.start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], span.end)
            else:
                self._starts.append(span.start)
                self._ends.append(span.end)

    def __contains__(self, offset: int) -> bool:
        """Return whether the character at `offset` is in one of the spans."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._ends[index]


def code_regions(text: Text) -> Regions:
    """Return the code spans and fences of a page; they are kept with it, since each mention is looked up."""
    return text.once(_code_regions)


def _code_regions(text: Text) -> Regions:
    return Regions(part.span for parts in (text.markdown.codes, text.markdown.fences) for part in parts)


def intended_code_blocks(text: Text) -> list[markdown.CodeBlock]:
    """Return the code blocks of a page with nested fences, each up to the end that its author meant."""
    return markdown.intended_blocks(text.body, text.body_span.start, text.markdown.fences)


def doubtful_prose(text: Text) -> list[Span]:
    """Return the parts of a page that may be code whose first line was lost."""
    return list(markdown.text_before_lost_ends(text.body, text.body_span.start, text.markdown.fences))


def line_around(text: Text, span: Span) -> tuple[str, str]:
    """Return the line before and after the start of `span`, at most `_MAX_LINE` characters of each part."""
    written = text.source.text
    before = written[max(span.start - _MAX_LINE, 0) : span.start]
    after = written[span.start : span.start + _MAX_LINE]
    return before.rpartition("\n")[2], after.partition("\n")[0]
