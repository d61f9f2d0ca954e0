"""Frontmatter between two lines that are fences, as several clients in Python find it: with `splitlines`.

So U+2028, U+0085, a form feed and others end a line, too. What counts as a fence differs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Parts(NamedTuple):
    """The lines between the fences, without their ends, and the text after the second fence's line."""

    lines: list[str]
    body: str


def is_padded(line: str) -> bool:
    """Return whether a line is `---`, white space at both ends aside."""
    return line.strip() == "---"


def split(text: str, is_fence: Callable[[str], bool] = is_padded) -> Parts | None:
    """Split a text whose first line is a fence at the next one; None where one of them is missing."""
    lines = text.splitlines(keepends=True)
    bare = text.splitlines()
    if not bare or not is_fence(bare[0]):
        return None
    end = next((number for number, line in enumerate(bare[1:], start=1) if is_fence(line)), None)
    return None if end is None else Parts(bare[1:end], "".join(lines[end + 1 :]))
