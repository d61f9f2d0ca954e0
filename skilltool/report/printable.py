r"""Text of a skill made fit for a terminal: nothing in it moves the cursor, colours or reorders.

Control characters, line and paragraph separators, bidirectional controls, tag characters and
half surrogates become visible escapes (`\x1b`, `\u202e`); a tab becomes one space. `##[`, `##vso[` and
`##teamcity[` would be commands to the runner of a CI job wherever in a line they stand; the second `#`
is escaped.
"""

from __future__ import annotations

import re

# U+200C and U+200D join letters and emoji; every other invisible format character is shown.
_HIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]|(?<=#)#(?=(?i:vso|teamcity)?\\[)"
)


def printable(text: str) -> str:
    """Return `text` on one line, with every character visible or harmless."""
    return _HIDDEN.sub(_escape, text.replace("\t", " "))


def printable_at_line_start(path: str) -> str:
    """Return a path that begins a line, printable; `::` there would be a command to a runner of CI jobs."""
    shown = printable(path)
    return f"./{shown}" if shown.lstrip().startswith(":") else shown


def display_width(text: str) -> int:
    """Return how many terminal cells `text` takes once it is printable."""
    text = printable(text)
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(int(wcswidth(text)), 0)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
