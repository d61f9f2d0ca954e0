r"""Frontmatter as a regular expression of several frameworks in Python finds it.

It is `^---\s*\n(.*?)\n---` with the dot for every character, followed by `\s*\n` or by nothing. What stands
here finds the same without trying every end of every run of white space.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern

_OPEN = lazy_pattern(r"---\s*+")
# What ends the frontmatter: a line of three hyphens, or any line that begins with them.
WHOLE_LINE = lazy_pattern(r"\n---\s*\n")
LINE_START = lazy_pattern(r"\n---\s*+")


class Parts(NamedTuple):
    """The text between the fences, and the text after the closing one and white space that follows it."""

    inside: str
    body: str


def split(text: str, close: re.Pattern[str] = WHOLE_LINE) -> Parts | None:
    """Take a text apart; None if it has no frontmatter.

    White space after the opening fence may go on over blank lines, which are then no part of the frontmatter.
    """
    match = _OPEN.match(text)
    start = match.end() if match else 0
    last = text.rfind("\n", 0, start)  # the line end before the frontmatter: the last one of the run
    if last < 0:
        return None
    closed = close.search(text, last + 1)
    if closed is not None:
        return Parts(text[last + 1 : closed.start()], text[closed.end() :])
    earlier, closed = text.rfind("\n", 0, last), close.match(text, last)
    if closed is None or earlier < 0:
        return None
    return Parts(text[earlier + 1 : last], text[closed.end() :])
