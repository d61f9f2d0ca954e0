"""What does Gemini CLI say about the skills in its system prompt, and in the definition of its tool?

Source: prompts/snippets.js, prompts/utils.js and tools/definitions of @google/gemini-cli-core 0.61.0.
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.emulation.javascript import replace_all
from skilltool.runtimes.base import Session
from skilltool.runtimes.gemini_cli.state import TOOL, Entry, has_tool, offered, state_of

_HEADING = "# Available Agent Skills"
_END = "</available_skills>"
_VARIABLE = "${AgentSkills}"
_ABOUT_TOOL = (
    "Returns the skill's instructions wrapped in `<activated_skill>` tags. These provide specialized "
    "guidance for the current task. Use this when you identify a task that matches a skill's description. "
    "ONLY use names exactly as they appear in the `<available_skills>` section."
)


def catalog(session: Session) -> str | None:
    """Return the block in the system prompt; None without an enabled skill.

    With the setting `system_md` it is what becomes of `${AgentSkills}` in that text, from the first heading
    to the last end, None if the text does not have the variable.
    """
    entries = offered(session)
    if not entries:
        return None
    block = _block(entries, _is_modern(session.settings["model"]))
    template = session.settings["system_md"]
    if template is None:
        return block
    if _VARIABLE not in template:
        return None
    text = replace_all(template, _VARIABLE, block)
    return text[text.index(_HEADING) : text.rindex(_END) + len(_END)]


def _block(entries: list[Entry], modern: bool) -> str:
    call = "call" if modern else "you can call"
    shown = "\n".join(
        f"  <skill>\n    <name>{entry.skill.name}</name>\n"
        f"    <description>{entry.skill.description}</description>\n"
        f"    <location>{entry.location}</location>\n  </skill>"
        for entry in entries
    )
    return (
        f"{_HEADING}\n\nYou have access to the following specialized skills. To activate a skill and receive "
        f"its detailed instructions, {call} the `{TOOL}` tool with the skill's name.\n\n"
        f"<available_skills>\n{shown}\n{_END}"
    )


def _is_modern(model: str) -> bool:
    """Return whether a model gets the newer prompt: Gemini 3 and later, and every other maker's."""
    return bool(re.match(r"gemini-3(?:\.|-|\Z)", model)) or not model.startswith("gemini-")


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of `activate_skill`; None where it is not offered."""
    if not has_tool(session):
        return None
    keys = [entry.skill.key for entry in state_of(session).enabled]
    quoted = ", ".join(f"'{key}'" for key in keys)
    hint = f" (Available: {quoted})" if keys else ""
    name: dict[str, Any] = {"type": "string"}
    name |= (
        {"enum": keys, "description": "The name of the skill to activate."}
        if keys
        else {"description": "No skills are currently available."}
    )
    return {
        "name": TOOL,
        "description": f"Activates a specialized agent skill by name{hint}. {_ABOUT_TOOL}",
        "parametersJsonSchema": {
            "type": "object",
            "properties": {"name": name},
            "required": ["name"],
            "additionalProperties": False,
            "$schema": "http://json-schema.org/draft-07/schema#",
        },
    }
