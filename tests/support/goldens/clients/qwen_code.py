"""Puts and answers the records of qwen-code.

Where a record cuts an answer by characters, the place of the cut follows from the length of the project's
path, which was 24: a link of that length leads to the project that is laid.
"""

from __future__ import annotations

import atexit
import os
import re
import tempfile
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.qwen_code import loading
from skilltool.runtimes.qwen_code.loading import Details, manifest_of, state_of
from skilltool.runtimes.values import LoadedSkill
from tests.support.goldens import forms
from tests.support.goldens.worlds import Record, World

_PATH_CHARS = 24
_DIGEST = re.compile(r"(?<=Full output sha256: )[0-9a-f]{64}")
# What `discover` says of a skill beside key, name, description, directory and level.
_MORE = (
    "argumentHint",
    "whenToUse",
    "model",
    "allowedTools",
    "disableModelInvocation",
    "userInvocable",
    "paths",
    "priority",
)


def prepare(record: Record, world: World) -> None:
    """All settings of the records are those of a session."""


def start(record: Record, runtime: Runtime, world: World) -> Session:
    """Open a session; `cwd` is where the program was started."""
    settings = dict(world.filled(record.get("settings", {})))
    project = Path(settings.pop("cwd", world.project))
    if record["op"] == "call" and project == world.project:
        project = world.project = _link_of_known_length(world.project)
    return runtime.open(project, world.user, settings)


def _link_of_known_length(project: Path) -> Path:
    if len(str(project)) == _PATH_CHARS:
        return project
    stem = f"{tempfile.gettempdir()}/{os.getpid()}-"
    number = 0
    while os.path.lexists(link := stem + str(number).zfill(_PATH_CHARS - len(stem))):
        number += 1
    Path(link).symlink_to(project)
    atexit.register(os.unlink, link)
    return Path(link)


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    return forms.parse(record, runtime)


def _discover(record: Record, session: Session) -> dict[str, Any]:
    """Answer with every skill that the manager lists, also those that are not offered."""
    state = state_of(session)
    skills = [
        {"key": s.key, "name": s.name, "description": s.description, "directory": str(s.directory)}
        | {"source": s.known_as(Details).level}
        | {name: value for name, value in _fields(s).items() if name in _MORE}
        for s in state.found
    ]
    lost: list[dict[str, Any]] = [
        {"directory": str(each.skill.directory), "message": None} for each in session.shadowed
    ]
    lost += [
        {"directory": str(each.directory), "message": each.message}
        for each in session.skipped
        if not each.hidden
    ]
    return {"answer": {"skills": skills, "skipped": sorted(lost, key=lambda entry: entry["directory"])}}


def _fields(skill: LoadedSkill) -> dict[str, Any]:
    """Return the fields of a skill by the program's names."""
    return loading.named_fields(manifest_of(skill))


def _tool(record: Record, session: Session) -> dict[str, Any]:
    """Answer with the definition, its long description as size and digest."""
    tool = session.tool()
    if tool is None:
        return {"answer": None}
    function = tool["function"]
    return {
        "answer": {**tool, "function": {**function, "description": forms.digest(function["description"])}}
    }


def _call(record: Record, session: Session) -> dict[str, Any]:
    result = session.call(record["arguments"])
    return {"answer": None if result.text is None else _DIGEST.sub("<SHA256>", result.text)}


def _user(record: Record, session: Session) -> dict[str, Any]:
    """Answer with the text parts that are sent; nothing is sent for what the mode does not support."""
    sent = session.user(record["arguments"])
    if not sent.messages:
        return {"answer": None, "extra": {"exit": 1, "stdout": "", "stderr": sent.shown}}
    return {"answer": [part["text"] for part in sent.messages[0]["content"]]}


OPERATIONS = {"discover": _discover, "tool": _tool, "call": _call, "user": _user}
