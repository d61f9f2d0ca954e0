"""Parts of a text, and whether a place is in one of them: in as many steps as a number has digits.

Bodies are untrusted: a megabyte can hold a hundred thousand code spans and as many things to look for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from skilltool.skill.model import Skill
from skilltool.text.markdown import nesting
from skilltool.text.source import Span

_NEAR = 300


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
        """Whether the character at `offset` is in one of the spans."""
        index = bisect_right(self._starts, offset) - 1
        return index >= 0 and offset < self._ends[index]


def code_of(skill: Skill) -> Regions:
    """Return the code spans and fences of the body."""
    return Regions(part.span for parts in (skill.markdown.codes, skill.markdown.fences) for part in parts)


def meant_as_code(skill: Skill) -> list[nesting.Block]:
    """Return the blocks of code of a body that has one in another, where its author meant them to end."""
    return nesting.blocks(skill.body, skill.frontmatter.envelope.body.start, skill.markdown.fences)


def line_around(skill: Skill, span: Span) -> tuple[str, str]:
    """Return what stands on the line before and behind the beginning of a span, at most 300 characters each."""
    text = skill.source.text
    before = text[max(span.start - _NEAR, 0) : span.start]
    behind = text[span.start : span.start + _NEAR]
    return before.rpartition("\n")[2], behind.partition("\n")[0]
