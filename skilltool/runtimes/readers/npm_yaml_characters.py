"""Characters that the npm package `yaml` 2.8.2 accepts and libyaml refuses, or takes for line ends.

They are control characters, surrogates, U+2028, U+2029, a lone carriage return, and a byte order mark
anywhere but at the very start. libyaml reads private-use characters of plane 16 in their place.
"""

from __future__ import annotations

import re

PRIVATE = 0x100000
_UNUSUAL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|\r(?!\n)|(?<!^)\ufeff"
)
_ESCAPED = re.compile("[\U00100000-\U0010ffff]")


def escaped(text: str) -> str:
    """Return text with each of these characters replaced by the private one for it."""
    return _UNUSUAL.sub(lambda match: chr(PRIVATE + ord(match[0])), text)


def unescaped(text: str) -> str:
    """Return text with the characters back that `escaped` replaced."""
    return _ESCAPED.sub(lambda match: chr(ord(match[0]) - PRIVATE), text)
