"""Puts the records of Deep Agents Code: where the repository is, and what its operations say."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes import deepagents_code
from skilltool.runtimes.base import Runtime, Session
from tests.support.goldens import forms
from tests.support.goldens.clients import deepagents, python_clients
from tests.support.goldens.worlds import Record, World

# Settings of a record that are not settings of the runtime: they say what is on disk, or what is asked.
_NOT_SETTINGS = frozenset({"cwd", "git", "view"})
_SOURCES = {"user-claude": "claude (experimental)", "project-claude": "claude (experimental)"}


def prepare(record: Record, world: World) -> None:
    """Make the working directory, and the `.git` that the project has unless a record says otherwise."""
    python_clients.prepare(record, world)
    if record.get("settings", {}).get("git", True):
        (world.project / ".git").mkdir(exist_ok=True)


def start(record: Record, runtime: Runtime, world: World) -> Session:
    return python_clients.start(record, runtime, world, _NOT_SETTINGS)


def parse(record: Record, runtime: Runtime) -> dict[str, Any]:
    return forms.parse(record, runtime)


def _discover(record: Record, session: Session) -> dict[str, Any]:
    """Answer `discover`, as the program lists skills for its commands: nothing is logged."""
    skills = [
        deepagents.skill(each) | {"source": _SOURCES.get(each.role, each.role.partition("-")[0])}
        for each in session.skills
    ]
    lost = [deepagents.refused(each) for each in session.skipped]
    session.logs.clear()
    return python_clients.discovered_in(record, session, skills, lost)


def _catalog(record: Record, session: Session) -> dict[str, Any]:
    is_roots = record.get("settings", {}).get("view") == "roots"
    return {"answer": deepagents_code.roots(session) if is_roots else session.catalog()}


def _user(record: Record, session: Session) -> dict[str, Any]:
    sent = session.user(record["arguments"])
    answer = {"answer": next(iter(deepagents.texts(sent)), None)}
    return answer | ({"extra": {"shown": sent.shown}} if sent.shown is not None else {})


OPERATIONS = {"discover": _discover, "catalog": _catalog, "user": _user}
