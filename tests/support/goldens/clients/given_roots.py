"""What the records of frameworks have in common whose roots are given by the developer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from tests.support.goldens.worlds import Record, World

WORLD = "the world of the record"


def prepare(record: Record, world: World) -> None:
    """Nothing but the trees is on disk."""


def start(record: Record, runtime: Runtime, world: World, without: frozenset[str]) -> Session:
    """Open a session with the roots of a record: its `paths`, else those of its tree, in their order.

    `without` are settings of a record that are none of the runtime: they say what is called or asked.
    """
    settings = world.filled(record.get("settings", {}))
    kept = {name: value for name, value in settings.items() if name not in {*without, "paths"}}
    session = runtime.open(world.project, world.user, kept, _roots(record, settings, world))
    session.memory[WORLD] = world
    return session


def _roots(record: Record, settings: dict[str, Any], world: World) -> dict[str, Path]:
    if "paths" in settings:
        paths = enumerate(settings["paths"], 1)
        return {
            f"root {number}": Path(path) if path.startswith("~") else world.project / path
            for number, path in paths
        }
    return {role: path for role, path in world.roots.items() if role in record.get("tree", {})}


def unlisted(session: Session, known: set[str]) -> list[dict[str, Any]]:
    """Return the directories in the record's places that the session does not name; they count as skipped."""
    world: World = session.memory[WORLD]
    roots = [root for root in world.roots.values() if root not in (world.project, world.user)]
    return [
        {"directory": str(path), "message": None}
        for root in roots
        for path in (sorted(root.iterdir()) if root.is_dir() else [])
        if (path.is_dir() or path.is_symlink()) and path not in roots and str(path) not in known
    ]
