"""What does a client list of each skill, and why does it not list a skill that a case expects?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from html import escape, unescape
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from skilltool.explain.candidates import candidates
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

    def __init__(self, session: Session) -> None:
        """Take a session that has loaded its skills."""
        self.session = session
        self.runtime = session.runtime.id

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The listed skills by key, in the order of the session."""
        return {entry.key: entry for entry in self._entries()}

    @cached_property
    def omitted(self) -> frozenset[str]:
        """The keys of the skills for which the listing has no room at all."""
        session = self.session
        keys = frozenset(session.runtime.budget(session)[1]) if session.runtime.budget else frozenset[str]()
        if not keys or session.runtime.shares is None:
            return keys
        shares = session.runtime.shares(session).skills
        return frozenset(key for key in keys if key not in shares or shares[key].sent <= 0)

    def _entries(self) -> Iterator[Entry]:
        session, text = self.session, self.session.catalog() or ""
        for skill in session.skills:
            if session.runtime.lists(skill) and skill.key not in self.omitted:
                shown = _shown(text, skill) if session.runtime.catalog else skill.description
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
        session = self.session
        loaded = next((skill for skill in session.skills if name in _names(skill)), None)
        if loaded is not None and loaded.key in self.omitted:
            return "leaves it out of its full listing"
        if loaded is not None:
            return "offers it to the user only, not to the model"
        if session.failure is not None:
            return f"loads no skill at all: {session.failure}"
        copies = candidates(session, name)
        if copies:
            shown = display_path(session, copies[0].directory)
            return f"does not load {shown}: {'; '.join(copies[0].why.splitlines())}"
        return None

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
                return f"loads {display_path(session, lost.by.directory)} and not {here}: {lost.why}"
        return None


def _names(skill: LoadedSkill) -> set[str]:
    return {skill.key, _SEPARATOR.split(skill.key)[-1], skill.directory.name}


def _shown(listing: str, skill: LoadedSkill) -> str:
    """Return the beginning of a description that is in a listing, after the skill's key.

    A listing may escape it for XML, or put it on one line; an ellipsis does not count.
    """
    description = skill.description
    if not description:
        return ""
    flat = " ".join(description.split())
    places = list(_occurrences(listing, skill.key))
    best = 0
    for written, flattened in (
        (description, False),
        (flat, True),
        (escape(description), False),
        (escape(description, quote=False), False),
        (escape(flat, quote=False), True),
    ):
        for at in places:
            kept = _common(listing, at, written)
            if kept >= len(written):
                return description
            if kept > best:
                readable = len(unescape(written[:kept]))
                best = _unflattened(description, readable) if flattened else readable
    return description[:best]


def _occurrences(text: str, key: str) -> Iterator[int]:
    at = text.find(key)
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
