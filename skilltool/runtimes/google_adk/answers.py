"""What does google-adk list, and how does it answer `load_skill` and `load_skill_resource`?

An answer is a mapping, the `response` of a function response: here as JSON text. Scripts are never run.
Source: `google/adk/tools/skill_toolset.py` of google-adk 2.13.0; requests after scripted calls.

Source: `google/adk/flows/llm_flows/prompt/_instructions_utils.py` of google-adk 2.13.0, and runs of it;
requests of google-adk 2.13.0.
"""

from __future__ import annotations

import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.google_adk.loading import BINARY, FOLDERS, INJECT, Manifest, resource
from skilltool.runtimes.values import LoadedSkill, Refusal, Result
from skilltool.text.lazy_pattern import lazy_pattern

_BRACES = lazy_pattern(r"(?<![${\\])\{++([^{}]*+)\}++")
_ARTIFACT = "artifact."
_SCOPES = frozenset({"app", "user", "temp"})


class MissingValueError(KeyError):
    """A name that the state does not have, and that is not marked as optional; it ends the whole turn."""


def injected(text: str, state: Mapping[str, Any], agent: str) -> str:
    """Return a text in which each `{name}` is replaced; raises `MissingValueError`.

    `{name?}` may be missing; anything but the name of a value is kept. Artifacts are not known here.
    """

    def value_of(match: re.Match[str]) -> str:
        name = match[1].strip()
        optional = name.endswith("?")
        name = name.removesuffix("?")
        if name.startswith(_ARTIFACT):
            if optional:
                return ""
            missing = name.removeprefix(_ARTIFACT)
            raise MissingValueError(f"Artifact '{missing}' not found in agent '{agent}'.")
        if not _is_name(name):
            return match[0]
        if name not in state and not optional:
            raise MissingValueError(f"Context variable not found: `{name}` in agent '{agent}'.")
        value = state.get(name)
        return "" if value is None else str(value)

    return _BRACES.sub(value_of, text)


def _is_name(name: str) -> bool:
    scope, colon, rest = name.partition(":")
    return rest.isidentifier() and scope in _SCOPES if colon else name.isidentifier()


LIST, LOAD, RESOURCE = "list_skills", "load_skill", "load_skill_resource"
EAGER = "eager"
_PREFIX = "<PREFIX>"


@cache
def _facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


def prefix(session: Session) -> str:
    """Return the prefix of the tool names."""
    given: str = session.settings["prefix"]
    return f"{given}_" if given else ""


def catalog(session: Session) -> str | None:
    """Return the listing: the answer of `list_skills`, or the end of the instruction.

    None if nothing is loaded because loading failed; without skills it is an empty element.
    """
    if session.failure is not None:
        return None
    lines = [line for skill in session.skills for line in _element(skill)]
    return "\n".join(["<available_skills>", *lines, "</available_skills>"])


def _element(skill: LoadedSkill) -> list[str]:
    name, description = escape(skill.name), escape(skill.description)
    return [
        *("<skill>", "<name>", name, "</name>"),
        *("<description>", description, "</description>", "</skill>"),
    ]


def prompt(session: Session) -> str | None:
    """Return all that skills add to the system instruction; it names no skill unless the mode is `eager`."""
    listing = catalog(session)
    if listing is None:
        return None
    facts = _facts()
    eager = session.settings["mode"] == EAGER
    lines = [*facts["instruction"], *(facts["eager"] if eager else [])]
    instruction = "\n".join(lines).replace(_PREFIX, prefix(session))
    return f"{instruction}\n\n{listing}" if eager else instruction


