"""Decides which file makes a directory a skill."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

FILE_NAME = "SKILL.md"
# Servers of tools, beside a SKILL.md: some runtime refuses the skill if this file is invalid.
SERVERS_FILE = ".mcp.json"


def may_be_skill(path: Path) -> bool:
    """Return whether a file is called SKILL.md, in upper or lower case."""
    return path.name.lower() == FILE_NAME.lower()


def namesakes(names: Iterable[str]) -> list[str]:
    """Return those of these names that differ from `SKILL.md` only in case, in byte order."""
    same_length = (name for name in names if len(name) == len(FILE_NAME))
    return sorted(name for name in same_length if name.lower() == FILE_NAME.lower() and name != FILE_NAME)


def skill_file(names: list[str]) -> str | None:
    """Return which of these names makes a directory a skill: `SKILL.md`, else one that differs in case."""
    if FILE_NAME in names:
        return FILE_NAME
    return min((name for name in names if name.lower() == FILE_NAME.lower()), default=None)
