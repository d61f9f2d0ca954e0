"""Puts and answers the records of Cline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.cline import Manifest, commands, every, id_of
from skilltool.runtimes.fixed_text import whole_length
from tests.support.goldens import forms
from tests.support.goldens.worlds import Record, World


def prepare(record: Record, world: World) -> None:
    """All settings of the records are those of a session."""


def start(record: Record, runtime: Runtime, world: World) -> Session:
    """Open a session; `cwd` is the workspace."""
    settings = dict(world.filled(record.get("settings", {})))
    project = Path(settings.pop("cwd", world.project))
    return runtime.open(project, world.user, settings, level=record.get("level", "runtime"))


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    return forms.parse(record, runtime)


def _discover(record: Record, session: Session) -> dict[str, Any]:
    """Answer with every skill of the service, the allow list of a session aside."""
    skills = [
        {"key": id_of(s), "name": s.name, "description": s.description or None, "directory": str(s.directory)}
        | ({"disabled": True} if s.known_as(Manifest).disabled else {})
        for s in every(session)
    ]
    lost: list[dict[str, Any]] = [
        {"directory": str(each.skill.directory), "message": None} for each in session.shadowed
    ]
    lost += [
        {"directory": str(each.directory), "message": each.message}
        | ({"library_text": True} if each.library else {})
        for each in session.skipped
        if not each.hidden
    ]
    found = {"skills": skills, "skipped": sorted(lost, key=lambda entry: entry["directory"])}
    return {"answer": found, "extra": {"commands": [name for name, _ in commands(session)]}}


def _tool(record: Record, session: Session) -> dict[str, Any]:
    """Answer with the definition; the digest of its description cannot be known without its fixed part."""
    tool = session.tool()
    if tool is None:
        return {"answer": None}
    function = tool["function"]
    size = {"chars": whole_length(function["description"]), "sha256": None}
    return {"answer": {**tool, "function": {**function, "description": size}}}


def _call(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": session.call(record["arguments"]).text}


def _user(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": session.user(record["arguments"]).messages[0]["content"][0]["text"]}


OPERATIONS = {"discover": _discover, "tool": _tool, "call": _call, "user": _user}
