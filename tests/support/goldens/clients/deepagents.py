"""Puts the records of Deep Agents: which sources it gets, and what its operations say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.deepagents.discovery import LOAD_ERRORS
from skilltool.runtimes.deepagents.manifest import Manifest
from skilltool.runtimes.values import LoadedSkill, Refused
from tests.support.goldens import forms
from tests.support.goldens.clients import python_clients
from tests.support.goldens.worlds import Record, World

prepare = python_clients.prepare


def start(record: Record, runtime: Runtime, world: World) -> Session:
    """Open a session; without `sources`, the roots of the record's tree in the order of the mounts."""
    return python_clients.start(
        record, runtime, world, frozenset({"tool"}), python_clients.laid(record, world)
    )


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    """Answer `parse`: a record names the directory of the file `{directory}`."""
    found = forms.parse(record, runtime)["answer"]
    directory = f"{record['arguments']['directory']}/SKILL.md"
    answer: dict[str, Any] = {key: _named(value, directory) for key, value in found.items() if key != "type"}
    return {"answer": answer}


def _named(value: Any, file: str) -> Any:
    if isinstance(value, list):
        return [_named(each, file) for each in value]
    return value.replace(f" {file}", " {directory}/SKILL.md") if isinstance(value, str) else value


def _discover(record: Record, session: Session) -> dict[str, Any]:
    skills = [_skill(each) for each in session.skills]
    found = python_clients.discovered_in(
        record, session, skills, [_refused(each) for each in session.skipped]
    )
    errors = session.memory[LOAD_ERRORS]
    return {"answer": found["answer"] | ({"load_errors": errors} if errors else {})}


def _skill(skill: LoadedSkill) -> dict[str, Any]:
    manifest: Manifest = skill.extra["manifest"]
    found: dict[str, Any] = {"key": skill.key, "name": skill.name, "description": skill.description}
    found["directory"] = str(Path(skill.extra["path"]).parent)
    more = {
        "license": manifest.license,
        "compatibility": manifest.compatibility,
        "allowed_tools": list(manifest.allowed_tools),
        "metadata": dict(manifest.metadata),
    }
    return found | {key: value for key, value in more.items() if value}


def _refused(refused: Refused) -> dict[str, Any]:
    found: dict[str, Any] = {"directory": str(refused.directory), "message": refused.message}
    return found | ({"library_text": True} if refused.library else {})


def _call(record: Record, session: Session) -> dict[str, Any]:
    arguments = python_clients.filled(session, record.get("arguments", {}))
    return {"answer": session.call(arguments, tool=record["settings"]["tool"]).text}


def _user(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": [message["content"] for message in session.user(record["arguments"]).messages]}


OPERATIONS = {"discover": _discover, "call": _call, "user": _user}
