"""What does a listing have of one skill? The lines that it adds to the listing without it."""

from __future__ import annotations

import re
from copy import copy

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill


def listing_entry(session: Session, skill: LoadedSkill) -> list[str]:
    """Return the lines of a listing that are about a loaded skill; empty where it is not listed.

    They are those that the skill adds to a listing without skills. A client whose listing does not follow the
    skills of the session has a line for each, which begins with its key.
    """
    alone = copy(session)  # callers keep the original
    alone.skills = []
    without = alone.catalog()
    alone.skills = [skill]
    added = _added_lines(alone.catalog() or "", without or "")
    return added or _line_of(session, skill.key)


def _line_of(session: Session, key: str) -> list[str]:
    start = re.compile(rf"\W{{0,4}}{re.escape(key)}(?![\w-])")
    return [line for line in (session.catalog() or "").split("\n") if start.match(line)][:1]


def _added_lines(listing: str, without: str) -> list[str]:
    """Return the lines of a listing that the skill adds to the listing without it."""
    lines, other = listing.rstrip("\n").split("\n"), without.rstrip("\n").split("\n")
    while lines and other and lines[0] == other[0]:
        del lines[0], other[0]
    while lines and other and lines[-1] == other[-1]:
        del lines[-1], other[-1]
    return lines
