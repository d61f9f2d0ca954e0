"""Puts the records of Agent Framework, and says what its operations are."""

from __future__ import annotations

import json
from typing import Any

from skilltool.runtimes import agent_framework
from skilltool.runtimes.agent_framework import Details, loaded_text
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.values import LoadedSkill, Result
from tests.support.goldens import forms
from tests.support.goldens.clients import given_roots
from tests.support.goldens.worlds import Record, World, replaced

# What the agent of the records says before the skills.
_AGENT = "Base."

prepare = given_roots.prepare


def start(record: Record, runtime: Runtime, world: World) -> Session:
    return given_roots.start(record, runtime, world, frozenset({"tool", "view"}))


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    directory = record["arguments"]["directory"]
    found = forms.parse(record, runtime)["answer"]
    if "body" in found:
        nothing: Any = None
        found["body"] = loaded_text(LoadedSkill("", "", "", nothing, found["body"], details=Details(nothing)))
    return {"answer": replaced(found, {f"'{directory}/SKILL.md'": "'{directory}/SKILL.md'"})}


def _discover(record: Record, session: Session) -> dict[str, Any]:
    if session.failure is not None:
        kind = next(each.kind for each in session.skipped if each.ends_loading)
        return {"answer": {"error": session.failure, "type": kind}}
    skills = [
        {"key": s.key, "name": s.name, "description": s.description, "directory": str(s.directory)}
        | {key: value for key, value in s.known_as(Details).manifest.fields.items() if key not in _SHOWN}
        for s in session.skills
    ]
    loaded = {each["directory"] for each in skills}
    roots = {str(root.path) for root in session.roots}
    lost = [_refused(str(each.directory), each.message, each.library) for each in session.skipped]
    for each in session.shadowed:
        place = str(each.skill.directory)
        lost.append(_refused(place, next(log.message for log in session.logs if f"'{place}'" in log.message)))
    lost = [each for each in lost if each["directory"] not in loaded | roots]
    lost += given_roots.unlisted(session, loaded | {each["directory"] for each in lost})
    logs = [[log.level, log.logger, log.message] for log in session.logs]
    found = {"skills": skills, "skipped": sorted(lost, key=lambda each: each["directory"])}
    return {"answer": found | ({"logs": logs} if logs else {})}


_SHOWN = ("name", "description")


def _refused(directory: str, message: str | None, library: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"directory": directory, "message": message}
    return found | ({"library_text": True} if library else {})


def _catalog(record: Record, session: Session) -> dict[str, Any]:
    if record.get("settings", {}).get("view") == "prompt":
        return {"answer": "\n".join(filter(None, (_AGENT, session.prompt())))}
    return {"answer": session.catalog()}


def _tool(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": agent_framework.tools(session).get(record["settings"]["tool"])}


def _call(record: Record, session: Session) -> dict[str, Any]:
    result = session.call(record["arguments"], tool=record.get("settings", {}).get("tool"))
    return {"answer": _ran(result) if result.metadata else result.text}


def _ran(result: Result) -> str:
    """Return what the runner of the records answers."""
    run = result.metadata or {}
    return f"ran {run['skill']}/{run['script']} {json.dumps(run['args'])}"


OPERATIONS = {"discover": _discover, "catalog": _catalog, "tool": _tool, "call": _call}
