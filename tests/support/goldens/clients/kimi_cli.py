"""Puts the records of Kimi CLI: where the working directory is, and what its operations say."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.kimi_cli.loading import BUILTIN, Details, manifest_of, own_skills
from skilltool.runtimes.values import LoadedSkill, Refused
from tests.support.goldens import forms
from tests.support.goldens.clients import python_clients
from tests.support.goldens.worlds import Record, World

# Settings of a record that are not settings of the runtime: they say what is on disk, or what is called.
_NOT_SETTINGS = frozenset({"cwd", "git_root", "tool"})

prepare = python_clients.prepare


def start(record: Record, runtime: Runtime, world: World) -> Session:
    return python_clients.start(record, runtime, world, _NOT_SETTINGS)


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    found = forms.parse(record, runtime)["answer"]
    if "error" in found:
        return {"answer": {"error": f"Skipping invalid skill at {{directory}}/SKILL.md: {found['error']}"}}
    return {"answer": {name: found[name] for name in found if name not in ("body", "fields_lost")}}


def _discover(record: Record, session: Session) -> dict[str, Any]:
    if session.failure is not None:
        return {"answer": {"error": session.failure, "type": "UnicodeDecodeError"}}
    lost = [_refused(each) for each in session.skipped]
    lost += [{"directory": str(each.skill.directory), "message": None} for each in session.shadowed]
    skills = sorted([*session.skills, *own_skills(session)], key=lambda each: each.name)
    return python_clients.discovered(session, [_skill(each) for each in skills], lost)


def _skill(skill: LoadedSkill) -> dict[str, Any]:
    found: dict[str, Any] = {"key": skill.key, "name": skill.name, "description": skill.description}
    found |= {"directory": str(skill.directory), "scope": skill.known_as(Details).scope}
    if skill.role == BUILTIN:
        return found | {"description": forms.digest(skill.description)}
    if skill.path.name != "SKILL.md":
        found["file"] = str(skill.path)
    return found | ({"type": "flow"} if manifest_of(skill).flow is not None else {})


def _refused(refused: Refused) -> dict[str, Any]:
    found: dict[str, Any] = {"directory": str(refused.directory), "message": refused.message}
    return found | ({"library_text": True} if refused.library else {})


def _call(record: Record, session: Session) -> dict[str, Any]:
    [message] = session.call(
        python_clients.filled(session, record["arguments"]), tool=record["settings"]["tool"]
    ).messages
    parts = [part["text"] for part in message["content"]]
    return {"answer": parts if len(parts) > 1 else parts[0]}


def _user(record: Record, session: Session) -> dict[str, Any]:
    sent = session.user(record["arguments"])
    texts = [part["text"] for message in sent.messages for part in message["content"]]
    answer = None if not texts else texts[0] if len(texts) == 1 else texts
    return {"answer": answer, "extra": {"shown": sent.shown}}


OPERATIONS = {"discover": _discover, "call": _call, "user": _user}
