"""Which sources does Deep Agents get, and what does it call them in the prompt?"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.backend import Backend
from skilltool.runtimes.values import ResolvedRoot


class Source(NamedTuple):
    """A directory of skills, as the framework gets it: its path, its label, and the role of our root."""

    path: str
    label: str
    role: str


def backend_of(session: Session) -> Backend:
    """Return the file system that the agent works in."""
    return Backend(session.project, session.settings["virtual"])


def sources(session: Session) -> list[Source]:
    """Return the sources, low to high: the setting `sources`, else the roots of the session.

    A setting takes the place of the roots, which then are those directories. Raises `ValueError` for a path
    that leads out of a virtual file system.
    """
    given = session.settings["sources"]
    if not given:
        return [Source(str(root.path), label_of(str(root.path)), root.role) for root in session.roots]
    pairs = [(each, label_of(each)) if isinstance(each, str) else tuple(map(str, each)) for each in given]
    found = [Source(path, label, f"root {number}") for number, (path, label) in enumerate(pairs, start=1)]
    session.roots = tuple(ResolvedRoot(each.role, _place(session, each.path), each.path) for each in found)
    return found


def _place(session: Session, path: str) -> Path:
    try:
        return backend_of(session).place(path)
    except OSError:
        return session.project / path


def label_of(path: str) -> str:
    """Return the label of a source that has none: its last directory, or the one above `skills`."""
    parts = PurePosixPath(path.replace("\\", "/").rstrip("/")).parts
    if not parts:
        return "Unnamed"
    last = parts[-1]
    if last.lower() == "built_in_skills":
        return "Built-in"
    if last.lower() == "skills" and len(parts) > 1:
        above = parts[-2].lstrip(".")
        if above not in ("", "/"):
            return above.replace("_", " ").replace("-", " ").title()
    return last.capitalize()
