"""Answers whether an offset is in one of many spans, in logarithmic time.

Bodies are untrusted: a megabyte can hold a hundred thousand code spans and as many things to look up.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from skilltool.skill.model import Skill
from skilltool.text.markdown import nesting
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


def code_regions(skill: Skill) -> Regions:
    """Return the code spans and fences of the body."""
    return Regions(part.span for parts in (skill.markdown.codes, skill.markdown.fences) for part in parts)


def intended_code_blocks(skill: Skill) -> list[nesting.CodeBlock]:
    """Return the code blocks of a body with nested fences, each up to the end that its author meant."""
    return nesting.intended_blocks(skill.body, skill.frontmatter.envelope.body.start, skill.markdown.fences)


def doubtful_prose(skill: Skill) -> list[Span]:
    """Return the parts of the body that may be code whose first line was lost."""
    start = skill.frontmatter.envelope.body.start
    return list(nesting.text_before_lost_ends(skill.body, start, skill.markdown.fences))


def line_around(skill: Skill, span: Span) -> tuple[str, str]:
    """Return the line before and after the start of `span`, at most `_MAX_LINE` characters of each part."""
    text = skill.source.text
    before = text[max(span.start - _MAX_LINE, 0) : span.start]
    after = text[span.start : span.start + _MAX_LINE]
    return before.rpartition("\n")[2], after.partition("\n")[0]
