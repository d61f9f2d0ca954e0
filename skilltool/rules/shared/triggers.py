"""The triggers of a skill's frontmatter, for the rules about them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from skilltool.rules.base import list_entries
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.text.source import Span

KEY = "triggers"
Kind = Literal["keywords", "verbs", "patterns"]
# The process keeps a bound of processor time for each pattern; these of wall time are for where it cannot, and
# for a skill with many slow patterns: the first ones are enough to say, and a skill has ten seconds in all.
_SECONDS, _IN_ALL = 4.0, 5.0


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


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a pattern that was tried.

    `error` are the words of Python's `re` for one that does not compile, `position` the offset they
    are about. `slow` is the length of a message in which the search takes longer than `seconds`, 0 where
    it is not known.
    """

    error: str | None = None
    position: int | None = None
    slow: int | None = None


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


@lru_cache(maxsize=8)
def tried(patterns: tuple[str, ...]) -> tuple[Trial, ...]:
    """Compile and try patterns in a process that can be ended; those that it did not come to have no fault."""
    from importlib.resources import files

    from skilltool.runtimes.patterns.bounded_process import NotStartedError, OutOfTimeError, answers

    program = (files("skilltool.runtimes.patterns") / "regex_timing.py").read_text("utf-8")
    found: list[Trial] = []
    last = time.monotonic() + _IN_ALL
    try:
        for raw in answers(program, patterns, _SECONDS):
            found.append(Trial(raw.get("error"), raw.get("position"), raw.get("slow")))
            if time.monotonic() > last:
                break
    except OutOfTimeError:
        found.append(Trial(slow=0))
    except NotStartedError:
        pass
    return tuple(found + [Trial()] * (len(patterns) - len(found)))
