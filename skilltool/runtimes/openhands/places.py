"""In which directories does OpenHands look for skills, and in which order?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import is_here
from skilltool.runtimes.values import ResolvedRoot

INSTALLED = "user-installed"
_KINDS = {
    "": (".agents", "skills"),
    "-openhands": (".openhands", "skills"),
    "-microagents": (".openhands", "microagents"),
}


def search_roots(project: Path) -> tuple[Path, ...]:
    """Return the working directory, and the root of its repository if that is another one."""
    for directory in (project, *project.parents):
        if is_here(directory / ".git"):
            return (project,) if directory == project else (project, directory)
    return (project,)


def project_roots(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the roots of the project: those of the session, then those of the repository above."""
    yield from (root for root in session.roots if root.role.startswith("project"))
    for above in search_roots(session.project)[1:]:
        for kind, parts in _KINDS.items():
            path = above.joinpath(*parts)
            if is_here(path):
                yield ResolvedRoot(f"repository{kind}", path, str(path))


def user_roots(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the roots of the user, without that of installed skills."""
    yield from (root for root in session.roots if root.role.startswith("user") and root.role != INSTALLED)
