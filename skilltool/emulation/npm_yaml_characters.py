"""Characters that the npm package `yaml` 2.8.2 accepts and libyaml refuses, or takes for line ends.

They are control characters, surrogates, U+2028, U+2029, a lone carriage return, and byte order marks that
`yaml` keeps. libyaml reads private-use characters of plane 16 in their place.
"""

from __future__ import annotations

import re

from skilltool.text.frontmatter.plain_lines import is_printable

PRIVATE = 0x100000
_UNUSUAL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff\ufeff]|\r(?!\n)"
)
# A line that is blank, a comment or a directive.
_MARK = "\ufeff"
_BEFORE_DOCUMENT = re.compile(_MARK + r"?(?:%[^\n]*|[ \t]*(?:#[^\n]*|\r)?)(?:\n|\Z)")
_ESCAPED = re.compile("[\U00100000-\U0010ffff]")


def escaped(text: str) -> str:
    """Return text with each of these characters replaced by the private one for it."""
    if is_printable(text):
        return text
    return _UNUSUAL.sub(lambda match: chr(PRIVATE + ord(match[0])), text)


def unescaped(text: str) -> str:
    """Return text with the characters back that `escaped` replaced."""
    if text.isascii():
        return text
    return _ESCAPED.sub(lambda match: chr(ord(match[0]) - PRIVATE), text)


def without_marks(text: str) -> tuple[str, int | None]:
    """Return text without the byte order marks that `yaml` drops.

    It drops one at the start of each line up to the first line of the document. If it drops one there, too,
    also return the offset at which that line now begins.
    """
    kept: list[str] = []
    at = 0
    while (line := _BEFORE_DOCUMENT.match(text, at)) and line.end() > at:
        kept.append(line[0].removeprefix(_MARK))
        at = line.end()
    before = "".join(kept)
    dropped = text.startswith(_MARK, at)
    return before + text[at + dropped :], len(before) if dropped else None
