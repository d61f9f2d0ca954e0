"""Text of a skill inside the Markdown that an editor renders: it stays text, whatever it contains."""

from __future__ import annotations

import re

from skilltool.text.printable import printable

MAX_CHARACTERS = 2_000  # of one text in a hover
_BACKTICKS = re.compile("`+")


def code_block(text: str) -> str:
    """Wrap `text` in a fence longer than any in it; truncate it and make control characters visible."""
    omitted = len(text) - MAX_CHARACTERS
    cut = text if omitted <= 0 else f"{text[:MAX_CHARACTERS]}\n… {omitted:,} more characters"
    lines = [printable(line) for line in cut.split("\n")]
    fence = "`" * max([3, *(len(ticks) + 1 for ticks in _BACKTICKS.findall("\n".join(lines)))])
    return "\n".join([f"{fence}text", *lines, fence])
