"""Characters that libyaml refuses or takes for line ends, and the npm package `yaml` takes as they are.

A byte order mark is one of them but at the very start. They are read as private characters of the last plane.
"""

from __future__ import annotations

import re

PRIVATE = 0x100000
_UNUSUAL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|\r(?!\n)|(?<!^)\ufeff"
)
_MOVED = re.compile("[\U00100000-\U0010ffff]")


def moved(text: str) -> str:
    """Return text with each of these characters as a private one."""
    return _UNUSUAL.sub(lambda match: chr(PRIVATE + ord(match[0])), text)


def restored(text: str) -> str:
    """Return text as it was before `moved`."""
    return _MOVED.sub(lambda match: chr(ord(match[0]) - PRIVATE), text)
