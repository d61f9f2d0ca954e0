"""How does Agent Framework answer calls of its three tools? No script is run here.

Source: `agent_framework/_skills.py` and `_tools.py` of agent-framework-core 1.23.0; requests after scripted
calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from typing import Any

from skilltool.runtimes.agent_framework import listing
from skilltool.runtimes.agent_framework.files import Files
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import decoded, is_link_here, read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal, Result

APPROVAL = "the turn ends with a request for approval"
_FAILED = "Error: Function failed."
_PARSING = "Error: Argument parsing failed."
_RUN = "what the runner of the application returns is not known"
_SCHEMA = '    <parameters_schema>{"type": "array", "items": {"type": "string"}}</parameters_schema>'
# The text parameters of each tool: all are required.
_TEXTS = {
    listing.LOAD: ("skill_name",),
    listing.RESOURCE: ("skill_name", "resource_name"),
    listing.SCRIPT: ("skill_name", "script_name"),
}


def call(session: Session, arguments: Mapping[str, Any] | str, tool_name: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it."""
    if session.failure is not None:
        return Result(None, is_error=True, flow_error=session.failure)
    name = tool_name or listing.LOAD
    if name not in listing.tools(session):
        return _error(f'Error: Requested function "{name}" not found.')
    if session.settings["approval"]:
        return Result(None, flow_error=APPROVAL)
    given = _checked(name, arguments)
    if given is None:
        return _error(_PARSING)
    texts = [given[key] for key in _TEXTS[name]]
    for kind, text in zip(("Skill", name.rpartition("_")[2].capitalize()), texts, strict=False):
        if not text.strip():
            return _error(f"Error: {kind} name cannot be empty.")
    skill = session.find(texts[0].lower())
    if skill is None:
        return _error(f"Error: Skill '{texts[0]}' not found.")
    if name == listing.LOAD:
        return Result(loaded_text(skill))
    if name == listing.RESOURCE:
        return _resource(skill, texts[1])
    return _script(session, skill, texts[1], given.get("args"))


def _checked(name: str, arguments: Mapping[str, Any] | str) -> Mapping[str, Any] | None:
    """Return the arguments, None if they are refused: only the types of texts are looked at."""
    try:
        given = json.loads(arguments) if isinstance(arguments, str) else arguments
    except (ValueError, RecursionError):
        return None
    known = {*_TEXTS[name], *(("args",) if name == listing.SCRIPT else ())}
    if not isinstance(given, Mapping) or set(given) - known:
        return None
    return given if all(isinstance(given.get(key), str) for key in _TEXTS[name]) else None


def loaded_text(skill: LoadedSkill) -> str:
    """Return what `load_skill` answers: the whole file, and the files that belong to it."""
    files: Files = skill.extra.get("files", Files((), (), ()))
    resources = [f'  <resource name="{escape(name)}"/>' for name in files.resources]
    scripts = [f'  <script name="{escape(name)}">\n{_SCHEMA}\n  </script>' for name in files.scripts]
    return f"{skill.body}\n\n{_block('resources', resources)}\n\n{_block('scripts', scripts)}"


def _block(kind: str, elements: list[str]) -> str:
    if not elements:
        return f"<available_{kind} />"
    return "\n".join([f"<available_{kind}>", *elements, f"</available_{kind}>"])


def _resource(skill: LoadedSkill, name: str) -> Result:
    found = _named(skill.extra["files"].resources, name)
    if found is None:
        return _error(f"Error: Resource '{name}' not found in skill '{skill.name}'.")
    file = skill.directory / found
    if any(is_link_here(path) for path in (file, *file.parents) if path.is_relative_to(skill.directory)):
        return _error(_FAILED)
    try:
        return Result(decoded(read_bytes(file)))
    except Refusal as refusal:
        return Result(None, is_error=True, flow_error=refusal.why)
    except (OSError, UnicodeDecodeError):
        return _error(_FAILED)


def _script(session: Session, skill: LoadedSkill, name: str, arguments: Any) -> Result:
    found = _named(skill.extra["files"].scripts, name)
    if found is None:
        return _error(f"Error: Script '{name}' not found in skill '{skill.name}'.")
    if not session.settings["runner"]:
        return _error(_FAILED)
    run = {"skill": skill.name, "script": found, "args": arguments}
    return Result(None, flow_error=_RUN, metadata=run)


def _named(names: tuple[str, ...], name: str) -> str | None:
    """Return the first of `names` that equals `name` in lower case."""
    return next((each for each in names if each.lower() == name.lower()), None)


def _error(words: str) -> Result:
    return Result(words, is_error=True)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file, and the files that belong to it."""
    return loaded_text(skill)
