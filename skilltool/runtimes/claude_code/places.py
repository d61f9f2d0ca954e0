"""In which directories does Claude Code look for skills and commands, and in which order?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code.flags import Flags, config_directory
from skilltool.runtimes.home import user_home
from skilltool.runtimes.loading import is_directory_here
from skilltool.runtimes.values import ResolvedRoot

_ABOVE = "parent-"


class Place(NamedTuple):
    """A directory of skills or of commands: our role for it, and the program's word for where it comes from.

    `group` is the word in its count of skills: `user`, `project`, `additional` or `legacy commands`.
    """

    path: Path
    role: str
    source: str
    group: str
    commands: bool = False
    scope: str | None = None


def places(session: Session, flags: Flags) -> list[Place]:
    """Return every place in the order of the listing; command files come after all skills."""
    if flags.bare:
        return []
    user, project = _allowed(flags, "user"), _allowed(flags, "project")
    config = config_directory(flags, session.home)
    above = list(parents(session.project, session.home))
    added = [session.project / directory for directory in flags.add_dirs] if project else []
    found = (
        [Place(_given(session, "user", config / "skills"), "user", "userSettings", "user")] if user else []
    )
    if project:
        for number, directory in enumerate(above):
            role = "project" if number == 0 else f"parent-{number}"
            path = directory / ".claude" / "skills"
            path = _given(session, "project", path) if number == 0 else path
            found.append(Place(path, role, "projectSettings", "project"))
    for number, directory in enumerate(added, start=1):
        path = Path(os.path.abspath(directory)) / ".claude" / "skills"
        scope = path.parents[1].name
        found.append(Place(path, f"add-dir-{number}", "projectSettings", "additional", scope=scope))
    return [*found, *_commands(session, config, above, added, user, project)]


def _commands(
    session: Session, config: Path, above: list[Path], added: list[Path], user: bool, project: bool
) -> Iterator[Place]:
    group = "legacy commands"
    if user:
        path = _given(session, "user-commands", config / "commands")
        yield Place(path, "user-commands", "userSettings", group, True)
    if not project:
        return
    for number, directory in enumerate(above):
        path, role = directory / ".claude" / "commands", f"parent-commands-{number}"
        if number == 0:
            path, role = _given(session, "project-commands", path), "project-commands"
        yield Place(path, role, "projectSettings", group, True)
    for number, directory in enumerate(added, start=1):
        path = Path(os.path.abspath(directory)) / ".claude" / "commands"
        yield Place(path, f"add-dir-commands-{number}", "projectSettings", group, True)


def _given(session: Session, role: str, usual: Path) -> Path:
    """Return the directory that `--root` names for a role, else the usual one."""
    template = next(root.path_template for root in session.runtime.roots if root.role == role) or ""
    root = session.root(role)
    default = Path(template.format(project=session.project, home=session.home))
    return usual if root is None or root.path == default else root.path


def _allowed(flags: Flags, source: str) -> bool:
    return flags.sources is None or source in flags.sources


def parents(project: Path, home: Path) -> Iterator[Path]:
    """Yield the working directory and those above it, up to the root of its repository.

    Without a repository up to the root of the file system; what is above a home directory that contains it
    is not read, and neither is the home directory itself, whose skills are the personal ones.
    """
    repository = next((top for top in (project, *project.parents) if (top / ".git").exists()), None)
    # Lint reads no home directory: the one that it names does not exist.
    homes = {home} if is_directory_here(home) else {home, user_home()}
    for directory in (project, *project.parents):
        if directory in homes:
            return
        yield directory
        if directory == repository:
            return


def roots_of(found: list[Place]) -> tuple[ResolvedRoot, ...]:
    """Return the places as roots of a session, without directories above that have none."""
    return tuple(
        ResolvedRoot(place.role, place.path, str(place.path))
        for place in found
        if not place.role.startswith(_ABOVE) or place.path.exists()
    )
