"""Puts the records of Agno: which directories it gets, and what its operations say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from skilltool.runtimes.agno.answers import definition
from skilltool.runtimes.agno.loading import REFERENCES, SCRIPTS, Invalid, Package, manifest_of, read
from skilltool.runtimes.agno.loading import parse as parse_text
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.loading import bytes_of
from skilltool.runtimes.values import LoadedSkill, Refusal, Refused
from tests.support.goldens.clients import python_clients
from tests.support.goldens.worlds import Record, World
from tests.support.manifests import manifest_data

# Settings of a record that are not settings of the runtime: they say what is asked.
_NOT_SETTINGS = frozenset({"tool", "view"})

prepare = python_clients.prepare


def start(record: Record, runtime: Runtime, world: World) -> Session:
    """Open a session; without `paths`, the roots of the record's tree in the order of the mounts."""
    return python_clients.start(record, runtime, world, _NOT_SETTINGS, python_clients.laid(record, world))


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    """Answer `parse`; a record names the directory `{directory}`."""
    arguments = record["arguments"]
    validate = record.get("settings", {}).get("validate", True)
    try:
        found = parse_text(
            arguments["text"].encode("utf-8", "surrogatepass"), arguments["directory"], validate
        )
    except Invalid as error:
        return {"answer": {"error": error.message, "type": error.kind, "errors": error.problems}}
    except Refusal as refusal:
        words = str(refusal.message).replace(f" from {arguments['directory']}:", " from {directory}:")
        return {"answer": {"error": words}}
    return {"answer": _json(manifest_data(found))}


def _json(value: Any) -> Any:
    """Return data as JSON has it; what JSON does not have becomes its text."""
    return json.loads(json.dumps(value, default=str))


def _discover(record: Record, session: Session) -> dict[str, Any]:
    if session.failure is not None:
        [last] = [each for each in session.skipped if each.ends_loading]
        error = {"error": session.failure, "type": last.kind, "errors": _problems(last.directory)}
        return {"answer": error}
    lost = [_refused(each) for each in session.skipped]
    return python_clients.discovered_in(record, session, [_skill(each) for each in session.skills], lost)


def _problems(directory: Path) -> list[str]:
    """Return what the validator says of a directory, of which the session has the sum."""
    try:
        read(bytes_of(directory / "SKILL.md"), directory.name, str(directory))
    except Invalid as error:
        return error.problems
    return []


def _skill(skill: LoadedSkill) -> dict[str, Any]:
    manifest = manifest_of(skill)
    found: dict[str, Any] = {"key": manifest.name, "name": manifest.name, "description": manifest.description}
    found["directory"] = str(skill.directory)
    found |= {name.replace("-", "_"): value for name, value in manifest.fields.items() if value}
    files = skill.known_as(Package).files
    found |= {name: files[name] for name in (SCRIPTS, REFERENCES) if files[name]}
    as_json: dict[str, Any] = _json(found)
    return as_json


def _refused(refused: Refused) -> dict[str, Any]:
    return {"directory": str(refused.directory), "message": refused.message}


def _catalog(record: Record, session: Session) -> dict[str, Any]:
    is_prompt = record.get("settings", {}).get("view") == "prompt"
    return {"answer": session.prompt() if is_prompt else session.catalog()}


def _tool(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": definition(record["settings"]["tool"])}


def _call(record: Record, session: Session) -> dict[str, Any]:
    arguments = python_clients.filled(session, record["arguments"])
    return {"answer": session.call(arguments, tool=record.get("settings", {}).get("tool")).text}


OPERATIONS = {"discover": _discover, "catalog": _catalog, "tool": _tool, "call": _call}
