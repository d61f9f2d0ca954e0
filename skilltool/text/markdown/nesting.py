"""Finds the code that an author meant when a fence contains another one with the same number of characters.

In CommonMark the end of the inner fence closes the outer one, and the rest of the outer block becomes text.
Models read it as it was meant, so links in it are not links. The same holds where only the end of a block is
there: it opens a block, and the code before it is text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from skilltool.text.markdown.parts import Fence
from skilltool.text.source import Span

_MARKS = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\r\n]*)", re.MULTILINE)
_MAX_INDENT = 3  # of a fence, more than that of the one around it; a line with more is code
# A language name; an opening with anything else after it is a line of code.
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]{0,30}(?:[ \t]+\S.*)?\Z")


class CodeBlock(NamedTuple):
    """A code block up to the end that its author meant; `nested` if it contains another fence."""

    span: Span
    nested: bool


class OpenFence(NamedTuple):
    """A fence without a language that is still open where one with a language starts, at offset `inner`."""

    fence: Fence
    inner: int


def inner_fence(fence: Fence) -> int | None:
    """Return how many lines after its opening a fence contains another opening; None if it contains none."""
    for number, line in enumerate(fence.text.split("\n"), start=1):
        match = _MARKS.match(line)
        if match and match["marks"] == fence.marks and _LANGUAGE.match(match["info"].rstrip()):
            return number
    return None


def intended_blocks(text: str, base: int, fences: Iterable[Fence]) -> list[CodeBlock]:
    """Return the intended code blocks of `text`, which starts at offset `base` of its document.

    `fences` are those of CommonMark; without nesting among them the result is empty. A block without an
    intended end is left out.
    """
    return list(_blocks(text, base)) if any(inner_fence(fence) is not None for fence in fences) else []


def _blocks(text: str, base: int) -> Iterator[CodeBlock]:
    open_marks: list[str] = []
    start, deepest = 0, 0
    for match in _MARKS.finditer(text):
        marks, info = match["marks"], match["info"].rstrip()
        if not open_marks:
            open_marks, start, deepest = [marks], match.start(), 1
        elif not info and marks.startswith(open_marks[-1]):
            open_marks.pop()
            if not open_marks:
                yield CodeBlock(Span(base + start, base + match.end()), nested=deepest > 1)
        elif marks == open_marks[-1] and _LANGUAGE.match(info):
            open_marks.append(marks)
            deepest = max(deepest, len(open_marks))


def open_fences(text: str, base: int, fences: Iterable[Fence]) -> Iterator[OpenFence]:
    """Yield the fences of `text` (at offset `base` of its document) that are open where another one opens.

    CommonMark and a reader must see it so. A reader goes by the lines alone; `fences`, those of CommonMark,
    may start in the middle of a block, because HTML or a list item hid its first line.
    """
    inner = dict(_inner_openings(text))
    for fence in fences:
        if fence.opening.start - base in inner and not fence.info:
            yield OpenFence(fence, base + inner[fence.opening.start - base])


def _inner_openings(text: str) -> Iterator[tuple[int, int]]:
    """Yield the offsets of each opening without a language, and of the first with one before it is closed."""
    opening: re.Match[str] | None = None
    for match in _MARKS.finditer(text):
        info = match["info"].rstrip()
        if opening is None:
            opening, found = match, bool(info)
        elif len(match["indent"]) - len(opening["indent"]) > _MAX_INDENT:
            continue
        elif not info and match["marks"].startswith(opening["marks"]):
            opening = None
        elif not found and match["marks"] == opening["marks"] and _LANGUAGE.match(info):
            found = True
            yield opening.start("marks"), match.start("marks")


def text_before_lost_ends(text: str, base: int, fences: Iterable[Fence]) -> Iterator[Span]:
    """Yield the text before each fence that was meant to end a block: nobody knows how much of it is code.

    Such a fence is not closed before another one opens, or it follows right after the end of a block and has
    more characters than it needs. The text starts where the last block with as many characters ends.
    """
    lost = {each.fence.opening.start for each in open_fences(text, base, fences)}
    ends: dict[str, int] = {}  # of the last block with each opening
    previous: Fence | None = None
    for fence in fences:
        if fence.opening.start in lost or (previous and _is_outer_end(text, base, previous, fence)):
            before = (end for marks, end in ends.items() if marks.startswith(fence.marks))
            yield Span(max(before, default=base), fence.opening.start)
        ends[fence.marks] = fence.span.end
        previous = fence


def _is_outer_end(text: str, base: int, previous: Fence, fence: Fence) -> bool:
    longer = fence.marks.startswith(previous.marks) and len(fence.marks) > len(previous.marks)
    between = text[previous.span.end - base : fence.opening.start - base]
    return longer and not fence.info and not between.strip(" \t")
