"""The `#anchors` that a heading can be reached by, as GitHub makes them.

Source: the behaviour of github.com as documented at
https://docs.github.com/get-started/writing-on-github (section links), checked 2026-11.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

# Letters, marks, digits, underscores and hyphens stay; other characters go.
_DROPPED = re.compile(r"[^\w\- ]")


def slug(heading: str) -> str:
    """Return the anchor of one heading's text, before duplicates are numbered."""
    return _DROPPED.sub("", heading.strip().lower()).replace(" ", "-")


def anchors(headings: Iterable[str]) -> set[str]:
    """Return the anchors of headings in document order; the second `usage` is `usage-1`."""
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
