"""What does a client list of each skill, and why does it not list a skill that a case expects?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from html import unescape
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from skilltool.explain.candidates import candidates
from skilltool.explain.cost import cost_of
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import display_path
from skilltool.runtimes.values import LoadedSkill
from skilltool.text.lazy_pattern import lazy_pattern

_SEPARATOR = lazy_pattern(r"[:/]")
_NEAR = 400  # characters after a skill's key in which its description begins


class Entry(NamedTuple):
    """A skill that a client lists: its key and directory, its description, and how much of that is listed."""

    key: str
    directory: Path
    description: str
    shown: str

    @property
    def lost(self) -> str:
        """The part of the description that is not listed."""
        return "" if self.shown == self.description else self.description[len(self.shown) :]


class Listing:
    """The skills that one session offers to its model, by their keys, and what became of the others."""

    def __init__(self, session: Session, where: str = "") -> None:
        """Take a session that has loaded its skills, and where they are if the client has several."""
        self.session = session
        self.runtime = session.runtime.id
        self.label = f"{self.runtime} ({where})" if where else self.runtime
        self._absences: dict[str, str | None] = {}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The listed skills by key, in the order of the session."""
        return {entry.key: entry for entry in self._entries()}

    @cached_property
    def _losses(self) -> tuple[frozenset[str], frozenset[str]]:
        """The keys of the skills for which there is no room at all, and of those that lose text."""
        if self.session.runtime.catalog is None:
            return frozenset(), frozenset()
        cost = cost_of(self.session, reading=False)
        return frozenset(cost.omitted), frozenset((*cost.cut, *cost.clipped))

    def _entries(self) -> Iterator[Entry]:
        session, text = self.session, self.session.catalog() or ""
        omitted, cut = self._losses
        for skill in session.skills:
            if session.runtime.lists(skill) and skill.key not in omitted:
                shown = _shown(text, skill) if skill.key in cut else skill.description
                yield Entry(skill.key, skill.directory, skill.description, shown)

    def find(self, name: str) -> Entry | None:
        """Return the listed skill that a case means by a name: a key, or the last part of one."""
        if name in self.entries:
            return self.entries[name]
        for entry in self.entries.values():
            if name in (_SEPARATOR.split(entry.key)[-1], entry.directory.name):
                return entry
        return None

    def absence(self, name: str) -> str | None:
        """Return why the model is not offered a skill, as a predicate; None if the client has no copy."""
        if name not in self._absences:
            self._absences[name] = self._absence(name)
        return self._absences[name]

    def _absence(self, name: str) -> str | None:
        session = self.session
        loaded = next((skill for skill in session.skills if name in _names(skill)), None)
        if loaded is not None and loaded.key in self._losses[0]:
            return "leaves it out because the listing is full"
        if loaded is not None:
            return "offers it only to the user, not to the model"
        if session.failure is not None:
            return f"loads no skills: {session.failure}"
        copies = candidates(session, name)
        if copies:
            shown = display_path(session, copies[0].directory)
            return f"does not load {shown}: {'; '.join(copies[0].why.splitlines())}"
        return None

    def comes_to(self, name: str) -> bool:
        """Return whether the client comes to a copy of a skill, listed or not."""
        return self.find(name) is not None or self.absence(name) is not None

    def shadowed(self, entry: Entry, wanted: Path | None) -> str | None:
        """Return why another copy than the `wanted` one is listed; without it, one with another description.

        Else None.
        """
        session = self.session
        for lost in session.shadowed:
            if lost.skill.key != entry.key:
                continue
            is_wanted = wanted is not None and os.path.realpath(wanted) == os.path.realpath(
                lost.skill.directory
            )
            if is_wanted or (wanted is None and lost.skill.description != entry.description):
                here = display_path(session, lost.skill.directory)
                taken = display_path(session, lost.by.directory)
                if lost.undetermined:  # `resolve` calls such copies ambiguous
                    return f"ambiguous, it may load {taken} or {here}: {lost.why}"
                return f"loads {taken} instead of {here}: {lost.why}"
        return None


def _names(skill: LoadedSkill) -> set[str]:
    return {skill.key, _SEPARATOR.split(skill.key)[-1], skill.directory.name}


def _shown(listing: str, skill: LoadedSkill) -> str:
    """Return the beginning of a description that is in a listing, after the skill's key.

    A listing may escape it for XML, or put it on one line; an ellipsis does not count.
    """
    flat = " ".join(skill.description.split())
    best = 0
    for text in dict.fromkeys((listing, unescape(listing))):
        for at in _occurrences(text, skill.key):
            best = max(
                best,
                _common(text, at, skill.description),
                _unflattened(skill.description, _common(text, at, flat)),
            )
    return skill.description[:best]


def _occurrences(text: str, key: str) -> Iterator[int]:
    at = text.find(key) if key else -1
    while at >= 0:
        yield at + len(key)
        at = text.find(key, at + 1)


def _common(listing: str, at: int, written: str) -> int:
    """Return how many characters of a text stand in the listing, beginning soon after a place."""
    start = listing.find(written[:12], at, at + _NEAR)
    if start < 0:
        return 0
    pairs = zip(listing[start : start + len(written)], written, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _unflattened(text: str, kept: int) -> int:
    """Return how long the beginning of a text is of which `kept` characters are left on one line."""
    seen = 0
    blank = True
    for number, character in enumerate(text):
        if seen >= kept:
            return number
        if character.isspace():
            seen += not blank
            blank = True
        else:
            seen, blank = seen + 1, False
    return len(text)
