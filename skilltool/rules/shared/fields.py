"""Texts of frontmatter fields, with their location in the file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Path
from skilltool.text.source import Span


def list_entries(skill: Skill, *keys: str) -> Iterator[tuple[Path, str, Span]]:
    """Yield path, text and span of each string in the list at `keys`, e.g. `"triggers", "keywords"`."""
    if skill.frontmatter.data and keys[0] in skill.frontmatter.data:
        for path, scalar in skill.frontmatter.scalars:
            if path[:-1] == keys and isinstance(path[-1], int) and isinstance(scalar.value, str):
                yield path, scalar.value, scalar.span


def span_of_text(skill: Skill, field: str, part: str) -> Span:
    """Return the span of `part` in a field's value, or of the whole value if escapes or folding hide it."""
    span = skill.frontmatter.span(field)
    at = skill.source.text.find(part, span.start, span.end)
    return Span(at, at + len(part)) if at >= 0 else span


KEY = "triggers"
Kind = Literal["keywords", "verbs", "patterns"]


class Trigger(NamedTuple):
    """One entry: its text and the span of the text in the file.

    `verbatim` is True if the file has the text character by character (no escapes), so that an offset
    into the text, added to `span.start`, is an offset into the file.
    """

    text: str
    span: Span
    verbatim: bool

    def at(self, position: int | None) -> Span:
        """Return the span of the character at an offset into the text, or of the whole text if it is not verbatim."""
        if position is None or not self.verbatim or position >= len(self.text):
            return self.span
        return Span(self.span.start + position, self.span.start + position + 1)


def triggers(skill: Skill, target: Runtime, kind: Kind) -> Iterator[Trigger]:
    """Yield the entries of one kind that are strings; none if the runtime does not support triggers."""
    if not supports_triggers(target):
        return
    for _path, text, span in list_entries(skill, KEY, kind):
        at = skill.source.text.find(text, span.start, span.end)
        verbatim = at >= 0 and text != ""
        yield Trigger(text, Span(at, at + len(text)) if verbatim else span, verbatim)


def supports_triggers(target: Runtime) -> bool:
    """Return whether the runtime's frontmatter has a field `triggers`."""
    return _has_field(target.schema)


@cache
def _has_field(name: str) -> bool:
    return KEY in schema.load(name)["properties"]
