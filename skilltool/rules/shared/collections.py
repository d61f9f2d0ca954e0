"""Checked skills as a target would find them: each project's roots in one session of the target.

A directory that matches a root of the target (`.kodelet/skills`) is that root of its project; where
none matches, the parent of the skills stands for the target's first root. The home directory is
never read.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from skilltool import runtimes
from skilltool.rules.records import Record
from skilltool.runtimes.base import Runtime, Session

_NO_HOME = ".skilltool-no-home"


@dataclass(frozen=True, slots=True)
class Collection:
    """The session of one project, and the checked skills that are in its roots, in path order.

    `is_project` is False where no root of the target matched, and the skills' parent stands for one.
    """

    session: Session
    records: tuple[Record, ...]
    is_project: bool

    def record(self, directory: Path) -> Record | None:
        """Return the checked skill in a directory, whatever links lead there; None if it was not checked."""
        wanted = os.path.realpath(directory)
        return next((each for each in self.records if os.path.realpath(each.directory) == wanted), None)


def collections(records: Sequence[Record], target: Runtime) -> tuple[Collection, ...]:
    """Return the collections of `records`, in the order of their first skill; none for a common ground."""
    return () if target.any_roots else _collections(tuple(records), target.id)


def forget() -> None:
    """Forget every session, so that the next ones see what has changed on disk: a server outlives its files."""
    _collections.cache_clear()


# Two rules and the matrix ask for the same collections, one target after the other.
@lru_cache(maxsize=8)
def _collections(records: tuple[Record, ...], runtime_id: str) -> tuple[Collection, ...]:
    target = runtimes.get(runtime_id)
    places: dict[tuple[str, bool], list[Record]] = {}
    for record in records:
        project = record.project(target)
        place = (project, True) if project is not None else (record.root(target), False)
        places.setdefault(place, []).append(record)
    return tuple(
        Collection(_opened(target, Path(place), is_project), tuple(found), is_project)
        for (place, is_project), found in places.items()
    )


def _opened(target: Runtime, place: Path, is_project: bool) -> Session:
    """Open the target in a project, or with `place` as its first root."""
    if is_project:
        return target.open(place, place / _NO_HOME)
    first = next((root.role for root in target.roots if root.scope == "project"), None)
    role = first or next(root.role for root in target.roots if root.scope == "user")
    return target.open(place.parent, place / _NO_HOME, roots={role: place})
