"""Takes the tools of `allowed-tools` and `disallowed-tools` apart, each with its location in the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from skilltool.runtimes import fields
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.tools import tools_of
from skilltool.skill.model import Skill
from skilltool.text.frontmatter.nodes import Scalar, Sequence
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

FIELDS = ("allowed-tools", "disallowed-tools")
Fault = Literal["unclosed", "unopened", "quote"]

# An escaped bracket is part of a pattern: `Bash(echo \(*)`.
_MARK = lazy_pattern(r"\\.|[()]|[\s,]+", re.DOTALL)
_QUOTES = "\"'"
# A list that is split at commas inside brackets; more items than this are not put together again.
_MOST_PARTS = 50


class Entry(NamedTuple):
    """One tool: its text and location, and what is wrong with its brackets or quotes, None if nothing.

    `quoted` is True for parts of a YAML list that were one tool before a comma split them: quotes around `span` make
    them one again.
    """

    field: str
    text: str
    span: Span
    fault: Fault | None = None
    quoted: bool = False


def tool_entries(skill: Skill, target: Runtime) -> Iterator[Entry]:
    """Yield the tools in those of `FIELDS` that a runtime reads, in the order of the fields."""
    for field in FIELDS:
        if fields.types(fields.about(target, (field,)) or {}):
            yield from _entries(skill, field)


def _entries(skill: Skill, field: str) -> Iterator[Entry]:
    node = skill.frontmatter.node(field)
    if isinstance(node, Scalar):
        yield from _of_scalar(skill, field, node)
    elif isinstance(node, Sequence):
        items = [item for item in node.items if isinstance(item, Scalar)]
        at = 0
        while at < len(items):
            together = _parts(skill, items[at : at + _MOST_PARTS]) if node.flow else 0
            if together:
                span = Span(items[at].span.start, items[at + together - 1].span.end)
                yield Entry(field, skill.source[span], span, "unclosed", quoted=True)
            else:
                yield from _of_item(field, items[at])
            at += together or 1


def _parts(skill: Skill, items: list[Scalar]) -> int:
    """Return how many items are one tool together, as commas inside its brackets split it; 0 if the first is whole."""
    depth = 0
    for number, item in enumerate(items, start=1):
        if item.style or item.tag or "\n" in skill.source[Span(items[0].span.start, item.span.end)]:
            return 0
        for mark in _MARK.finditer(item.text):
            depth += (mark[0] == "(") - (mark[0] == ")")
            if depth < 0:
                return 0
        if depth == 0:
            return number if number > 1 else 0
    return 0


def _of_scalar(skill: Skill, field: str, node: Scalar) -> Iterator[Entry]:
    """Yield the tools of one string; all have its location if escapes or folding hide theirs."""
    if not isinstance(node.value, str):
        return
    begin = skill.source.text.find(node.value, *node.span)
    for start, end, fault in split(node.value):
        span = Span(begin + start, begin + end) if begin >= 0 else node.span
        yield Entry(field, node.value[start:end], span, fault)


def _of_item(field: str, item: Scalar) -> Iterator[Entry]:
    """Yield the one tool that an item of a list is, whatever spaces it has."""
    if isinstance(item.value, str) and item.text.strip():
        faults = (fault for _start, _end, fault in split(item.text) if fault)
        yield Entry(field, item.text, item.span, next(faults, None))


def split(value: str) -> Iterator[tuple[int, int, Fault | None]]:
    """Yield start and end of each tool in a string, and its fault; spaces and commas outside brackets separate them.

    What follows a bracket that is never closed cannot be told apart: the tool ends at the first comma after it, and
    nothing more is yielded.
    """
    start = depth = opened = 0
    fault: Fault | None = None
    for mark in _MARK.finditer(value):
        if mark[0] == "(":
            opened = opened if depth else mark.start()
            depth += 1
        elif mark[0] == ")":
            depth, fault = max(depth - 1, 0), fault if depth else "unopened"
        elif not depth and mark[0][0] != "\\":
            if start < mark.start():
                yield start, mark.start(), fault or _quote_fault(value[start : mark.start()])
            start, fault = mark.end(), None
    if depth:
        before, _, _ = value[opened:].partition(",")
        yield start, opened + len(before.rstrip()), "unclosed"
    elif start < len(value):
        yield start, len(value), fault or _quote_fault(value[start:])


def _quote_fault(text: str) -> Fault | None:
    first, last = text[0], text[-1]
    one = len(text) == 1 or first != last
    return "quote" if one and (first in _QUOTES or last in _QUOTES) else None


_NAME = lazy_pattern(r"[A-Za-z][\w-]{0,80}(?=\(|\Z)", re.ASCII)
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
        match = _NAME.match(entry.text) if entry.fault is None else None
        if match is None or match[0] in known or match[0].startswith(_MCP):
            continue
        name, start = match[0], entry.span.start
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
