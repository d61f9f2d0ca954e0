"""For which runtime a new skill is made, and in which directory it belongs."""

from __future__ import annotations

from pathlib import Path

from skilltool import runtimes
from skilltool.errors import SkilltoolError
from skilltool.runtimes.base import Runtime, user_home


def skills_directory(runtime: Runtime, scope: str, project: Path, home: Path | None = None) -> Path:
    """Return the runtime's own skills directory of a scope, `project` or `user`; it need not exist.

    `home` defaults to the user's home directory. Raises `SkilltoolError` if the runtime has none.
    """
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
    place = str(roots[0].path_template)
    if "{home}" in place and home is None:
        home = user_home()
    return Path(place.format(project=project, home=home))


def default_runtime(configured: list[str]) -> Runtime:
    """Return the runtime for a new skill if none is named: the first configured one with roots."""
    for name in configured:
        if name != "all" and runtimes.get(name).roots:
            return runtimes.get(name)
    return runtimes.get("mycodeagent")
