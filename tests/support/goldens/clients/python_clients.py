"""What the records of clients and frameworks in Python have in common."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from tests.support.goldens.worlds import Record, World

_WORLD = "the world of the record"


def prepare(record: Record, world: World) -> None:
    """Make the working directory, and the `.git` of its repository, that a record has."""
    settings = world.filled(record.get("settings", {}))
    if "cwd" in settings:
        Path(settings["cwd"]).mkdir(parents=True, exist_ok=True)
    if settings.get("git_root"):
        (world.project / ".git").mkdir(exist_ok=True)


def laid(record: Record, world: World) -> dict[str, Path]:
    """Return the roots of a record's tree, in the order of the mounts."""
    return {role: path for role, path in world.roots.items() if role in record.get("tree", {})}


def start(
    record: Record,
    runtime: Runtime,
    world: World,
    without: frozenset[str],
    roots: Mapping[str, Path] | None = None,
) -> Session:
    """Open a session with the settings of a record but those in `without`, and with given roots."""
    settings = world.filled(record.get("settings", {}))
    project = Path(settings["cwd"]) if "cwd" in settings else world.project
    kept = {name: value for name, value in settings.items() if name not in without}
    session = runtime.open(project, world.user, kept, roots)
    session.memory[_WORLD] = world
    return session


def filled(session: Session, value: Any) -> Any:
    """Replace the placeholders of a record for absolute paths."""
    world: World = session.memory[_WORLD]
    return world.filled(value)


def discovered(session: Session, skills: list[dict[str, Any]], lost: list[dict[str, Any]]) -> dict[str, Any]:
    """Answer `discover`: every directory in a place of the record that is not loaded counts as skipped."""
    world: World = session.memory[_WORLD]
    tops = [str(world.project), str(world.user)]
    lost = [each for each in lost if each["directory"].startswith(tuple(f"{top}/" for top in tops))]
    known = {each["directory"] for each in [*skills, *lost]}
    roots = [root for root in world.roots.values() if root not in (world.project, world.user)]
    for root in roots:
        below = sorted(root.iterdir()) if root.is_dir() else []
        lost += [
            {"directory": str(path), "message": None}
            for path in below
            if path.is_dir() and path not in roots and str(path) not in known and any(path.iterdir())
        ]
        known |= {each["directory"] for each in lost}
    logs = [[log.level, log.logger, log.message] for log in session.logs]
    found = {"skills": skills, "skipped": sorted(lost, key=lambda each: each["directory"])}
    return {"answer": found | ({"logs": logs} if logs else {})}


def discovered_in(
    record: Record, session: Session, skills: list[dict[str, Any]], lost: list[dict[str, Any]]
) -> dict[str, Any]:
    """Answer `discover`: every directory and link in a root that is not loaded counts as skipped."""
    world: World = session.memory[_WORLD]
    lost = [each for each in lost if Path(each["directory"]).parent in world.roots.values()]
    known = {each["directory"] for each in [*skills, *lost]}
    for root in laid(record, world).values():
        below = sorted(root.iterdir()) if root.is_dir() else []
        lost += [
            {"directory": str(path), "message": None}
            for path in below
            if (path.is_dir() or path.is_symlink()) and str(path) not in known
        ]
    logs = [[log.level, log.logger, log.message] for log in session.logs]
    found = {"skills": skills, "skipped": sorted(lost, key=lambda each: each["directory"])}
    return {"answer": found | ({"logs": logs} if logs else {})}
