"""What does a client do with the characters of a SKILL.md: truncate, drop, substitute or run them?

Seen by comparing the source with what the client gives its model, so it holds for whatever client gives a
text. Where that text is another writing of the body, such as JSON, nothing is marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import NamedTuple

from skilltool.rules.shared.field_values import span_of_rest
from skilltool.rules.shared.text_maps import text_map_of
from skilltool.runtimes.base import Runtime
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

# What clients replace in a body: a command that runs, or a variable.
_PLACEHOLDER = lazy_pattern(r"(?P<command>!`[^`\n]+`)|\$\{\w+\}|\$ARGUMENTS(?:\[\d+\])?|\$[A-Za-z_]\w*|\$\d+")
_LEAST_KEPT = 0.5  # of the lines of a body; what has fewer is another writing of it
KINDS = {
    "truncated": "not shown: the client truncates the text here",
    "dropped": "not in the text that the model gets",
    "substituted": "replaced by the client",
    "run": "a command that the client runs, and replaces by its output",
}


class Mark(NamedTuple):
    """Characters of a source from `start` up to `end`, and what becomes of them: a key of `KINDS`."""

    start: int
    end: int
    kind: str


def marks(
    skill: Skill, runtime: Runtime, listed: str | None, text: str | None, is_cut: bool
) -> tuple[Mark, ...]:
    """Return what a client does with the text of a skill that it loads, in the order of the text.

    `listed` is what the listing has of the skill, `text` what the model gets of the body, None where there is
    none. `is_cut` says that the listing has only a part of the description.
    """
    found = [*_in_description(skill, listed)] if listed and is_cut else []
    if text is not None:
        found += _in_body(skill, runtime, text)
    return tuple(sorted(found))


def _in_description(skill: Skill, listed: str) -> Iterator[Mark]:
    """Yield the part of a description that the listing does not have."""
    written = (skill.frontmatter.text("description") or "").strip()
    shown = max((_beginning(written, each) for each in (listed, unescape(listed))), key=len)
    if shown and len(shown) < len(written):
        span = span_of_rest(skill, ("description",), shown)
        yield Mark(span.start, span.end, "truncated")


def _beginning(description: str, listed: str) -> str:
    """Return the longest beginning of a description that a listing has."""
    least, most = 0, len(description)
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if description[:middle] in listed else (least, middle - 1)
    return description[:least]


def _in_body(skill: Skill, runtime: Runtime, text: str) -> Iterator[Mark]:
    """Yield what becomes of the lines of a body that the model does not get as they are."""
    start, whole = skill.frontmatter.envelope.body.start, skill.source.text
    got = frozenset(line.strip() for line in text.splitlines())
    lines = [(at, line) for at, line in _lines(whole, start) if line.strip()]
    lost = [(at, line) for at, line in lines if line.strip() not in got]
    replaced = [(at, line) for at, line in lost if _PLACEHOLDER.search(line)]
    if not lines or len(lost) - len(replaced) > len(lines) * _LEAST_KEPT:
        yield from _tail(lines, lost)
        return
    reading = text_map_of(skill, runtime)
    commands = [command.at for command in reading.commands] if reading is not None else []
    yield from (Mark(first, last, "run") for first, last in commands)
    for at, line in lost:
        if any(first < at + len(line) and at < last for first, last in commands):
            continue
        found = [*_PLACEHOLDER.finditer(line)]
        yield from (_mark(at, match) for match in found)
        if not found:
            first = at + len(line) - len(line.lstrip())
            yield Mark(first, at + len(line.rstrip()), "dropped")


def _mark(at: int, match: re.Match[str]) -> Mark:
    return Mark(at + match.start(), at + match.end(), "run" if match["command"] else "substituted")


def _tail(lines: Sequence[tuple[int, str]], lost: Sequence[tuple[int, str]]) -> Iterator[Mark]:
    """Yield the end of a body, if that is what is lost, and its beginning is not."""
    if lost and len(lost) < len(lines) and lost[0] == lines[-len(lost)]:
        last, line = lost[-1]
        yield Mark(lost[0][0], last + len(line), "truncated")


def _lines(text: str, start: int) -> Iterator[tuple[int, str]]:
    for line in text[start:].split("\n"):
        yield start, line
        start += len(line) + 1
