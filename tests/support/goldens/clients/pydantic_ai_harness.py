"""Puts the records of the Pydantic AI harness, and says what its operations are."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.pydantic_ai_harness import Manifest, rendered, specials
from tests.support.goldens import forms
from tests.support.goldens.clients import given_roots
from tests.support.goldens.worlds import Record, World, replaced

# What the agent of the records says before the skills.
_AGENT = "Base."

prepare = given_roots.prepare


def start(record: Record, runtime: Runtime, world: World) -> Session:
    return given_roots.start(record, runtime, world, frozenset({"skill", "no_arguments", "view"}))


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    directory = record["arguments"]["directory"]
    return replaced(forms.parse(record, runtime), {f"{directory}/SKILL.md": "{directory}/SKILL.md"})


def _discover(record: Record, session: Session) -> dict[str, Any]:
    if session.failure is not None:
        kind = next(each.kind for each in session.skipped if each.ends_loading)
        error = _as_given(record, session, session.failure)
        return {"answer": {"error": error, "type": kind}, "flow_error": f"{kind}: {error}"}
    skills = [
        {"key": s.key, "name": s.name, "description": s.description, "directory": str(s.directory)}
        | specials(s.known_as(Manifest))
        for s in session.skills
    ]
    loaded = {each["directory"] for each in skills}
    roots = {str(root.path) for root in session.roots}
    lost = [_refused(str(each.directory), each.message, each.library) for each in session.skipped]
    for each in session.shadowed:
        place = str(each.skill.directory)
        logs = (log.message for log in session.logs)
        lost.append(_refused(place, next((log for log in logs if f"Skipping {place}/" in log), None)))
    lost = [each for each in lost if each["directory"] not in loaded | roots]
    lost += given_roots.unlisted(session, loaded | {each["directory"] for each in lost})
    logs = [["UserWarning", log.logger, log.message] for log in session.logs]
    found = {"skills": skills, "skipped": sorted(lost, key=lambda each: each["directory"])}
    return {"answer": found | ({"logs": logs} if logs else {})}


def _as_given(record: Record, session: Session, error: str) -> str:
    """Return an error with the path of a root as the record gives it."""
    world: World = session.memory[given_roots.WORLD]
    paths = record.get("settings", {}).get("paths", ())
    found: str = replaced(error, {str(world.project / path): path for path in paths if path[0] not in "{/"})
    return found


def _refused(directory: str, message: str | None, library: str | None = None) -> dict[str, Any]:
    found: dict[str, Any] = {"directory": directory, "message": message}
    return found | ({"library_text": True} if library else {})


def _catalog(record: Record, session: Session) -> dict[str, Any]:
    if record.get("settings", {}).get("view") != "prompt":
        return {"answer": session.catalog()}
    prompt = session.prompt()
    return {"answer": _AGENT if prompt is None else [_AGENT, prompt]}


def _tool(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": session.tool()}


def _call(record: Record, session: Session) -> dict[str, Any]:
    result = session.call(record["arguments"])
    sent = [(each["role"], each["content"][0]["text"]) for each in result.messages]
    after = {"extra": {"after": [list(each) for each in sent[1:]]}} if sent else {}
    return {"answer": sent[0][1] if sent else result.text} | after


def _user(record: Record, session: Session) -> dict[str, Any]:
    settings = record["settings"]
    skill = session.find(settings["skill"])
    assert skill is not None
    arguments = None if settings.get("no_arguments") else record["arguments"]
    return {"answer": rendered(session, skill, arguments)}


OPERATIONS = {"discover": _discover, "catalog": _catalog, "tool": _tool, "call": _call, "user": _user}
