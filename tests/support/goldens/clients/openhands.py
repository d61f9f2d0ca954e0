"""Puts the records of OpenHands: where the working directory is, and what its operations say."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.openhands import answers
from skilltool.runtimes.openhands.answers import touch
from skilltool.runtimes.openhands.loading import Entry, Trigger, entry_of
from skilltool.runtimes.values import Refused
from tests.support.goldens import forms
from tests.support.goldens.clients import python_clients
from tests.support.goldens.worlds import Record, World

# Settings of a record that are not settings of the runtime: they say what is on disk, or what is asked.
_NOT_SETTINGS = frozenset({"cwd", "git_root", "view"})
_WORDS = {"keyword": "keywords", "task": "triggers", "path": "paths"}

prepare = python_clients.prepare


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    found = forms.parse(record, runtime)["answer"]
    return {"answer": {name: found[name] for name in found if name != "fields_lost"}}


def start(record: Record, runtime: Runtime, world: World) -> Session:
    return python_clients.start(record, runtime, world, _NOT_SETTINGS)


def _discover(record: Record, session: Session) -> dict[str, Any]:
    skills = [_skill(entry_of(skill)) for skill in session.skills]
    lost = [_refused(each) for each in session.skipped]
    packages = (each.skill for each in session.shadowed if entry_of(each.skill).package)
    lost += [{"directory": str(skill.directory), "message": None} for skill in packages]
    return python_clients.discovered(session, skills, lost)


def _refused(refused: Refused) -> dict[str, Any]:
    found: dict[str, Any] = {"directory": str(refused.directory), "message": refused.message}
    # The records take everything but what is said of names for words of a library.
    library = refused.message is not None and ": Invalid skill name " not in refused.message
    return found | ({"library_text": True} if library else {})


def _skill(entry: Entry) -> dict[str, Any]:
    found: dict[str, Any] = {
        "key": entry.name,
        "name": entry.name,
        "description": entry.description,
        "directory": str(entry.file.parent),
        "kind": entry.kind,
    }
    if not entry.package:
        found["file"] = str(entry.file)
    if entry.trigger is not None:
        found["trigger"] = _trigger(entry.trigger)
    return found | ({"disable_model_invocation": True} if entry.hidden else {})


def _trigger(trigger: Trigger) -> dict[str, Any]:
    return {"type": trigger.kind, _WORDS[trigger.kind]: list(trigger.words)}


def _catalog(record: Record, session: Session) -> dict[str, Any]:
    view = record.get("settings", {}).get("view")
    views = {"repo": answers.repository_context, "prompt": answers.prompt, None: answers.catalog}
    return {"answer": views[view](session)}


def _tool(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": session.tool()}


def _call(record: Record, session: Session) -> dict[str, Any]:
    result = session.call(record.get("arguments", {}), tool=record.get("settings", {}).get("tool"))
    parts = [part["text"] for message in result.messages for part in message["content"]]
    return {"answer": parts or result.text}


def _user(record: Record, session: Session) -> dict[str, Any]:
    [message] = session.user(record["arguments"]).messages
    return {"answer": [part["text"] for part in message["content"]]}


def _touch(record: Record, session: Session) -> dict[str, Any]:
    return {"answer": touch(session, record["arguments"])}


OPERATIONS = {
    "discover": _discover,
    "catalog": _catalog,
    "tool": _tool,
    "call": _call,
    "user": _user,
    "touch": _touch,
}
