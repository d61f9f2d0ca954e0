"""Does a file match one of the globs that a skill gives for its paths, as the npm package picomatch 4 does?

A glob matches the whole path, relative to the project. `*` and `?` stay within one part, `**` crosses parts,
braces are alternatives, and names that begin with a dot match like others (`dot: true`). Not reproduced are
its extended globs, such as `+(a|b)`, a leading `!`, and alternatives beyond a thousand.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from skilltool.skill.discovery.wildmatch import Pattern, compile_line
from skilltool.text.lazy_pattern import lazy_pattern

_BRACES = lazy_pattern(r"\{([^{}]*)\}")
_MOST_ALTERNATIVES = 1000


def matches_path(globs: Sequence[str], path: str) -> bool:
    """Return whether a file matches: its path is relative to the project, with `/`."""
    raw = path.encode("utf-8", "surrogateescape")
    return any(pattern.matches(raw, raw, False) for pattern in _compiled(tuple(globs)))


@lru_cache(maxsize=256)
def _compiled(globs: tuple[str, ...]) -> tuple[Pattern, ...]:
    """Compile each alternative; the leading slash binds it to the top, as the glob without one is."""
    lines = [
        f"/{part.removeprefix('./')}".encode("utf-8", "surrogateescape")
        for glob in globs
        for part in expanded(glob)
    ]
    return tuple(pattern for line in lines if (pattern := compile_line(line)) is not None)


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
