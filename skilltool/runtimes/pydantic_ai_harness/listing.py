"""What does the harness of Pydantic AI tell the model of its skills, and how does it frame text?

Source: requests of pydantic-ai-harness 0.62.0 (chat completions); `pydantic_ai/_framing.py`.
"""

from __future__ import annotations

import re
from html import escape
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill

LOAD = "load_capability"
_BEGIN = (
    "The following capabilities are deferred and can be loaded using the `load_capability` tool. "
    "A capability's tools stay hidden until it is loaded:"
)
_AFTER = (
    "A later <context> element with the same id replaces the earlier one and stays in effect until replaced "
    "again."
)
_ABOUT = (
    "Load a listed capability whenever it is plausibly relevant to the task. Loading makes the capability "
    "instructions and any tools it provides available."
)
# The tags of the framework itself, in any spelling: their first sign is escaped in what they frame.
_TAGS = "system|tool_result|assistant_thinking|context|context_diff|validation_errors|retry_feedback"
_OWN_TAG = re.compile(
    rf"<(?=\s*+(?>(?:/\s*+)?)(?:{_TAGS}|conversation_summary)(?:[\s/>]|\Z|\n\Z))", re.IGNORECASE
)


def framed(name: str, text: str) -> str:
    """Return the element that names a capability, with its text."""
    body = _OWN_TAG.sub("&lt;", f"\n{text}\n")
    return f'<context id="{escape(f"capability:{name}")}">{body}</context>'


def offered(session: Session) -> list[LoadedSkill]:
    """Return the skills that the model may load."""
    return [skill for skill in session.skills if skill.extra["manifest"].for_model]


def catalog(session: Session) -> str | None:
    """Return the listing, None without a skill that the model may load."""
    if session.failure is not None or not offered(session):
        return None
    entries = "\n".join(f"- {skill.key}: {summary(skill)}" for skill in offered(session))
    return framed("deferred_capabilities", f"{_BEGIN}\n{entries}")


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill: further lines are indented; nothing if it is for people."""
    return skill.description.replace("\n", "\n  ") if skill.extra["manifest"].for_model else None


def prompt(session: Session) -> str | None:
    """Return the system message that skills add: the listing and one sentence."""
    listing = catalog(session)
    return None if listing is None else f"{listing}\n{_AFTER}"


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of `load_capability`, None without a skill that the model may load."""
    if catalog(session) is None:
        return None
    parameters = {
        "description": "Typed arguments for a `load_capability` tool call.",
        "properties": {"id": {"description": "The id of the capability to load.", "type": "string"}},
        "required": ["id"],
        "type": "object",
        "additionalProperties": False,
    }
    function = {"name": LOAD, "description": _ABOUT, "parameters": parameters, "strict": True}
    return {"type": "function", "function": function}
