"""What does Cline answer to a call of its tool `skills`?

Source: `extensions/config/user-instruction-plugin` and `extensions/tools` of @cline/core 0.0.86, and records.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skilltool.emulation import json_repair
from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import first_units, last_units, length, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.cline.discovery import every, id_of, is_allowed, normalized
from skilltool.runtimes.cline.listing import has_tool
from skilltool.runtimes.values import LoadedSkill, Result

_MOST = 8000
_NO_TOOL = (
    "Tool call skills was rejected before execution: AI_NoSuchToolError: Model tried to call unavailable "
    "tool 'skills'. Available tools: read_files, search_codebase, run_commands, fetch_web_content, editor."
)
_BROKEN = (
    "Tool call skills emitted invalid JSON arguments: Tool call arguments could not be parsed as JSON. "
    "Ensure the outer tool payload is valid JSON and escape embedded quotes/newlines inside string fields."
)
_NO_OBJECT = (
    "Tool call skills emitted invalid JSON arguments: Tool call arguments must be encoded as a JSON object "
    "or array."
)
_TYPES = {bool: "boolean", int: "number", float: "number", list: "array", dict: "object", str: "string"}


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call, by arguments or their raw text; it can be repeated."""
    if not has_tool(session):
        return _error(_NO_TOOL)
    given = _parsed(arguments) if isinstance(arguments, str) else arguments
    if isinstance(given, str):
        return _error(given)
    if issues := _issues(given):
        return _error("\n".join(issues))
    found = _found(session, given["skill"])
    if isinstance(found, str):
        return Result(found, True, found)
    return Result(shortened(text_of(found, given.get("args"))), display=found.name)


def _parsed(text: str) -> Mapping[str, Any] | str:
    """Return the arguments, none for an empty text, or what is wrong with them."""
    if not trim(text):
        return {}
    try:
        found = json_repair.load(text)
    except ValueError:
        return _BROKEN
    if isinstance(found, str):
        return _NO_OBJECT
    return found if isinstance(found, dict) else {}


def _issues(given: Mapping[str, Any]) -> list[str]:
    """Return what the tool's schema refuses, as zod's `prettifyError` writes it."""
    skill, arguments = given.get("skill", ...), given.get("args")
    issues = []
    if not isinstance(skill, str):
        issues.append(f"✖ Invalid input: expected string, received {_type(skill)}\n  → at skill")
    elif not skill:
        issues.append("✖ Too small: expected string to have >=1 characters\n  → at skill")
    if arguments is not None and not isinstance(arguments, str):
        issues.append(f"✖ Invalid input: expected string, received {_type(arguments)}\n  → at args")
    return issues


def _type(value: Any) -> str:
    if value is ...:
        return "undefined"
    return "null" if value is None else _TYPES[type(value)]


def _found(session: Session, given: str) -> LoadedSkill | str:
    """Return the skill that a name stands for, or why there is none that can be called."""
    name = normalized(given)
    if not name:
        return "Missing skill name."
    allowed = [skill for skill in every(session) if is_allowed(session, skill)]
    exact = next((skill for skill in allowed if id_of(skill) == name), None)
    last = name.rpartition(":")[2]
    near = [skill for skill in allowed if id_of(skill) == last or id_of(skill).endswith(f":{last}")]
    enabled = [skill for skill in near if not skill.extra["disabled"]]
    one = exact or (enabled[0] if len(enabled) == 1 else near[0] if len(near) == 1 else None)
    if one is not None:
        return f'Skill "{one.name}" is configured but disabled.' if one.extra["disabled"] else one
    if near:
        keys = ", ".join(id_of(skill) for skill in enabled or near)
        rest = "Use one of: " if enabled else "and all matches are disabled: "
        return f'Skill "{given}" is ambiguous{". " if enabled else ", "}{rest}{keys}'
    names = [trim(skill.name) for skill in allowed if not skill.extra["disabled"]]
    if not names:
        return "No skills are currently available."
    return f'Skill "{given}" not found. Available skills: {", ".join(sorted(names, key=collation_key))}'


def text_of(skill: LoadedSkill, arguments: str | None = None) -> str:
    """Return the text that carries a skill; nothing in it is replaced."""
    given = trim(arguments or "")
    line = f"\n<command-args>{given}</command-args>" if given else ""
    about = f"Description: {skill.description}\n\n" if skill.description else ""
    return (
        f"<command-name>{skill.name}</command-name>{line}\n<command-instructions>\n{about}{skill.body}\n"
        "</command-instructions>"
    )


def shortened(text: str) -> str:
    """Return a text as it is sent: over 8,000 UTF-16 units it loses its middle."""
    size = length(text)
    if size <= _MOST:
        return text
    left_out = size - 2 * _each_end(size - _MOST)
    kept = _each_end(left_out)
    return first_units(text, kept) + _mark(left_out) + last_units(text, kept)


def _each_end(left_out: int) -> int:
    return max((_MOST - len(_mark(left_out))) // 2, 0)


def _mark(left_out: int) -> str:
    return f"\n\n...[truncated {left_out} chars]...\n\n"


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body of a skill."""
    return skill.body


def _error(words: str) -> Result:
    return Result(json.dumps({"error": words}, ensure_ascii=False, separators=(",", ":")), True, words)
