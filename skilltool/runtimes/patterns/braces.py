"""Expands the braces of glob patterns."""

from __future__ import annotations

import re

_BRACES = re.compile(r"\{([^{}]*)\}")
_MOST_ALTERNATIVES = 1000


def expanded(pattern: str) -> list[str]:
    """Return a pattern with each alternative of its braces: `a.{b,c}` is `a.b` and `a.c`."""
    waiting, done = [pattern], list[str]()
    while waiting:
        text = waiting.pop(0)
        braces = _BRACES.search(text)
        if braces is None or len(waiting) + len(done) > _MOST_ALTERNATIVES:
            done.append(text)
            continue
        before, after = text[: braces.start()], text[braces.end() :]
        waiting += [f"{before}{part.strip()}{after}" for part in braces[1].split(",")]
    return done
