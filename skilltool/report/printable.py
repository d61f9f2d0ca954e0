r"""Untrusted text made safe for a terminal: it cannot move the cursor, set colours or reorder text.

Control characters, line and paragraph separators, bidirectional controls, tag characters and
lone surrogates become visible escapes (`\x1b`, `\u202e`); a tab becomes one space. A CI runner obeys `##[`,
`##vso[` and `##teamcity[` anywhere in a line: their second `#` is escaped.
"""

from __future__ import annotations

import re

# U+200C and U+200D join letters and emoji; every other invisible format character is escaped.
_HIDDEN = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]|(?<=#)#(?=(?i:vso|teamcity)?\\[)"
)


def printable(text: str) -> str:
    """Return `text` on one line, with every character visible or harmless."""
    return _HIDDEN.sub(_escape, text.replace("\t", " "))


def printable_characters(text: str) -> list[str]:
    """Return `printable(text)` as a list with one string per code point of `text`."""
    characters = list(text.replace("\t", " "))
    for match in _HIDDEN.finditer(text):
        characters[match.start()] = _escape(match)
    return characters


def printable_path(path: str) -> str:
    """Return a path that is safe also at the start of a line, where a CI runner obeys `::`."""
    text = printable(path)
    return f"./{text}" if text.lstrip().startswith(":") else text


def display_width(text: str) -> int:
    """Return how many terminal cells `printable(text)` takes."""
    text = printable(text)
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth

    return max(int(wcswidth(text)), 0)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
