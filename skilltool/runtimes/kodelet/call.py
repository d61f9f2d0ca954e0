"""What does kodelet answer to a call of its tool `skill`? Validation, then execution, with Go's messages.

Sources: document 004, "2. Skill Tool"; `pkg/tools/skill.go` of kodelet at the commits named in the profile.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.go_json import GoJsonError, Number, Pairs, loads
from skilltool.runtimes.base import Session
from skilltool.runtimes.kodelet.discovery import disabled_reason
from skilltool.runtimes.values import LoadedSkill, Result


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None, shape: Shape) -> Result:
    """Validate a call, then execute it; a skill can be called once per session."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        name = skill_name(text)
    except GoJsonError as error:
        return _error(f"invalid input: {error}", library=str(error))
    skill = session.find(name)
    if session.settings["validate"]:
        if name == "":
            return _error("skill_name is required")
        if disabled_reason(session):
            return _error("skills are disabled")
        if skill is None:
            available = ", ".join(loaded.key for loaded in session.skills)
            return _error(f"unknown skill '{name}'. Available skills: {available}")
    if skill is None:
        return _error(f"skill '{name}' not found", executed=True)
    active = session.memory.setdefault("active", set())
    if name in active:
        return _error(f"skill '{name}' is already active", executed=True)
    active.add(name)
    return shape(skill)


class Shape:
    """Makes the result of a successful call, with the display text and the metadata of one edition."""

    def __init__(self, display: str, key: str) -> None:
        """Take the display text, with `{name}` and `{directory}`, and the first key of the metadata."""
        self._display = display
        self._key = key

    def __call__(self, skill: LoadedSkill) -> Result:
        """Return the result of a call that loaded `skill`."""
        text = (
            f"<result>\n# Skill: {skill.key}\n\nThe skill directory is located at: {skill.display_path}\n\n"
            f"## Instructions\n\n{skill.body}\n</result>\n"
        )
        display = self._display.format(name=skill.key, directory=skill.display_path)
        return Result(text, display=display, metadata={self._key: skill.key, "directory": skill.display_path})


def _error(message: str, executed: bool = False, library: str | None = None) -> Result:
    """Return an error; after one from execution, not from validation, comes an empty result."""
    empty = "<result>\n(No output)\n</result>\n" if executed else ""
    return Result(f"<error>\n{message}\n</error>\n{empty}", True, f"Error: {message}", library=library)


def skill_name(text: str) -> str:
    """Return the field `skill_name` as Go decodes it; raises `GoJsonError` with Go's message.

    Keys match regardless of case, the last one wins, null changes nothing.
    """
    value = loads(text)
    if value is None:
        return ""
    if not isinstance(value, Pairs):
        raise GoJsonError(f"json: cannot unmarshal {_kind(value)} into Go value of type tools.SkillInput")
    name, failure = "", None
    for key, item in value:
        if key.casefold() != "skill_name" or item is None:
            continue
        if isinstance(item, str) and not isinstance(item, Number):
            name = item
        elif failure is None:
            field = "Go struct field SkillInput.skill_name of type string"
            failure = f"json: cannot unmarshal {_kind(item)} into {field}"
    if failure:
        raise GoJsonError(failure)
    return name


def _kind(value: object) -> str:
    if isinstance(value, Number):
        return "number"
    return {str: "string", bool: "bool", Pairs: "object", list: "array"}[type(value)]


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as kodelet keeps it."""
    return skill.body
