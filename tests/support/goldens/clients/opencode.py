"""Answers the records of opencode."""

from __future__ import annotations

import json
import re
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.opencode.loading import is_described
from tests.support.goldens import forms
from tests.support.goldens.worlds import Record, World

_MARKER = re.compile(r"\[\.\.\. [^]]* \.\.\.\]")
# What the program answers to a command that it does not have: the words about it are in an event.
_UNKNOWN = {
    "http_error": 500,
    "body": json.dumps(
        {
            "name": "UnknownError",
            "data": {
                "message": "Unexpected server error. Check server logs for details.",
                "ref": "<REF>",
            },
        },
        separators=(",", ":"),
    ),
}


def prepare(record: Record, world: World) -> None:
    """Make the project a repository, unless the record wants none."""
    if record.get("settings", {}).get("git", True):
        (world.project / ".git").mkdir(exist_ok=True)


def start(record: Record, runtime: Runtime, world: World) -> Session:
    """Return a session in the working directory of the record."""
    settings = world.filled(record.get("settings", {}))
    project = world.project / settings.pop("cwd", "")
    project.mkdir(parents=True, exist_ok=True)
    for name in ("git", "tool"):
        settings.pop(name, None)
    return runtime.open(project, world.user, settings)


def parse(record: Record, runtime: Runtime) -> forms.Answer:
    return forms.parse(record, runtime)


def _discover(record: Record, session: Session) -> forms.Answer:
    found: forms.Answer = forms.OPERATIONS["discover"](record, session)["answer"]
    for shown, skill in zip(found["skills"], session.skills, strict=True):
        if not is_described(skill):
            shown["description"] = None
    found["skills"].sort(key=lambda each: each["key"])
    return {"answer": found}


def _catalog(record: Record, session: Session) -> forms.Answer:
    block = session.catalog()
    return {"answer": None if block is None else _MARKER.sub("", block)}


def _call(record: Record, session: Session) -> forms.Answer:
    tool = record.get("settings", {}).get("tool")
    return {"answer": session.call(record["arguments"], tool).text}


def _user(record: Record, session: Session) -> forms.Answer:
    sent = session.user(record["arguments"])
    if not sent.messages:
        return {"answer": {"error": json.dumps(_UNKNOWN)}}
    messages: list[Any] = [
        {"role": each["role"], "text": block["text"]} for each in sent.messages for block in each["content"]
    ]
    return {"answer": messages}


OPERATIONS: dict[str, forms.Operation] = {
    "discover": _discover,
    "catalog": _catalog,
    "call": _call,
    "user": _user,
}
