"""How does Agno answer calls of its three tools? Scripts are not run here.

Source: `agno/skills/agent_skills.py` and `agno/utils/path_safety.py` of agno 3.1.10, and the messages after
scripted calls; `agno/utils/functions.py` of agno 3.1.10 and pydantic's `validate_call`, and the messages
after scripted calls; `agno/skills/agent_skills.py` of agno 3.1.10, and requests.
"""

from __future__ import annotations

import ast
import json
import os
import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path, PureWindowsPath
from typing import Any

from skilltool.emulation.pydantic import (
    Check,
    Problem,
    error_text,
    flag,
    list_of,
    optional,
    text,
    whole_number,
)
from skilltool.runtimes.agno.loading import REFERENCES, SCRIPTS, Package, manifest_of
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_beside_skills, decoded
from skilltool.runtimes.values import LoadedSkill, Refusal, Result, not_read
from skilltool.text.lazy_pattern import lazy_pattern

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
    """Return the listing; None without skills, of which the prompt then says nothing, and if none is sent."""
    if session.failure is not None:
        return None
    return "\n".join(map(_entry, session.skills)) or None


def prompt(session: Session) -> str | None:
    """Return all that skills add to the system prompt."""
    shown = catalog(session)
    return None if shown is None else _PROMPT.replace("{skills}", shown)


