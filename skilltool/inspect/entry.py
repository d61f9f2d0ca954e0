"""What does a listing have of one skill? The lines that it adds to the listing without it."""

from __future__ import annotations

import re
from copy import copy
from weakref import WeakKeyDictionary

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill

# The listings without skills and with all, for as long as the session lives: a page asks for every skill.
_listings: WeakKeyDictionary[Session, tuple[str, str]] = WeakKeyDictionary()


def listing_entry(session: Session, skill: LoadedSkill) -> list[str]:
    """Return the lines of a listing that are about a loaded skill; empty where it is not listed.

    They are those that the skill adds to a listing without skills. A client whose listing does not follow the
    skills of the session has a line for each, which begins with its key.
    """
    if session not in _listings:
        _listings[session] = _with(session, []), _with(session, session.skills)
    without, whole = _listings[session]
    if without == whole:
        return _line_of(whole, skill.key)
    return _added_lines(_with(session, [skill]), without)


def _with(session: Session, skills: list[LoadedSkill]) -> str:
    alone = copy(session)  # callers keep the original
    alone.skills = skills
    return alone.catalog() or ""


def _line_of(listing: str, key: str) -> list[str]:
    start = re.compile(rf"\W{{0,4}}{re.escape(key)}(?![\w-])")
    return [line for line in listing.split("\n") if start.match(line)][:1]


def _added_lines(listing: str, without: str) -> list[str]:
    """Return the lines of a listing that the skill adds to the listing without it."""
    lines, other = listing.rstrip("\n").split("\n"), without.rstrip("\n").split("\n")
    while lines and other and lines[0] == other[0]:
        del lines[0], other[0]
    while lines and other and lines[-1] == other[-1]:
        del lines[-1], other[-1]
    return lines
