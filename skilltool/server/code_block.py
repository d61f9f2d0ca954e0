"""Text of a skill inside of Markdown that an editor renders: it stays text, whatever stands in it."""

from __future__ import annotations

import re

from skilltool.report.printable import printable

MOST = 2_000  # characters of one text; a hover is no page
_TICKS = re.compile("`+")


def fenced(text: str) -> str:
    """Return `text` as a code block that nothing in it can end, cut, with control characters visible."""
    cut = text if len(text) <= MOST else f"{text[:MOST]}\n… {len(text) - MOST:,} more characters"
    lines = [printable(line) for line in cut.split("\n")]
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in _TICKS.findall("\n".join(lines)))])
    return "\n".join([f"{fence}text", *lines, fence])
