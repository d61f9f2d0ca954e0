"""Puts and answers the records of pi, whose settings are files; `.git` is there unless one says otherwise."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.pi.loading import Details
from skilltool.runtimes.pi.read_tool import read_tool
from tests.support.goldens import forms
from tests.support.goldens.clients.codex import candidates
from tests.support.goldens.worlds import Record, World

_WORLD = "the world of a record"


def prepare(record: Record, world: World) -> None:
    settings = world.filled(record.get("settings", {}))
    if settings.get("git", True):
        (world.project / ".git").mkdir(exist_ok=True)
    for name, place in (
        ("settings.json", world.user / ".pi/agent"),
        ("project_settings.json", _cwd(record, world) / ".pi"),
    ):
        if name in settings:
            place.mkdir(parents=True, exist_ok=True)
            (place / "settings.json").write_text(json.dumps(settings[name]), "utf-8")
    _cwd(record, world).mkdir(parents=True, exist_ok=True)


def _cwd(record: Record, world: World) -> Path:
    return world.project / record.get("settings", {}).get("cwd", "")


def start(record: Record, runtime: Runtime, world: World) -> Session:
    given = record.get("settings", {})
    settings = {"trust": given.get("trust", True) is True, "flags": world.filled(given.get("flags", []))}
    session = runtime.open(_cwd(record, world), world.user, settings)
    session.memory[_WORLD] = world
    return session


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    arguments = {"directory": "it", **record["arguments"]}
    return forms.parse({**record, "arguments": arguments}, runtime)


def _discover(record: Record, session: Session) -> dict[str, Any]:
    """Answer with all skills, the directories that hold something like one, and what is warned about."""
    skills = [
        {
            "key": s.key,
            "name": s.name,
            "description": s.description,
            "directory": str(s.directory),
            "file": s.path.name,
            "scope": s.known_as(Details).scope,
        }
        for s in session.skills
    ]
    offered = {os.path.realpath(s.directory) for s in session.skills if s.path.name == "SKILL.md"}
    flat = {str(s.directory) for s in session.skills if s.path.name != "SKILL.md"}
    messages = {str(each.directory): each.message for each in session.skipped}
    roots = [path for role, path in session.memory[_WORLD].roots.items() if role not in ("PROJECT", "USER")]
    found = sorted({each for root in roots for each in candidates(root, offered | flat)})
    skipped = [
        {"directory": each, "message": messages.get(each)}
        for each in found
        if os.path.realpath(each) not in offered and each not in flat
    ]
    warned = [
        {"file": str(s.path), "messages": list(s.known_as(Details).warnings)}
        for s in session.skills
        if s.known_as(Details).warnings
    ]
    extra = {"extra": {"warnings": warned}} if warned else {}
    return {"answer": {"skills": skills, "skipped": skipped}} | extra


def _tool(record: Record, session: Session) -> dict[str, Any]:
    tool = read_tool()
    return {"answer": {**tool, "description": forms.digest(tool["description"])}}


def _call(record: Record, session: Session) -> dict[str, Any]:
    arguments = session.memory[_WORLD].filled(record["arguments"])
    return {"answer": session.call(arguments, tool=record.get("tool")).text}


def _user(record: Record, session: Session) -> dict[str, Any]:
    sent = session.user(session.memory[_WORLD].filled(record["arguments"]))
    return {"answer": [{"role": each["role"], "text": each["content"][0]["text"]} for each in sent.messages]}


OPERATIONS = {"discover": _discover, "tool": _tool, "call": _call, "user": _user}
