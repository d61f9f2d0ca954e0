"""Answers the records of Gemini CLI."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.gemini_cli.loading import state_of
from skilltool.runtimes.values import Sent
from tests.support.goldens import forms
from tests.support.goldens.worlds import Record, World

# What the recorded runs had where a record names nothing else.
_USUAL = {"view": "headless", "approval_mode": "yolo"}


def prepare(record: Record, world: World) -> None:
    """Leave the disk as it is laid: all settings are those of the session."""


def start(record: Record, runtime: Runtime, world: World) -> Session:
    """Return a session in the working directory of the record."""
    settings = {**_USUAL, **world.filled(record.get("settings", {}))}
    project = settings.pop("cwd", world.project)
    return runtime.open(project, world.user, settings)


def parse(record: Record, runtime: Runtime) -> forms.Answer:
    return forms.parse(record, runtime)


def _discover(record: Record, session: Session) -> forms.Answer:
    skills = [
        {
            "key": entry.skill.key,
            "name": entry.skill.name,
            "description": entry.skill.description,
            "directory": str(entry.skill.directory),
            "source": "builtin" if entry.builtin else "file",
        }
        | ({"disabled": True} if entry.disabled else {})
        for entry in state_of(session).entries
    ]
    skipped = [
        {"directory": str(each.directory), "message": each.message}
        for each in session.skipped
        if not each.hidden
    ]
    skipped += [
        {"directory": str(each.skill.directory), "message": each.skill.known_as(str)}
        for each in session.shadowed
    ]
    logs = [[log.level.lower(), log.logger, log.message] for log in session.logs]
    found = {"skills": skills, "skipped": sorted(skipped, key=lambda each: each["directory"])}
    return {"answer": found | ({"logs": logs} if logs else {})}


def _tool(record: Record, session: Session) -> forms.Answer:
    return {"answer": session.tool()}


def _call(record: Record, session: Session) -> forms.Answer:
    result = session.call(record["arguments"], record.get("tool"))
    return {"answer": result.text} | ({"extra": {"response": ["error"]}} if result.is_error else {})


def _user(record: Record, session: Session) -> forms.Answer:
    sent = session.user(record["arguments"])
    return {"answer": _text(sent) if session.settings["view"] == "headless" else list(sent.messages) or None}


def _text(sent: Sent) -> Any:
    [message] = sent.messages
    [part] = message["parts"]
    return part["text"]


OPERATIONS: dict[str, forms.Operation] = {"discover": _discover, "tool": _tool, "call": _call, "user": _user}
