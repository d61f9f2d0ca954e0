"""Finds the code that an author meant when a fence contains another one with the same number of characters.

In CommonMark the end of the inner fence closes the outer one, and the rest of the outer block becomes text.
Models read it as it was meant, so links in it are not links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from skilltool.text.markdown import Fence
from skilltool.text.source import Span

_MARKS = re.compile(r"^[ \t]*(?P<marks>`{3,}|~{3,})[ \t]*(?P<info>[^`\r\n]*)", re.MULTILINE)
# A language name; an opening with anything else after it is a line of code.
_LANGUAGE = re.compile(r"[A-Za-z][\w+#.-]{0,30}(?:[ \t]+\S.*)?\Z")


@dataclass(frozen=True, slots=True)
class CodeBlock:
    """A code block up to the end that its author meant; `nested` if it contains another fence."""

    span: Span
    nested: bool


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
