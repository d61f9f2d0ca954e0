"""The triggers of a skill's frontmatter, for the rules about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from skilltool.rules.shared.fields import list_entries
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.source import Span

KEY = "triggers"
Kind = Literal["keywords", "verbs", "patterns"]


@dataclass(frozen=True, slots=True)
class Trigger:
    """One entry: its text, and where the text stands.

    `verbatim` says that the file holds the text character by character, so that offsets in the
    text are offsets in the file.
    """

    text: str
    span: Span
    verbatim: bool

    def at(self, position: int | None) -> Span:
        """Return the place of one character of the text, or all of it where that cannot be told."""
        if position is None or not self.verbatim or position >= len(self.text):
            return self.span
        return Span(self.span.start + position, self.span.start + position + 1)


def triggers(skill: Skill, target: Runtime, kind: Kind) -> Iterator[Trigger]:
    """Yield the entries of one kind that are text; none where the target knows no triggers."""
    if not knows_triggers(target):
        return
    for _path, text, span in list_entries(skill, KEY, kind):
        at = skill.source.text.find(text, span.start, span.end)
        verbatim = at >= 0 and text != ""
        yield Trigger(text, Span(at, at + len(text)) if verbatim else span, verbatim)


def knows_triggers(target: Runtime) -> bool:
    """Return whether the target's frontmatter has triggers."""
    return _knows(target.schema)


@cache
def _knows(name: str) -> bool:
    return KEY in schema.load(name)["properties"]
