"""What does a listing have of one skill? The lines that it adds to the listing without it."""

from __future__ import annotations

from copy import copy

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill


def listing_entry(session: Session, skill: LoadedSkill) -> list[str]:
    """Return the lines that a loaded skill adds to a listing of no other; empty where nothing is listed."""
    alone = copy(session)  # callers keep the original
    alone.skills = []
    without = alone.catalog()
    alone.skills = [skill]
    return _added_lines(alone.catalog() or "", without or "")


def _added_lines(listing: str, without: str) -> list[str]:
    """Return the lines of a listing that the skill adds to the listing without it."""
    lines, other = listing.rstrip("\n").split("\n"), without.rstrip("\n").split("\n")
    while lines and other and lines[0] == other[0]:
        del lines[0], other[0]
    while lines and other and lines[-1] == other[-1]:
        del lines[-1], other[-1]
    return lines
