"""Puts the records of google-adk, and says what its operations are."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.google_adk import answers
from skilltool.runtimes.values import Refused
from tests.support.goldens import forms
from tests.support.goldens.clients import given_roots
from tests.support.goldens.worlds import Record, World

# What the agent of the records, called `a`, says before the skills.
_AGENT = 'Base.\n\nYou are an agent. Your internal name is "a".\n\n'

prepare = given_roots.prepare


def start(record: Record, runtime: Runtime, world: World) -> Session:
    settings = {**record.get("settings", {}), "agent": "a"}
    return given_roots.start({**record, "settings": settings}, runtime, world, frozenset({"tool", "view"}))


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    return forms.parse(record, runtime)


def _discover(record: Record, session: Session) -> dict[str, Any]:
    if session.failure is not None:
        kind = next(each.kind for each in session.skipped if each.ends_loading)
        return {"answer": {"error": session.failure, "type": kind}}
    skills = [
        {"key": s.key, "name": s.name, "description": s.description, "directory": s.display_path}
        for s in session.skills
    ]
    lost = [_refused(each) for each in session.skipped]
    lost += given_roots.unlisted(session, {each["directory"] for each in [*skills, *lost]})
    return {"answer": {"skills": skills, "skipped": sorted(lost, key=lambda each: each["directory"])}}


def _refused(refused: Refused) -> dict[str, Any]:
    found: dict[str, Any] = {"directory": str(refused.directory), "message": refused.message}
    # The records take whatever names YAML for words of a library.
    library = refused.library or "YAML" in (refused.message or "")
    return found | ({"library_text": True} if library else {})


def _catalog(record: Record, session: Session) -> dict[str, Any]:
    if record.get("settings", {}).get("view") == "prompt":
        return {"answer": f"{_AGENT}{session.prompt()}"}
    return {"answer": session.catalog()}


def _tool(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": answers.tools(session).get(record["settings"]["tool"])}


def _call(record: Record, session: Session) -> dict[str, Any]:
    result = session.call(record["arguments"], tool=record.get("settings", {}).get("tool"))
    return {"answer": result.text} | ({"flow_error": result.flow_error} if result.flow_error else {})


OPERATIONS = {"discover": _discover, "catalog": _catalog, "tool": _tool, "call": _call}
