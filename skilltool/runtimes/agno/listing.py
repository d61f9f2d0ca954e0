"""What does Agno show of its skills in the system prompt, and which tools does it offer?

Source: `agno/skills/agent_skills.py` of agno 3.1.10, and requests.
"""

from __future__ import annotations

from typing import Any

from skilltool.runtimes.agno.discovery import REFERENCES, SCRIPTS, manifest_of
from skilltool.runtimes.base import Session
from skilltool.runtimes.values import LoadedSkill

INSTRUCTIONS, REFERENCE, SCRIPT = "get_skill_instructions", "get_skill_reference", "get_skill_script"
_PROMPT = """<skills_system>

## What are Skills?
Skills are packages of domain expertise that extend your capabilities. Each skill contains:
- **Instructions**: Detailed guidance on when and how to apply the skill
- **Scripts**: Executable code templates you can use or adapt
- **References**: Supporting documentation (guides, cheatsheets, examples)

## IMPORTANT: How to Use Skills
**Skill names are NOT callable functions.** You cannot call a skill directly by its name.
Instead, you MUST use the provided skill access tools:

1. `get_skill_instructions(skill_name)` - Load the full instructions for a skill
2. `get_skill_reference(skill_name, reference_path)` - Access specific documentation
3. `get_skill_script(skill_name, script_path, execute=False)` - Read or run scripts

## Progressive Discovery Workflow
1. **Browse**: Review the skill summaries below to understand what's available
2. **Load**: When a task matches a skill, call `get_skill_instructions(skill_name)` first
3. **Reference**: Use `get_skill_reference` to access specific documentation as needed
4. **Scripts**: Use `get_skill_script` to read or execute scripts from a skill

**IMPORTANT**: References are documentation files (NOT executable). Only use `get_skill_script` when \
`<scripts>` lists actual script files. If `<scripts>none</scripts>`, do NOT call `get_skill_script`.

This approach ensures you only load detailed instructions when actually needed.

## Available Skills
{skills}

</skills_system>"""


def _property(kind: str, description: str) -> dict[str, Any]:
    return {"type": kind, "description": description}


_NAME = _property("string", "The name of the skill.")
_TEXTS = {"type": "array", "items": {"type": "string"}}
# Tool -> its description and its parameters, of which only the first is required.
TOOLS: dict[str, tuple[str, dict[str, Any]]] = {
    INSTRUCTIONS: (
        "Load the full instructions for a skill. Use this when you need to follow a skill's guidance.",
        {"skill_name": _property("string", "The name of the skill to get instructions for.")},
    ),
    REFERENCE: (
        "Load a reference document from a skill's references. Use this to access detailed documentation.",
        {
            "skill_name": _NAME,
            "reference_path": _property("string", "The filename of the reference document."),
        },
    ),
    SCRIPT: (
        "Read or execute a script from a skill. Set execute=True to run the script and get output, or "
        "execute=False (default) to read the script content.",
        {
            "skill_name": _NAME,
            "script_path": _property("string", "The filename of the script."),
            "execute": _property(
                "boolean", "If True, execute the script. If False (default), return content."
            ),
            "args": _TEXTS
            | {
                "description": "Optional list of arguments to pass to the script (only used if execute=True)."
            },
            "timeout": _property(
                "integer", "Maximum execution time in seconds (default: 30, only used if execute=True)."
            ),
        },
    ),
}


def catalog(session: Session) -> str | None:
    """Return the listing; None without skills, where the prompt says nothing of them."""
    return "\n".join(map(_entry, session.skills)) or None


def prompt(session: Session) -> str | None:
    """Return all that skills add to the system prompt."""
    shown = catalog(session)
    return None if shown is None else _PROMPT.replace("{skills}", shown)


def _entry(skill: LoadedSkill) -> str:
    found = manifest_of(skill)
    scripts, references = (", ".join(skill.extra[name]) for name in (SCRIPTS, REFERENCES))
    lines = [
        "<skill>",
        f"  <name>{found.name}</name>",
        f"  <description>{found.description}</description>",
        f"  <scripts>{scripts or 'none'}</scripts>",
        *([f"  <references>{references}</references>"] if references else []),
        "</skill>",
    ]
    return "\n".join(lines)


def tool(session: Session) -> dict[str, Any] | None:
    """Return the tool that gives the body of a skill; it is there without skills, too."""
    return None if session.failure is not None else definition(INSTRUCTIONS)


def definition(name: str) -> dict[str, Any]:
    """Return the definition of one of the tools."""
    description, properties = TOOLS[name]
    parameters = {"type": "object", "properties": properties, "required": ["skill_name"]}
    return {
        "type": "function",
        "function": {"name": name, "description": description, "parameters": parameters},
    }