def tools(session: Session) -> dict[str, dict[str, Any]]:
    """Return the definition of each tool that is offered by its name, prefix included."""
    if session.failure is not None:
        return {}
    own = {name: value for name, value in _facts()["tools"].items() if name != LIST or not _is_eager(session)}
    begin = prefix(session)
    return {begin + name: {**value, "name": begin + name} for name, value in own.items()}


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool that loads a skill."""
    return tools(session).get(prefix(session) + LOAD)


def _is_eager(session: Session) -> bool:
    return bool(session.settings["mode"] == EAGER)


_UNKNOWN = "the result of this call is not known"
_FAILURES = "failed lookups of resources"
_BINARY_STATUS = (
    "Binary file detected. The content has been injected into the conversation history for you to analyze."
)

Answer = dict[str, Any]


def call(session: Session, arguments: Mapping[str, Any] | str, tool_name: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it."""
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    name = tool_name or prefix(session) + LOAD
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        given = None
    if name not in tools(session):
        text = json.dumps({"error": _no_tool(session, name)}, ensure_ascii=False)
        return Result(text, is_error=True)
    if not isinstance(given, Mapping):
        return Result(None, is_error=True, flow_error=_UNKNOWN)
    try:
        answer = _ANSWERS[name.removeprefix(prefix(session))](session, given)
        text = json.dumps(_encoded(answer), ensure_ascii=False)
    except Refusal as refusal:
        return Result(None, is_error=True, flow_error=refusal.why)
    except (MissingValueError, TypeError, ValueError, RecursionError) as error:
        kind = "KeyError" if isinstance(error, MissingValueError) else type(error).__name__
        return Result(None, is_error=True, flow_error=f"{kind}: {error}")
    return Result(text, is_error="error" in answer)


def _no_tool(session: Session, name: str) -> str:
    """Return what the model is told about a tool that it is not offered."""
    known = ", ".join(tools(session)) or "none"
    return (
        f"Invoking `{name}()` failed as no tool with that name is available. The tools you can call are: "
        f"{known}. You could retry, but it is IMPORTANT that you only call a tool from that list."
    )


def _list(session: Session, given: Mapping[str, Any]) -> Answer:
    return {"result": catalog(session)}


def _load(session: Session, given: Mapping[str, Any]) -> Answer:
    name = given.get("skill_name")
    if not name:
        return _error("Argument 'skill_name' is required.", "INVALID_ARGUMENTS")
    skill = _found(session, name)
    if skill is None:
        return _error(f"Skill '{name}' not found.", "SKILL_NOT_FOUND")
    manifest = skill.known_as(Manifest)
    body = manifest.body
    if manifest.fields["metadata"].get(INJECT):
        body = injected(body, session.settings["state"] or {}, session.settings["agent"])
    return {"skill_name": name, "instructions": body, "frontmatter": manifest.fields}


def _load_resource(session: Session, given: Mapping[str, Any]) -> Answer:
    name, path = given.get("skill_name"), given.get("file_path")
    required = {"skill_name": name, "file_path": path}
    if missing := [key for key, value in required.items() if not value]:
        words = "\n".join(f"Argument '{key}' is required." for key in missing)
        return _error(words, "INVALID_ARGUMENTS")
    skill = _found(session, name)
    if skill is None:
        return _error(f"Skill '{name}' not found.", "SKILL_NOT_FOUND")
    if not isinstance(path, str):
        raise Refusal(None, _UNKNOWN)
    if not path.startswith(FOLDERS):
        words = "Path must start with 'references/', 'assets/', or 'scripts/'."
        return _error(words, "INVALID_RESOURCE_PATH")
    content = resource(skill, path)
    if content is None:
        return _without_resource(session, f"Resource '{path}' not found in skill '{name}'.")
    about = {"skill_name": name, "file_path": path}
    return about | ({"status": _BINARY_STATUS} if content is BINARY else {"content": content})


def _without_resource(session: Session, words: str) -> Answer:
    """Return the error for a file that is not there: from the second one on, the model is told to stop."""
    count = session.memory[_FAILURES] = session.memory.get(_FAILURES, 0) + 1
    if count == 1:
        return _error(words, "RESOURCE_NOT_FOUND")
    advice = "Do not retry any path — report the error to the user and stop."
    failure = f"This is resource lookup failure #{count} this invocation."
    return _error(f"{words} {failure} {advice}", "RESOURCE_NOT_FOUND_FATAL")


def _found(session: Session, name: Any) -> LoadedSkill | None:
    if isinstance(name, list | dict):
        raise Refusal(None, _UNKNOWN)
    return session.find(name)


def _error(words: str, code: str) -> Answer:
    return {"error": words, "error_code": code}


def _encoded(value: Any) -> Any:
    """Return data as it is sent: bytes in base 64, a time in its ISO form; a date alone is refused."""
    if isinstance(value, dict):
        return {key: _encoded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [item if isinstance(item, bytes) else _encoded(item) for item in value]
    if isinstance(value, bytes):
        return urlsafe_b64encode(value).decode("ascii")
    return value.isoformat() if isinstance(value, datetime) else value


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the instructions of a skill as they were read, without values of the state."""
    return skill.body


_ANSWERS = {LIST: _list, LOAD: _load, RESOURCE: _load_resource}
