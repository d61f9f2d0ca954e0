"""How does the harness of Pydantic AI answer `load_capability`, and what does it make of a skill for people?

Source: requests of pydantic-ai-harness 0.62.0 after scripted calls; `pydantic_ai_harness/skills/_loader.py`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.jiter import JsonError, loads
from skilltool.runtimes.base import Session
from skilltool.runtimes.pydantic_ai_harness import listing
from skilltool.runtimes.values import LoadedSkill, Result, Sent

_UNKNOWN = "its answer to this call is not known"
_LOADED = "loaded capabilities"
_PLACEHOLDER = re.compile(r"\$ARGUMENTS(?![\[\w])")
_ARGUMENTS = "$ARGUMENTS"


def call(session: Session, arguments: Mapping[str, Any] | str, tool_name: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it."""
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    if tool_name not in (None, listing.LOAD) or listing.tool(session) is None:
        return Result(None, is_error=True, flow_error=_UNKNOWN)
    try:
        given = loads(arguments or "{}") if isinstance(arguments, str) else arguments
    except JsonError as error:
        return _invalid("json_invalid", (), f"Invalid JSON: {error}", arguments)
    if not isinstance(given, Mapping):
        return _invalid("dict_type", (), "Input should be an object", given)
    if "id" not in given:
        return _invalid("missing", ("id",), "Field required", given)
    if not isinstance(given["id"], str):
        return _invalid("string_type", ("id",), "Input should be a valid string", given["id"])
    return _loaded(session, given["id"])


def _loaded(session: Session, name: str) -> Result:
    skill = next((each for each in listing.offered(session) if each.key == name), None)
    if skill is None:
        return _error(f"No capability found with id {name!r}.")
    loaded: set[str] = session.memory.setdefault(_LOADED, set())
    if name in loaded:
        use = "Use its existing instructions and any tools it provides"
        return _error(
            f"Capability {name!r} is already active. {use}; do not call `load_capability` for it again."
        )
    loaded.add(name)
    answer = _json({"message": f"Capability {name!r} loaded. Its instructions, if any, follow."})
    after = listing.framed(name, rendered(session, skill))
    return Result(f"{answer}\n{after}", messages=(_message("tool", answer), _message("system", after)))


def _message(role: str, text: str) -> dict[str, Any]:
    return {"role": role, "content": [{"type": "text", "text": text}]}


def _invalid(kind: str, path: tuple[str, ...], words: str, value: Any) -> Result:
    return _error([{"type": kind, "loc": path, "msg": words, "input": value}])


def _error(words: Any) -> Result:
    return Result(_json({"error": words}), is_error=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rendered(session: Session, skill: LoadedSkill, arguments: str | None = None) -> str:
    """Return the instructions of a skill: a heading, its directory, and the body with the arguments."""
    body = skill.body
    if arguments is not None and _PLACEHOLDER.search(body):
        body = _PLACEHOLDER.sub(lambda _: arguments, body)
    elif arguments:
        body = "\n\n".join(part for part in (body, f"ARGUMENTS: {arguments}") if part)
    parts = [f"# Skill: {skill.name}"]
    if not session.settings["own_workspace"]:
        note = "Relative paths in this skill resolve against it."
        parts.append(f"Skill directory: `{skill.directory}`. {note}")
    return "\n\n".join([*parts, body] if body else parts)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the instructions of a skill, without the element around them."""
    return rendered(session, skill)


def user(session: Session, text: str) -> Sent:
    """Return what an application sends for `/name arguments` that uses `SkillDefinition.render` for it."""
    if session.failure is not None:
        return Sent((), shown=session.failure)
    command, blank, arguments = text.partition(" ")
    skill = session.find(command.removeprefix("/"))
    if not command.startswith("/") or skill is None or not skill.extra["manifest"].for_people:
        return Sent((_message("user", text),))
    found = rendered(session, skill, arguments if blank else None)
    return Sent((_message("user", found),), found)


def typed(skill: LoadedSkill) -> str:
    """Return what a user types to call a skill."""
    return f"/{skill.key}"
