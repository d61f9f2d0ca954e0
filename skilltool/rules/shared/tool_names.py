"""Finds the tools in the frontmatter that a runtime does not have, and the names that were meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from skilltool.rules.shared.tool_entries import tool_entries
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.tools import tools_of
from skilltool.skill.model import Skill
from skilltool.text.source import Span

_NAME = re.compile(r"[A-Za-z][\w-]{0,80}(?=\(|\Z)", re.ASCII)
_MCP = "mcp__"
_SHORTEST = 4  # letters of a name in which one may be wrong


class UnknownTool(NamedTuple):
    """A tool that a runtime does not have: the field it is in, its name, and the name that was meant, if any.

    `exact` tells whether `span` has the name and nothing else.
    """

    field: str
    name: str
    span: Span
    meant: str | None
    exact: bool


def unknown_tools(skill: Skill, target: Runtime) -> Iterator[UnknownTool]:
    """Yield the tools that a runtime does not have; none if its tools are not known."""
    tools = tools_of(target.id)
    if tools is None:
        return
    known = (*tools.names, *tools.earlier)
    for entry in tool_entries(skill, target):
        found = _NAME.match(entry.text) if entry.fault is None else None
        if found is None or found[0] in known or found[0].startswith(_MCP):
            continue
        name, start = found[0], entry.span.start
        exact = skill.source.text.startswith(name, start)
        span = Span(start, start + len(name)) if exact else entry.span
        yield UnknownTool(entry.field, name, span, _meant(name, known), exact)


@lru_cache(maxsize=256)
def _meant(name: str, known: tuple[str, ...]) -> str | None:
    """Return the tool whose name differs from `name` in case, in `_` and `-`, or by one letter; None for two of them."""
    folded = _folded(name)
    same = [tool for tool in known if _folded(tool) == folded]
    if not same and len(folded) >= _SHORTEST:
        same = [tool for tool in known if _differs_by_one(_folded(tool), folded)]
    return same[0] if len(same) == 1 else None


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()


def _differs_by_one(one: str, other: str) -> bool:
    """Return whether one letter too many, missing, wrong or swapped with the next makes one name the other."""
    while one and other and one[0] == other[0]:
        one, other = one[1:], other[1:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return max(len(one), len(other)) <= 1 or (len(one) == 2 and one == other[::-1])
