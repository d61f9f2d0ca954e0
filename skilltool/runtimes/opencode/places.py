"""In which directories does opencode look for skills, and in which order?

Source: the results of opencode 1.18.33.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.home import user_home
from skilltool.runtimes.loading import is_directory_here, is_here
from skilltool.runtimes.opencode.settings import Settings
from skilltool.runtimes.values import ResolvedRoot

_OWN = (("", "skills"), ("-skill", "skill"))


class Place(NamedTuple):
    """A root; `dotted` says that folders whose name begins with a dot count, `off` why it is not read."""

    root: ResolvedRoot
    dotted: bool = False
    off: str | None = None


def places(session: Session, settings: Settings) -> list[Place]:
    """Return every place in the order in which they are found."""
    above = list(upwards(session.project, session.home))
    found = [
        _foreign(session, settings, session.home, ".claude", "home-claude"),
        _foreign(session, settings, session.home, ".agents", "user"),
    ]
    for number, directory in enumerate(above):
        tail = f"-{number}" if number else ""
        found.append(_foreign(session, settings, directory, ".claude", f"project-claude{tail}"))
        found.append(_foreign(session, settings, directory, ".agents", f"project{tail}"))
    own = [(session.home / ".config" / "opencode", "config")]
    own += [(each / ".opencode", f"opencode{f'-{n}' if n else ''}") for n, each in enumerate(above)]
    own.append((session.home / ".opencode", "home-opencode"))
    for directory, role in own:
        for more, name in _OWN:
            found.append(Place(_root(session, f"{role}{more}", directory / name)))
    for number, path in enumerate(settings.paths, start=1):
        given = session.home / path[2:] if path.startswith("~/") else session.project / path
        place = Path(os.path.normpath(given))
        found.append(Place(ResolvedRoot(f"paths-{number}", place, str(place))))
    usual = {root.role for root in session.runtime.roots}
    return [place for place in found if place.root.role in usual or place.root.exists]


def _foreign(session: Session, settings: Settings, directory: Path, name: str, role: str) -> Place:
    """Return the place of another client, which environment variables turn off."""
    off = settings.external_off or (settings.claude_off if name == ".claude" else None)
    return Place(_root(session, role, directory / name / "skills"), dotted=True, off=off)


def _root(session: Session, role: str, usual: Path) -> ResolvedRoot:
    """Return the directory that `--root` names for a role, else the usual one."""
    template = next((root.path_template for root in session.runtime.roots if root.role == role), None)
    root = session.root(role)
    if root is None or template is None:
        return ResolvedRoot(role, usual, str(usual))
    is_default = str(root.path) == template.format(project=session.project, home=session.home)
    return ResolvedRoot(role, usual, str(usual)) if is_default else root


def upwards(project: Path, home: Path) -> Iterator[Path]:
    """Yield the working directory and those above it, up to the root of its repository, else of the disk.

    The home directory is left out: its places count as the user's.
    """
    # Lint reads no home directory: the one that it names does not exist.
    homes = {home} if is_directory_here(home) else {home, user_home()}
    repository = next((top for top in (project, *project.parents) if is_here(top / ".git")), None)
    for directory in (project, *project.parents):
        if directory not in homes or directory == project:
            yield directory
        if directory == repository:
            return
