"""Answers the records of the clients' packs: one module per client says how its records are put and answered.

A module is named as the client, with `_` for `-`. It has

    prepare(record, world)          what the settings of a record put on disk: `.git`, a settings file
    start(record, runtime, world)   a session as the record's settings want it
    parse(record, runtime)          the answer to `parse`
    OPERATIONS                      the other operations whose form is not `forms`' own, by name
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from skilltool.runtimes.base import Runtime
from tests.support.goldens import forms
from tests.support.goldens.worlds import Record, World

NAMES: frozenset[str] = frozenset(
    {
        *("cline", "codex", "gemini-cli", "kimi-cli", "opencode", "openhands", "pi", "qwen-code"),
        *("agno", "deepagents", "deepagents-code"),
        *("agent-framework", "google-adk", "pydantic-ai-harness"),
    }
)


def answer(record: Record, runtime: Runtime, world: World) -> dict[str, Any]:
    """Answer one record of a client in a tree that is laid."""
    client = import_module(f"{__name__}.{runtime.id.partition('@')[0].replace('-', '_')}")
    if record["op"] == "parse":
        parsed: dict[str, Any] = client.parse(record, runtime)
        return parsed
    client.prepare(record, world)
    session = client.start(record, runtime, world)
    for step in record.get("before", ()):
        if step["op"] == "call":
            session.call(world.filled(step["arguments"]), tool=step.get("tool"))
        elif step["op"] == "user":
            session.user(world.filled(step["arguments"]))
        elif step["op"] == "new_session":
            session = client.start(record, runtime, world)
        else:
            world.edit(step)
    return forms.answer(record, session, world, client.OPERATIONS)
