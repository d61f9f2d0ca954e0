"""In which directories does Codex look for skills? Those of the project have two different tops.

Source: the skill roots in requests of codex 0.169.0.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.home import user_home
from skilltool.runtimes.loading import is_directory_here, is_file_here, is_here

REPO, USER, SYSTEM, ADMIN = "repo", "user", "system", "admin"
_SCOPES = {
    "project-codex": REPO,
    "codex-home": USER,
    "user": USER,
    "system": SYSTEM,
    "admin": ADMIN,
    "project": REPO,
}


class Place(NamedTuple):
    """A directory of skills: our role for it, its path, and Codex's word for whose skills it has."""

    role: str
    path: Path
    scope: str


def places(session: Session) -> list[Place]:
    """Return every root that exists or could, in the order of the aliases, each path once."""
    above = list(_ancestors(session))
    found: list[Place] = []
    for role, scope in _SCOPES.items():
        root = session.root(role)
        if root is None:
            continue
        own = Place(role, root.path, scope)
        if role == "project-codex":
            found += [own, *_upwards(role, ".codex", _levels(above, _codex_top(above)))]
        elif role == "project":
            found += reversed([own, *_upwards(role, ".agents", _levels(above, _top(above)))])
        else:
            found.append(own)
    return list({place.path: place for place in reversed(found)}.values())[::-1]


def trusted_top(session: Session) -> Path:
    """Return the directory that a user trusts: the top of the project, as for `.codex`."""
    return _codex_top(list(_ancestors(session))) or session.project


def _upwards(role: str, folder: str, directories: list[Path]) -> Iterator[Place]:
    """Yield the roots above the working directory, innermost first; `--root` names only that in it."""
    for number, directory in enumerate(directories[1:], start=1):
        yield Place(f"{role}-above-{number}", directory / folder / "skills", REPO)


def _ancestors(session: Session) -> Iterator[Path]:
    """Yield the working directory and those above it; lint, which names no home that exists, reads none."""
    for directory in (session.project, *session.project.parents):
        if directory == user_home() and not is_directory_here(session.home):
            return
        yield directory


def _levels(above: list[Path], top: Path | None) -> list[Path]:
    return above[:1] if top is None else above[: above.index(top) + 1]


def _top(above: list[Path]) -> Path | None:
    """Return the nearest directory with anything named `.git`."""
    return next((each for each in above if os.path.lexists(each / ".git")), None)


def _codex_top(above: list[Path]) -> Path | None:
    """Return the nearest directory whose `.git` is a file, or a folder with a `HEAD`."""
    return next((each for each in above if _is_repository(each / ".git")), None)


def _is_repository(git: Path) -> bool:
    return is_file_here(git) or is_here(git / "HEAD")
