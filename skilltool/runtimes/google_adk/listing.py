"""What does google-adk tell the model of its skills: in `list_skills`, or in the system instruction?

Source: requests of google-adk 2.13.0.
"""

from __future__ import annotations

import json
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill

LIST, LOAD, RESOURCE = "list_skills", "load_skill", "load_skill_resource"
EAGER = "eager"
_PREFIX = "<PREFIX>"


@cache
def _facts() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((Path(__file__).parent / "facts.json").read_text("utf-8"))
    return found


def prefix(session: Session) -> str:
    """Return what the names of the tools begin with."""
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
