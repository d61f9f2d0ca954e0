"""Does a file match the `paths` of a skill? Patterns are those of `.gitignore`, with braces expanded."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import PurePosixPath

from skilltool.emulation.picomatch import expanded
from skilltool.skill.discovery.wildmatch import Pattern, compile_line


def matches(patterns: Sequence[str], path: str) -> bool:
    """Return whether a file (relative, with `/`) or a directory above it matches; the last pattern wins."""
    compiled = _compiled(tuple(patterns))
    file = PurePosixPath(path)
    for each in (*reversed(file.parents[:-1]), file):
        name, whole = each.name.encode(), each.as_posix().encode()
        found = next((p for p in reversed(compiled) if p.matches(whole, name, each != file)), None)
        if found is not None:
            return found.include
    return False


@lru_cache(maxsize=256)
def _compiled(patterns: tuple[str, ...]) -> tuple[Pattern, ...]:
    lines = [line for pattern in patterns for line in expanded(pattern)]
    return tuple(found for line in lines if (found := compile_line(line.encode())) is not None)
