"""What does Agent Framework tell the model of its skills, and which tools does it offer?

Source: requests of agent-framework-core 1.23.0 with agent-framework-openai 1.17.0.
"""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from skilltool.runtimes.agent_framework.instructions import instructions
from skilltool.runtimes.base import Session

LOAD, RESOURCE, SCRIPT = "load_skill", "read_skill_resource", "run_skill_script"


@cache
def _facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


def catalog(session: Session) -> str | None:
    """Return the listing, sorted by name; None without skills.

    In a template of the developer's own the element around it is missing.
    """
    if session.failure is not None or not session.skills:
        return None
    elements = _elements(session)
    if session.settings["instruction_template"]:
        return elements
    return f"<available_skills>\n{elements}\n</available_skills>"


def _elements(session: Session) -> str:
    lines = []
    for skill in sorted(session.skills, key=lambda each: each.name):
        name, description = escape(skill.name), escape(skill.description)
        lines += ["  <skill>", f"    <name>{name}</name>", f"    <description>{description}</description>"]
        lines.append("  </skill>")
    return "\n".join(lines)


def prompt(session: Session) -> str | None:
    """Return the instructions that skills add, None without skills."""
    if catalog(session) is None:
        return None
    return instructions(_elements(session), session.settings["instruction_template"])


def tools(session: Session) -> dict[str, dict[str, Any]]:
    """Return the definition of each tool by its name: three, or none without skills."""
    if catalog(session) is None:
        return {}
    return {name: {"type": "function", "function": value} for name, value in _facts()["tools"].items()}


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool that loads a skill."""
    return tools(session).get(LOAD)
