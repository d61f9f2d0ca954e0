"""What does pickle-bot answer to a tool call? Arguments are checked as Python does, then the tool runs.

Sources: document 003, "Tool Factory"; `core/agent.py`, `tools/registry.py` and `tools/skill_tool.py` of
czl9707/pickle-bot at the commits named in the profile.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from skilltool.emulation import python_call_errors
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of, exists, is_directory, names
from skilltool.runtimes.pickle_bot.discovery import Dialect, scan_root
from skilltool.runtimes.pickle_bot.manifest import read_plain
from skilltool.runtimes.values import LoadedSkill, Refusal, Result
from skilltool.skill.skill_file import FILE_NAME

_MODULE = "picklebot.tools.registry"
_REGISTRY = "ToolRegistry.execute_tool"
_TOOL = "create_skill_tool.<locals>.skill_tool"

Loading = Callable[[Session, Any], Result]


def call(
    session: Session,
    arguments: Mapping[str, Any] | str,
    tool: str | None,
    loading: Loading,
    handed: tuple[str, ...] = (),
) -> Result:
    """Answer a call; `loading` is the tool itself, `handed` are keywords that the runtime passes."""
    if session.failure is not None:
        return Result(None, True, flow_error=session.failure)
    try:
        values = _decoded(arguments)
        problem = _problem(session, tool or session.settings["tool"], values, handed)
        if problem is not None:
            return Result(f"Error executing tool: {problem}", True, library=problem)
        return loading(session, values["skill_name"])
    except (RecursionError, ValueError) as error:
        # An integer with too many digits, or nesting that is too deep, is not a JSONDecodeError: it ends
        # the turn.
        return Result(None, True, flow_error=str(error), library=str(error))


def _decoded(arguments: Mapping[str, Any] | str) -> Any:
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments)
    except json.JSONDecodeError:
        return {}


def _problem(session: Session, tool: str, values: Any, handed: tuple[str, ...]) -> str | None:
    """Return the error of Python or of the registry for a call, in the order of their checks, or None."""
    if not isinstance(values, Mapping):
        return python_call_errors.not_a_mapping(f"{_MODULE}.{_REGISTRY}", values)
    # `execute_tool(name, session=session, **arguments)`: keyword arguments are merged before the call.
    twice = python_call_errors.repeated_keyword(f"{_MODULE}.{_REGISTRY}", handed, values)
    twice = twice or python_call_errors.repeated(_REGISTRY, ("self", "name"), values)
    if twice is not None:
        return twice
    if tool != "skill" or not session.memory["registered"]:
        return f"Tool not found: {tool}"
    return python_call_errors.mismatch(_TOOL, ("skill_name", *handed), handed, values)


def _not_found(name: Any) -> Result:
    text = f"Error: Skill '{name}' not found. It may have been removed or is unavailable."
    return Result(text, True)


def load_2026_02(session: Session, name: Any) -> Result:
    """Load as the first implementation: any name is joined to the path of the root."""
    if not isinstance(name, str):
        return _not_found(name)
    directory = session.memory["path"] / name
    file = directory / FILE_NAME
    try:
        if not is_directory(directory) or not exists(file):
            return _not_found(name)
        return Result(read_plain(bytes_of(file), name, str(file)).body)
    except (OSError, Refusal):
        return _not_found(name)


def load_document(session: Session, name: Any) -> Result:
    """Load as document 003: the id is a directory in the root; a broken file has an error of its own."""
    root = session.memory["path"]
    try:
        if not exists(root) or name not in names(root) or not is_directory(root / name):
            return _not_found(name)
        file = root / name / FILE_NAME
        if not exists(file):
            return _not_found(name)
        return Result(read_plain(bytes_of(file), name, str(file)).body)
    except OSError as error:
        return Result(f"Error loading skill '{name}': {error}", True, library=str(error))
    except Refusal as refusal:
        reason = refusal.why if refusal.message is None else refusal.message
        return Result(f"Error loading skill '{name}': {reason}", True, library=refusal.library)


def load_2026_05(session: Session, name: Any, dialect: Dialect) -> Result:
    """Load as in 2026-05: scan the whole root again, and compare the ids."""
    try:
        found = scan_root(session, dialect)
    except OSError:
        return _not_found(name)
    for skill in found.skills:
        if skill.key == name:
            return Result(skill.body, logs=tuple(found.logs))
    return Result(_not_found(name).text, True, logs=tuple(found.logs))


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body as the tool would return it."""
    return skill.body
