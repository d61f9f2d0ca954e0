"""Computes the `#anchors` of headings as GitHub does.

Source: the behaviour of github.com as documented at
https://docs.github.com/get-started/writing-on-github (section links), checked 2026-11.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_ASCII_DROPPED = re.compile(r"[^a-z0-9_\- ]")
# Letters and letter-like numbers (`L`, `Nl`), combining marks (`M`), decimal digits and characters that join
# words, such as the underscore. Emoji are dropped; a variation selector after one is a mark and is kept.
_KEPT = ("L", "M", "Nd", "Nl", "Pc")


def slug(heading: str) -> str:
    """Return the anchor for the text of one heading, before duplicates are numbered."""
    text = heading.strip().lower()
    if text.isascii():
        return _ASCII_DROPPED.sub("", text).replace(" ", "-")
    return "".join(c for c in text if c in "- " or unicodedata.category(c).startswith(_KEPT)).replace(
        " ", "-"
    )


def anchors(headings: Iterable[str]) -> set[str]:
    """Return the anchors of headings, given in document order; the second `usage` becomes `usage-1`."""
    seen: dict[str, int] = {}
    found: set[str] = set()
    for heading in headings:
        base = slug(heading)
        count = seen.get(base, 0)
        candidate = f"{base}-{count}" if count else base
        while candidate in found:
            count += 1
            candidate = f"{base}-{count}"
        seen[base] = count + 1
        found.add(candidate)
    return found
