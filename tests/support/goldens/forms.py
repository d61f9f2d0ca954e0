"""What a session says, in the form that the records of the first pack and its followers have."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.fixed_text import fixed_parts, fixed_text
from skilltool.runtimes.values import Log, Refusal
from tests.support.goldens.worlds import Record, World
from tests.support.manifests import manifest_data

Answer = dict[str, Any]
Operation = Callable[[Record, Session], Answer]

# What `discover` says of a skill beside key, name, description and directory, by runtime without its version.
_MORE = {
    "agent-base": ("brief", "triggers"),
    "agent-harness": ("source", "disabled", "unavailable", "unavailableReason"),
    "mycodeagent": ("base_dir",),
}
# Runtimes whose records have the log lines of discovery, of calls, and of contexts.
_DISCOVERY_LOGS = frozenset({"nfa", "agent-base", "pickle-bot"})
# The description of a tool that is longer is given as its size and digest; pickle-bot's holds the skills.
_LONGEST_DESCRIPTION = 300
# What `parse` says for us, and no record has.
_OURS = frozenset({"by_lines", "fields_lost"})


def parse(record: Record, runtime: Runtime) -> Answer:
    """Answer `parse`: the data of one SKILL.md text, or the error."""
    assert runtime.parse is not None
    arguments = record["arguments"]
    try:
        raw = arguments["text"].encode("utf-8", "surrogatepass")
        found = manifest_data(runtime.parse(raw, arguments.get("directory")))
    except Refusal as refusal:
        error: Answer = {"error": refusal.message}
        return {"answer": error | ({"type": refusal.kind} if refusal.kind else {})}
    return {"answer": {key: value for key, value in found.items() if key not in _OURS}}


def answer(
    record: Record, session: Session, world: World, operations: Mapping[str, Operation] | None = None
) -> Answer:
    """Answer every other operation; absolute paths are named by their placeholders.

    `operations` are those whose form differs from the first pack's, by name.
    """
    found = {**OPERATIONS, **(operations or {})}[record["op"]](record, session)
    named: Answer = world.named(found)
    return named


def _discover(record: Record, session: Session) -> Answer:
    if session.failure is not None:
        return {"answer": {"error": session.failure}}
    family = session.runtime.id.partition("@")[0]
    skills = [
        {"key": s.key, "name": s.name, "description": s.description, "directory": str(s.directory)}
        | {name: s.told[name] for name in _MORE.get(family, ()) if s.told.get(name, False) is not False}
        for s in session.skills
    ]
    lost: list[dict[str, Any]] = [
        {"directory": str(s.skill.directory), "message": None} for s in session.shadowed
    ]
    lost += [{"directory": str(s.directory), "message": s.message} | _type(s.kind) for s in session.skipped]
    found = {"skills": skills, "skipped": sorted(lost, key=lambda entry: entry["directory"])}
    return {"answer": found | ({"logs": _lines(session.logs)} if family in _DISCOVERY_LOGS else {})}


def _type(kind: str | None) -> dict[str, str]:
    """Return the class of an error; words in lower case are ours."""
    return {"type": kind} if kind and kind[0].isupper() else {}


def _catalog(record: Record, session: Session) -> Answer:
    view = record.get("settings", {}).get("view")
    return {"answer": session.prompt() if view == "summary" else session.catalog()}


def _tool(record: Record, session: Session) -> Answer:
    tool = session.tool()
    if tool is not None and session.runtime.id.startswith("kodelet"):
        tool = {key: value for key, value in tool.items() if key != "description"}
    return {"answer": tool if session.runtime.id.startswith("pickle-bot") else _measured(tool)}


def _call(record: Record, session: Session) -> Answer:
    result = session.call(record["arguments"])
    found: Answer = {"answer": _measured(result.text)}
    if session.runtime.id.startswith("kodelet"):
        found["extra"] = {"cli": result.display, "metadata": result.metadata, "is_error": result.is_error}
    if result.logs or session.runtime.id.startswith("nfa@2026-02"):
        found["logs"] = _lines(result.logs)
    for name in ("flow_error", "load_error"):
        if getattr(result, name) is not None:
            found[name] = getattr(result, name)
    return found


def _context(record: Record, session: Session) -> Answer:
    before = len(session.logs)
    found: Answer = {"answer": session.context(record["query"])}
    logs = _lines(session.logs[before:])
    return found | ({"logs": logs} if logs else {})


def _lines(logs: list[Log] | tuple[Log, ...]) -> list[list[str]]:
    return [[log.level, log.logger, log.message] for log in logs]


def _measured(value: Any) -> Any:
    """Return data with the size and digest of each text that is not stored, or that is a long description."""
    if isinstance(value, dict):
        return {
            key: digest(item)
            if key == "description" and isinstance(item, str) and len(item) > _LONGEST_DESCRIPTION
            else _measured(item)
            for key, item in value.items()
        }
    if isinstance(value, str) and (parts := fixed_parts(value)) and value == fixed_text(*parts[0]):
        return digest(value)
    return value


def digest(text: str) -> dict[str, Any]:
    """Return the size and digest of a text, or those that its marker holds."""
    if (parts := fixed_parts(text)) and text == fixed_text(*parts[0]):
        return {"chars": parts[0][0], "sha256": parts[0][1]}
    return {"chars": len(text), "sha256": hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()}


OPERATIONS: dict[str, Operation] = {
    "discover": _discover,
    "catalog": _catalog,
    "tool": _tool,
    "call": _call,
    "context": _context,
}
