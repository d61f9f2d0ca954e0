"""What does nfa's tool `Skill` answer? genkit checks the arguments, the tool returns one line of Go's JSON.

Sources: document 000; `pkg/skills/skill_tool.go` of yhlooo/nfa at the commits named in the profile;
recordings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from skilltool.emulation.go import go_error
from skilltool.emulation.go import quoted as go_quoted
from skilltool.emulation.go_json import GoJsonError, Number, Pairs, dumps, loads
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.nfa.discovery import read, whole
from skilltool.runtimes.values import Log, Refusal, Result
from skilltool.skill.skill_file import FILE_NAME

_WRAP = 'call tool "Skill" error: error calling tool Skill: '
_SCHEMA = "data did not match expected schema:"
# The answer for the built-in skill; no document has its text.
_BUILTIN_ANSWER = fixed_text(2013, "a85ed6c7648d9ff96d4c3c4edab3ab6eb1a3accf5b3602b82cea2bd294635309")

Answer = Callable[[Session, str], Result]


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None, answer: Answer) -> Result:
    """Check the arguments as genkit does, then answer for the name as one edition does."""
    name = tool or session.settings["tool"]
    if name != "Skill":
        return _error(f"tool {go_quoted(name)} not found")
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    try:
        value = _decoded(text)
    except GoJsonError as error:
        failure = f"unmarshal failed to parse json string {text}: {error}"
        return Result(None, True, flow_error=failure, library=failure)
    problems, skill = _checked(value)
    if problems:
        message = "\n- ".join([_SCHEMA, *problems])
        return Result(dumps({"error": f"{_WRAP}{message}"}), True, library=message)
    return answer(session, skill)


def _decoded(text: str) -> Pairs | None:
    """Return JSON text as Go decodes it into `map[string]any`; raises `GoJsonError` with Go's message."""
    value = loads(text)
    if value is None or isinstance(value, Pairs):
        if (number := _too_large(value)) is not None:
            raise GoJsonError(f"json: cannot unmarshal number {number} into Go value of type float64")
        return value
    kind = "number" if isinstance(value, Number) else "bool" if isinstance(value, bool) else _kind(value)
    raise GoJsonError(f"json: cannot unmarshal {kind} into Go value of type map[string]interface {{}}")


def _too_large(value: Any) -> Number | None:
    """Return the first number in a value that is too large for a float, or None."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, Number) and abs(float(found)) == float("inf"):
            return found
        if isinstance(found, list):
            items = [item for _, item in found] if isinstance(found, Pairs) else found
            waiting += reversed(items)
    return None


def _checked(value: Pairs | None) -> tuple[list[str], str]:
    """Return the errors of gojsonschema for the arguments, and the name; null counts as missing."""
    if value is None:
        return ["(root): Invalid type. Expected: object, given: null"], ""
    given = {key: item for key, item in dict(value).items() if item is not None}
    name = given.get("name")
    problems = ["(root): name is required"] if name is None else []
    problems += [f"(root): Additional property {key} is not allowed" for key in given if key != "name"]
    if name is not None and (not isinstance(name, str) or isinstance(name, Number)):
        problems.append(f"name: Invalid type. Expected: string, given: {_kind(name)}")
    return problems, name if isinstance(name, str) else ""


def _kind(value: object) -> str:
    if isinstance(value, Number):
        return "integer" if float(value).is_integer() else "number"
    return {str: "string", bool: "boolean", Pairs: "object", list: "array"}[type(value)]


def answer_2026_02(session: Session, name: str) -> Result:
    """Answer with the whole file as it is now, unchecked."""
    if not name:
        return _error("skill name is required", _log("Skill tool called without name parameter"))
    skill = session.find(name)
    reason = f"skill '{name}' not found"
    if skill is not None:
        try:
            text = whole(skill.directory)
        except OSError as error:
            denied = f"permission denied reading skill '{name}'"
            begin = denied if isinstance(error, PermissionError) else "read skill file error"
            reason = f"{begin}: {go_error(error, skill.directory / FILE_NAME)}"
        except Refusal as refusal:  # ours: since it was loaded, the file has come to exceed a bound
            return Result(None, True, flow_error=refusal.why)
        else:
            logs = _log(f"Skill tool successfully retrieved skill '{name}'")
            return Result(dumps({"content": text} if text else {}), logs=logs)
    return _error(f"Skill '{name}' not found", _log(f"Skill tool failed to get skill '{name}': {reason}"))


def answer_2026_04(session: Session, name: str) -> Result:
    """Answer with body, description and name, as they are in the file now."""
    if not name:
        return _error(f"{_WRAP}skill name is required")
    quoted = go_quoted(name)
    skill = session.find(name)
    if skill is None:
        return _error(f"{_WRAP}get skill {quoted} error: skill {quoted} not found")
    if skill.role == "builtin":
        return Result(_BUILTIN_ANSWER)
    try:
        found = read(skill.directory)
    except OSError as error:
        reason = go_error(error, skill.directory / FILE_NAME)
        message = f"read skill file {go_quoted(str(skill.directory))} error: {reason}"
        return _unreadable(quoted, str(skill.directory), message)
    except Refusal as refusal:
        return _unreadable(quoted, str(skill.directory), refusal.message or refusal.why, refusal.library)
    content = {"content": found["body"]} if found["body"] else {}
    return Result(dumps({**content, "description": found["description"], "name": found["name"]}))


def _unreadable(quoted: str, directory: str, reason: str, library: str | None = None) -> Result:
    message = (
        f"{_WRAP}get skill {quoted} error: read skill {quoted} from {go_quoted(directory)} error: {reason}"
    )
    return Result(dumps({"error": message}), True, library=library and dumps(library)[1:-1])


def _error(message: str, logs: tuple[Log, ...] = ()) -> Result:
    return Result(dumps({"error": message}), True, logs=logs)


def _log(message: str) -> tuple[Log, ...]:
    return (Log("INFO", "", message),)