def _entry(skill: LoadedSkill) -> str:
    manifest = manifest_of(skill)
    scripts, references = (", ".join(skill.known_as(Package).files[name]) for name in (SCRIPTS, REFERENCES))
    lines = [
        "<skill>",
        f"  <name>{manifest.name}</name>",
        f"  <description>{manifest.description}</description>",
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


_PYDANTIC = "2.14"
_LONGEST = 100_000  # characters that are read as a Python literal
_WORDS = {"none": None, "null": None, "true": True, "false": False}
_PARAMETERS: dict[str, dict[str, tuple[Check, Any]]] = {
    INSTRUCTIONS: {"skill_name": (text, ...)},
    REFERENCE: {"skill_name": (text, ...), "reference_path": (optional(text), None)},
    SCRIPT: {
        "skill_name": (text, ...),
        "script_path": (optional(text), None),
        "execute": (flag, False),
        "args": (optional(list_of(text)), None),
        "timeout": (whole_number, 30),
    },
}


class CallError(Exception):
    """Its text is what the framework answers to a call whose arguments it cannot use."""


class ArgsKwargs:
    """Arguments as pydantic shows them."""

    def __init__(self, keywords: Mapping[str, Any]) -> None:
        """Take the arguments by name."""
        self.keywords = dict(keywords)

    def __repr__(self) -> str:
        return f"ArgsKwargs((), {self.keywords})" if self.keywords else "ArgsKwargs(())"


def values(tool: str, given: Mapping[str, Any] | str) -> dict[str, Any]:
    """Return the value of each parameter; raises `CallError`, and `Refusal` for what is not read."""
    arguments = _cleaned(_parsed(given) if isinstance(given, str) else given)
    if not all(isinstance(name, str) for name in arguments):
        raise CallError("keywords must be strings")
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, (check, default) in _PARAMETERS[tool].items():
        if name in arguments:
            found[name], new = check((name,), arguments[name])
            problems += new
        elif default is ...:
            whole = ArgsKwargs(arguments)
            problems.append(Problem((name,), "missing_argument", "Missing required argument", whole))
        else:
            found[name] = default
    words = "Unexpected keyword argument"
    extra = [name for name in arguments if name not in _PARAMETERS[tool]]
    problems += [Problem((name,), "unexpected_keyword_argument", words, arguments[name]) for name in extra]
    if problems:
        raise CallError(error_text(f"Skills._{tool}", problems, _PYDANTIC))
    return found


def _parsed(raw: str) -> Mapping[str, Any]:
    if raw == "":
        return {}
    try:
        found = _literal(raw)
    except Refusal:
        raise
    except Exception as error:
        retry = "Please make sure we can json.loads() the arguments and retry."
        raise CallError(f"Error while decoding function arguments: {error}\n\n{retry}") from None
    if found == []:
        return {}
    if not isinstance(found, dict):
        raise CallError("Function arguments are not a valid JSON object.\n\n Please fix and retry.")
    return found


def _literal(raw: str) -> Any:
    """Return data of JSON, else of a Python literal, whose error is then the one that is told."""
    try:
        return json.loads(raw)
    except Exception:
        if len(raw) > _LONGEST:
            raise not_read(f"arguments of more than {_LONGEST:,} characters") from None
        return ast.literal_eval(raw)


def _cleaned(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments in which the words for nothing, true and false are what they mean."""
    return {key: _meant(value) for key, value in given.items()}


def _meant(value: Any) -> Any:
    word = value.strip().lower() if isinstance(value, str) else ""
    return _WORDS.get(word, value)


# Stands for what a script prints.
OUTPUT = "{output}"
_RESERVED = lazy_pattern(r"(CON|PRN|AUX|NUL|COM[1-9]|LPT[1-9])(\.|$)", re.IGNORECASE)
_PROGRAMS = (b"#!", b"\x7fELF")


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it."""
    name = tool or INSTRUCTIONS
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    if name not in TOOLS:
        return Result("Error: The requested tool does not exist or is not available.", is_error=True)
    try:
        given = values(name, arguments)
        found = _answer(session, name, given)
        return Result(json.dumps(found), is_error="error" in found)
    except (CallError, TypeError, ValueError) as error:  # also of names and descriptions that are not text
        return Result(str(error), is_error=True)
    except Refusal as refusal:
        return Result(None, is_error=True, flow_error=refusal.why)


def _answer(session: Session, tool: str, given: dict[str, Any]) -> dict[str, Any]:
    name = given["skill_name"]
    skill = next((skill for skill in session.skills if manifest_of(skill).name == name), None)
    if skill is None:
        known = ", ".join(manifest_of(skill).name for skill in session.skills)
        return {"error": f"Skill '{name}' not found", "available_skills": known}
    if tool == INSTRUCTIONS:
        return _instructions(skill)
    if tool == REFERENCE:
        return _file(skill, REFERENCES, "reference", given["reference_path"])
    return _file(skill, SCRIPTS, "script", given["script_path"], given["execute"])


def _instructions(skill: LoadedSkill) -> dict[str, Any]:
    manifest = manifest_of(skill)
    return {
        "skill_name": manifest.name,
        "description": manifest.description,
        "instructions": manifest.body,
        "available_scripts": skill.known_as(Package).files[SCRIPTS],
        "available_references": skill.known_as(Package).files[REFERENCES],
    }


def _file(
    skill: LoadedSkill, folder: str, kind: str, path: str | None, execute: bool = False
) -> dict[str, Any]:
    """Return what is answered for a file of a skill: its content, or what its execution gives."""
    name, listed = manifest_of(skill).name, {f"available_{folder}": skill.known_as(Package).files[folder]}
    if not path:
        words = f"A {kind}_path is required to read a {kind} from skill '{name}'"
        return {"error": words, "skill_name": name, **listed}
    if path not in skill.known_as(Package).files[folder]:
        return {"error": f"{kind.capitalize()} '{path}' not found in skill '{name}'", **listed}
    of_file = {"skill_name": name, f"{kind}_path": path}
    file = _safe(skill.directory / folder, path)
    if file is None:
        return {"error": f"Invalid {kind} path: '{path}'", "skill_name": name}
    try:
        if execute:
            return _executed(file, of_file)
        return {**of_file, "content": decoded(bytes_beside_skills(file))}
    except (OSError, UnicodeDecodeError) as error:
        return {"error": f"Error reading {kind} file: {error}", **of_file}


def _executed(file: Path, of_file: dict[str, Any]) -> dict[str, Any]:
    """Return what a script gives, as if it went well; one without `#!` cannot be executed."""
    if bytes_beside_skills(file).startswith(_PROGRAMS):
        return {**of_file, "stdout": OUTPUT, "stderr": "", "returncode": 0}
    return {"error": f"Error executing script: [Errno 8] Exec format error: '{file}'", **of_file}


def _safe(directory: Path, given: str) -> Path | None:
    """Return the real path of a file below a directory, None for a name that the framework refuses."""
    name = unicodedata.normalize("NFKC", given)
    as_windows = PureWindowsPath(name)
    if not name.strip() or as_windows.drive or as_windows.is_absolute():
        return None
    if any(unicodedata.category(each) == "Cc" for each in name):
        return None
    given_parts = name.replace("\\", "/").split("/")
    parts = [part if part in ("", ".", "..") else part.rstrip(". ") for part in given_parts]
    if any(_RESERVED.match(part) for part in parts) or (len(parts) == 1 and not parts[0]):
        return None
    real = Path(os.path.realpath(directory / "/".join(parts)))
    return real if real.is_relative_to(os.path.realpath(directory)) else None


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the instructions of a skill."""
    return manifest_of(skill).body
