"""What does opencode say about the skills in its system message, and in the definition of its tool?

Source: requests of opencode 1.18.33.
"""

from __future__ import annotations

from typing import Any

from skilltool.emulation.icu_collation import collation_key
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.opencode.settings import TOOL
from skilltool.runtimes.opencode.state import BUILTIN, BUILTIN_LOCATION, state_of
from skilltool.skill.skill_file import FILE_NAME

_HEADING = (
    "Skills provide specialized instructions and workflows for specific tasks.\n"
    "Use the skill tool to load a skill when a task matches its description.\n"
)
_NONE = "No skills are currently available."
_BUILTIN_TEXT = fixed_text(386, "005957c825ebc1eea571edbdbebcf2f942534659c6321304a456a54b31170648")
_TOOL_TEXT = fixed_text(399, "226f63ce9fd51e51431205c90ef98e53a20ba5af690fdad241eba416db49c339")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def catalog(session: Session) -> str | None:
    """Return the listing at the end of the system message; None where the permissions deny all skills."""
    settings = state_of(session).settings
    if settings.no_tool:
        return None
    listed = [
        (skill.name, skill.description, f"{skill.display_path}/{FILE_NAME}")
        for skill in session.skills
        if skill.extra["described"]
    ]
    if all(skill.key != BUILTIN for skill in session.skills):
        listed.append((BUILTIN, _BUILTIN_TEXT, BUILTIN_LOCATION))
    allowed = [each for each in listed if settings.action(each[0]) != "deny"]
    entries = [
        f"  <skill>\n    <name>{name}</name>\n    <description>{description}</description>\n"
        f"    <location>{location.translate(_ESCAPES)}</location>\n  </skill>\n"
        for name, description, location in sorted(allowed, key=lambda each: collation_key(each[0]))
    ]
    block = f"<available_skills>\n{''.join(entries)}</available_skills>" if entries else _NONE
    return f"{_HEADING}{block}"


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of `skill`, which is the same with any skills; None where all are denied."""
    if state_of(session).settings.no_tool:
        return None
    return {
        "name": TOOL,
        "description": _TOOL_TEXT,
        "parameters": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The name of the skill from available_skills"}
            },
            "required": ["name"],
        },
    }
