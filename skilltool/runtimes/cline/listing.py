"""What does Cline tell the model about skills? Their names, at the end of the description of a tool."""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.cline.discovery import id_of
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.values import LoadedSkill

_ABOUT = (529, "98640e8e271e3fe356a820afbcb721ee3c61454e635d398401d83f5f080bf279")


def has_tool(session: Session) -> bool:
    """Whether the tool is offered: some skill is, and tools are on."""
    return bool(session.skills) and bool(session.settings["enableTools"])


def catalog(session: Session) -> str | None:
    """Return the names of the skills in the order in which they are read; None without a tool."""
    if not has_tool(session):
        return None
    return f"Available skills: {', '.join(map(summary, session.skills))}."


def prompt(session: Session) -> str | None:
    """Return the whole description of the tool."""
    listed = catalog(session)
    return None if listed is None else fixed_text(*_ABOUT) + listed


def summary(skill: LoadedSkill) -> str:
    """Return what the model sees of a skill before it calls it: its name, in lower case if it has a colon."""
    return id_of(skill) if ":" in skill.name else skill.name


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of the tool."""
    if not has_tool(session):
        return None
    return {
        "type": "function",
        "function": {
            "name": "skills",
            "description": prompt(session),
            "parameters": {
                "type": "object",
                "properties": {
                    "skill": {
                        "type": "string",
                        "minLength": 1,
                        "description": "Name of the skill to execute.",
                    },
                    "args": {
                        "description": "Arguments for the skill; use null when omitted",
                        "type": ["string", "null"],
                    },
                },
                "required": ["skill"],
                "additionalProperties": False,
            },
        },
    }
