"""Code as authors mean it who put one fence into another of as many marks.

By CommonMark the inner fence's end closes the outer one, and what follows up to the outer one's end
counts as text. Models read such a body as it was meant, so links in it are no links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skilltool.text.markdown import Fence
from skilltool.text.source import Span

_MARKS = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\r\n]*)", re.MULTILINE)
# What names a language: marks with other words behind them are a line of code.
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]{0,30}(?:[ \t]+\S.*)?\Z")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code that ends where its author meant it to; `nested` if it holds another."""

    span: Span
    nested: bool


def inner_fence(fence: Fence) -> int | None:
    """Return how many lines below its opening a fence holds the opening of another, None if it does not."""
    for number, line in enumerate(fence.text.split("\n"), start=1):
        match = _MARKS.match(line)
        if match and match["marks"] == fence.marks and _LANGUAGE.match(match["info"].rstrip()):
            return number
    return None


def blocks(text: str, base: int, fences: Iterable[Fence]) -> list[Block]:
    """Return the blocks of the body `text`, which begins at offset `base`; none if no fence holds another.

    A block that its author did not close either is left out: where it was to end cannot be told.
    """
    return list(_blocks(text, base)) if any(inner_fence(fence) is not None for fence in fences) else []


def _blocks(text: str, base: int) -> Iterator[Block]:
    open_marks: list[str] = []
    start, deepest = 0, 0
    for match in _MARKS.finditer(text):
        marks, info = match["marks"], match["info"].rstrip()
        if not open_marks:
            open_marks, start, deepest = [marks], match.start(), 1
        elif not info and marks.startswith(open_marks[-1]):
            open_marks.pop()
            if not open_marks:
                yield Block(Span(base + start, base + match.end()), nested=deepest > 1)
        elif marks == open_marks[-1] and _LANGUAGE.match(info):
            open_marks.append(marks)
            deepest = max(deepest, len(open_marks))
