"""Puts the records of Deep Agents: which sources it gets, and what its operations say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.deepagents.loading import LOAD_ERRORS, Package
from skilltool.runtimes.values import LoadedSkill, Refused, Sent
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
    skills = [skill(each) for each in session.skills]
    found = python_clients.discovered_in(record, session, skills, [refused(each) for each in session.skipped])
    errors = session.memory[LOAD_ERRORS]
    return {"answer": found["answer"] | ({"load_errors": errors} if errors else {})}


def skill(loaded: LoadedSkill) -> dict[str, Any]:
    """Return what `discover` says of a skill."""
    manifest = loaded.known_as(Package).manifest
    found: dict[str, Any] = {"key": loaded.key, "name": loaded.name, "description": loaded.description}
    found["directory"] = str(Path(loaded.known_as(Package).path).parent)
    more = {
        "license": manifest.license,
        "compatibility": manifest.compatibility,
        "allowed_tools": list(manifest.allowed_tools),
        "metadata": dict(manifest.metadata),
    }
    return found | {key: value for key, value in more.items() if value}


def refused(outcome: Refused) -> dict[str, Any]:
    """Return what `discover` says of a directory that is not loaded."""
    found: dict[str, Any] = {"directory": str(outcome.directory), "message": outcome.message}
    return found | ({"library_text": True} if outcome.library else {})


def _call(record: Record, session: Session) -> dict[str, Any]:
    arguments = python_clients.filled(session, record.get("arguments", {}))
    return {"answer": session.call(arguments, tool=record["settings"]["tool"]).text}


def _user(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": texts(session.user(record["arguments"]))}


def texts(sent: Sent) -> list[str]:
    """Return the texts of messages, each of which has one."""
    return [part["text"] for message in sent.messages for part in message["content"]]


OPERATIONS = {"discover": _discover, "call": _call, "user": _user}
