"""How does OpenHands answer a call of `invoke_skill`? Inline commands in a body are not run here.

Source: `openhands/sdk/tool/builtins/invoke_skill.py`, `agent/agent.py` and `skills/execute.py` of
openhands-sdk 1.58.0; requests after scripted calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.pydantic import Problem, error_text, missing, text
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import is_file_here
from skilltool.runtimes.openhands.entry import Entry, entry_of
from skilltool.runtimes.openhands.listing import tool
from skilltool.runtimes.openhands.manifest import PYDANTIC
from skilltool.runtimes.openhands.truncation import shortened
from skilltool.runtimes.values import LoadedSkill, Result

OUTPUT = "{output}"
_TOOL = "invoke_skill"
_ERROR = "[An error occurred during execution.]\n"
_LONGEST = 50_000
_CONTROL = re.compile(r"[\x00-\x1f]")
_RISK_TYPOS = ("security_rort", "securtiy_risk", "security_riks")
# A fence up to the next one or the end, `\!` before a command, code, and a command.
_COMMAND = re.compile(
    r"(?P<kept>```(?>(?:[^`]|`(?!``))*)(?:```|\Z))|\\(?P<escaped>!`[^`]+`)|(?P<code>(?<!!)`[^`]+`)"
    r"|!`(?P<command>[^`]+)`"
)


def call(session: Session, arguments: Mapping[str, Any] | str, tool_name: str | None = None) -> Result:
    """Answer a call by its arguments, or by their text as the model wrote it."""
    name = tool_name or _TOOL
    try:
        given = _given(arguments)
    except ValueError as error:
        return _refused(f"Error validating tool '{name}': {error}. Arguments: unparseable JSON")
    own = [_TOOL] if tool(session) is not None else []
    if name not in own:
        return _refused(f"Tool '{name}' not found. Available: {['finish', 'think', *own]}")
    problems = _problems(given)
    if problems:
        words = error_text("InvokeSkillAction", problems, PYDANTIC)
        return _refused(f"Error validating tool '{_TOOL}': {words}. Parameters provided: {list(given)}")
    return _invoked(session, str(given["name"]).strip())


def _given(arguments: Mapping[str, Any] | str) -> dict[str, Any]:
    """Return the arguments that are checked, without null and what the agent reads; raises ValueError."""
    found = _parsed(arguments) if isinstance(arguments, str) else arguments
    if not isinstance(found, Mapping):
        return {}
    left_out = {"summary", "security_risk", *[name for name in _RISK_TYPOS if name in found][:1]}
    kept = {key: value for key, value in found.items() if value is not None and key not in left_out}
    chunks = kept.get("name")
    if isinstance(chunks, list) and all(isinstance(each, str) for each in chunks):
        kept["name"] = "".join(chunks)
    return kept


def _parsed(raw: str) -> Any:
    """Parse the text of arguments; where that fails, once more with its control characters escaped."""
    try:
        try:
            return json.loads(raw)
        except json.JSONDecodeError:
            return json.loads(_CONTROL.sub(lambda found: json.dumps(found[0])[1:-1], raw))
    except RecursionError:
        raise ValueError("maximum recursion depth exceeded") from None


def _problems(given: dict[str, Any]) -> list[Problem]:
    problems = text(("name",), given["name"])[1] if "name" in given else [missing(("name",), given)]
    words = "Extra inputs are not permitted"
    extra = [name for name in given if name != "name"]
    return problems + [Problem((name,), "extra_forbidden", words, given[name]) for name in extra]


def _invoked(session: Session, name: str) -> Result:
    skill = session.find(name)
    if skill is None:
        entries = map(entry_of, session.skills)
        names = ", ".join(sorted(entry.name for entry in entries if not entry.hidden))
        return _failed(f"Unknown skill '{name}'. Available skills: {names or '<none>'}.")
    entry = entry_of(skill)
    if entry.hidden:
        why = "It can only be activated by trigger matching."
        return _failed(f"Skill '{name}' cannot be invoked directly. {why}")
    return Result(shortened(without_commands(entry.body) + _location(session, entry), _LONGEST))


def without_commands(body: str) -> str:
    """Return a body with a placeholder for the output of each command; those in code are none."""
    return _COMMAND.sub(_replaced, body) if "`" in body else body


def _replaced(found: re.Match[str]) -> str:
    if found["command"] is not None:
        return OUTPUT
    return found["escaped"] or found[0]


def _location(session: Session, entry: Entry) -> str:
    """Return the note about the directory: below the working directory relative to it, links resolved."""
    try:
        file = entry.file.resolve(strict=True)
    except (OSError, RuntimeError):
        return ""
    if not is_file_here(file):
        return ""
    directory, here = file.parent, session.project.resolve()
    shown = directory.relative_to(here) if directory.is_relative_to(here) else directory
    return (
        f"\n\n---\nThis skill is located at `{shown.as_posix()}`. Any files it references (e.g. under "
        "`scripts/`, `references/`, `assets/`) are relative to that directory."
    )


def _refused(words: str) -> Result:
    return Result(shortened(words, _LONGEST), is_error=True)


def _failed(words: str) -> Result:
    parts = [{"type": "text", "text": part} for part in (_ERROR, shortened(words, _LONGEST))]
    return Result(_ERROR + words, is_error=True, messages=({"role": "tool", "content": parts},))


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the text of a skill, as a trigger or its place in the prompt gives it to the model."""
    return entry_of(skill).body
