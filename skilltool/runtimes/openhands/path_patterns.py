"""Does a file match a pattern of `paths`?

`**/` stands for any directories, `**` for anything, `*` and `?` for anything within a name; there is nothing
else, no brackets and no braces. A pattern without `/` is one for any directory. All states are followed at
once, so that no pattern takes time that grows faster than its length times that of the path.

Source: `path_matches_glob` in `openhands/sdk/skills/skill.py` of openhands-sdk 1.58.0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_TOKEN = re.compile(r"\*\*/|\*\*|[\s\S]")
_DIRECTORIES, _ANYTHING = "**/", "**"


def matches(pattern: str, path: str) -> bool:
    """Return whether a file, as a path with `/` below the working directory, matches a pattern."""
    if not pattern:
        return False
    tokens = _TOKEN.findall(pattern if "/" in pattern else f"**/{pattern}")
    states = _with_empty(tokens, {(0, False)})
    for character in path:
        states = _with_empty(tokens, {after for state in states for after in _step(tokens, state, character)})
    return (len(tokens), False) in states


def _with_empty(tokens: list[str], states: set[tuple[int, bool]]) -> set[tuple[int, bool]]:
    """Add the states that follow where a token stands for nothing.

    A state is the number of tokens matched, and whether it is inside the directories of a `**/`.
    """
    found = set(states)
    for at, inside in states:
        while not inside and at < len(tokens) and tokens[at] in (_DIRECTORIES, _ANYTHING, "*"):
            at += 1
            found.add((at, False))
    return found


def _step(tokens: list[str], state: tuple[int, bool], character: str) -> Iterable[tuple[int, bool]]:
    at, inside = state
    token = tokens[at] if at < len(tokens) else ""
    if token == _DIRECTORIES:
        yield at, True
        if character == "/":
            yield at + 1, False
    elif token == _ANYTHING or (token == "*" and character != "/"):
        yield at, inside
    elif token == character or (token == "?" and character != "/"):
        yield at + 1, False
