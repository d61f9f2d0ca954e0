"""What does Gemini CLI answer to a call of `activate_skill`?

Source: tools/activate-skill.js of @google/gemini-cli-core 0.61.0, and requests of the program.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.gemini_cli.folder_tree import folder_tree
from skilltool.runtimes.gemini_cli.state import TOOL, Entry, State, has_tool, state_of
from skilltool.runtimes.values import LoadedSkill, Result

_PARAMETER = "name"
# The declared tools whose names are nearest: where files cannot be written without asking, and elsewhere.
_NEAREST = {"default": ("update_topic", "read_file", "invoke_agent")}
_NEAREST_ELSEWHERE = ("write_file", "update_topic", "read_file")


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call; the same skill can be called again."""
    if tool not in (None, TOOL) or not has_tool(session):
        near = ", ".join(f'"{name}"' for name in _nearest(session))
        return _error(f'Tool "{tool or TOOL}" not found. Did you mean one of: {near}?')
    state = state_of(session)
    given = _parsed(arguments) if isinstance(arguments, str) else arguments
    if problem := _invalid(given, state):
        return _error(problem, library=problem)
    name: str = given[_PARAMETER]
    entry = state.find(name)
    if entry is None:
        available = ", ".join(each.skill.key for each in state.enabled)
        return _error(f'Skill "{name}" not found. Available skills are: {available}')
    return _answer(name, entry)


def _nearest(session: Session) -> tuple[str, ...]:
    return _NEAREST.get(session.settings["approval_mode"], _NEAREST_ELSEWHERE)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _invalid(given: Any, state: State) -> str | None:
    """Return what the validator of the tool's schema says, None if the arguments are valid."""
    if not isinstance(given, Mapping):
        return "params must be object"
    if _PARAMETER not in given:
        return f"params must have required property '{_PARAMETER}'"
    if len(given) > 1:
        return "params must NOT have additional properties"
    name, keys = given[_PARAMETER], [entry.skill.key for entry in state.enabled]
    if not isinstance(name, str):
        return f"params/{_PARAMETER} must be string"
    return (
        f"params/{_PARAMETER} must be equal to one of the allowed values"
        if keys and name not in keys
        else None
    )


def _answer(name: str, entry: Entry) -> Result:
    skill = entry.skill
    tree = unmeasured_text() if entry.builtin else folder_tree(skill.display_path)
    body = unmeasured_text() if entry.builtin else skill.body
    text = (
        f'<activated_skill name="{name}">\n  <instructions>\n    {body}\n  </instructions>\n\n'
        f"  <available_resources>\n    {tree}\n  </available_resources>\n</activated_skill>"
    )
    shown = f"Skill **{name}** activated. Resources loaded from `{skill.display_path}`:\n\n{tree}"
    return Result(text, display=shown)


def _error(text: str, library: str | None = None) -> Result:
    return Result(text, is_error=True, library=library)


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body, as it stands among the instructions."""
    return skill.body
