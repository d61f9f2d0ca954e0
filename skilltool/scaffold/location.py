"""For which runtime a new skill is made, and in which directory it belongs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from skilltool import runtimes
from skilltool.errors import SkilltoolError
from skilltool.packages.manifest import places
from skilltool.runtimes.base import Root, Runtime
from skilltool.runtimes.home import user_home

# The directory of skills that belongs to no single client.
_SHARED = "skills"


def skills_directory(runtime: Runtime, scope: str, project: Path, home: Path | None = None) -> Path:
    """Return the runtime's own skills directory of a scope, `project` or `user`; it need not exist.

    `home` defaults to the user's home directory. A common ground, whose roots the user names, has `skills` in
    the project. Raises `SkilltoolError` if the runtime has none.
    """
    if runtime.any_roots and scope == "project":
        return project / _SHARED
    roots = [root for root in runtime.roots if root.scope == scope and root.path_template]
    if not roots:
        other = next(
            (root for root in runtime.roots if root.path_template and root.scope in ("project", "user")), None
        )
        if other is None:
            raise SkilltoolError(
                f"{runtime.id} has no skills directory of its own; name one with --output DIR"
            )
        place = str(other.path_template).format(project=".", home="~")
        hint = f"use --scope {other.scope} ({place}) or --output DIR"
        raise SkilltoolError(f"{runtime.id} has no {scope} skills directory; {hint}")
    place = str(_usual(runtime, roots, project).path_template)
    if "{home}" in place and home is None:
        home = user_home()
    return Path(place.format(project=project, home=home))


def default_runtime(configured: Sequence[str], project: Path) -> Runtime:
    """Return the runtime for a new skill if none is named.

    That is the first configured one, if possible one with a directory of its own, else the one whose own
    directory the project has, else `portable`.
    """
    named = [runtimes.get(name) for name in configured if name in runtimes.IDS]
    if named:
        return next((runtime for runtime in named if runtime.roots), named[0])
    here = (each.client for each in places() if (project / each.path).is_dir())
    return runtimes.get(next((client for client in here if client in runtimes.IDS), "portable"))


def _usual(runtime: Runtime, roots: Sequence[Root], project: Path) -> Root:
    """Return the root that is the runtime's own, if possible one that exists; the first one if none is."""
    mine = {each.path for each in places() if each.client == runtime.id.partition("@")[0]}
    own = [root for root in roots if _below(root) in mine]
    there = (root for root in own if root.scope == "project" and (project / _below(root)).is_dir())
    return next(there, next(iter([*own, *roots])))


def _below(root: Root) -> str:
    """Return the path of a root below the project or the home directory."""
    return str(root.path_template).partition("}/")[2]
