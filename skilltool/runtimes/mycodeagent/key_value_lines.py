"""Frontmatter as lines of `key: value`, the way MyCodeAgent reads it: not YAML at all.

Source: `skill_loader.py` of MyCodeAgent, and recordings of it. Lines are those of Python's
`str.splitlines`, for which form feeds, NEL, U+2028 and U+2029 also end a line.
"""

from __future__ import annotations


def read(text: str) -> tuple[dict[str, str], str] | None:
    """Return the keys with their values, and the body; None for text without readable frontmatter.

    A line without a colon makes the block unreadable. Blank lines and comments are skipped, the last of
    repeated keys wins, an indented key is a key, and quotes around a value are stripped. The body is its
    lines joined by line feeds, without a final one.
    """
    lines = text.splitlines()
    if not lines or lines[0].strip() != "---":
        return None
    found: dict[str, str] = {}
    for number, line in enumerate(lines[1:], start=1):
        stripped = line.strip()
        if stripped == "---":
            return found, "\n".join(lines[number + 1 :])
        if not stripped or stripped.startswith("#"):
            continue
        key, colon, value = line.partition(":")
        if not colon:
            return None
        found[key.strip()] = value.strip().strip("\"'")
    return None
