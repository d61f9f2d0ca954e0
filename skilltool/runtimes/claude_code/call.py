"""What does Claude Code answer to a call of its Skill tool, or of Read and Write, which load skills?"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import body, permissions, shell
from skilltool.runtimes.claude_code.data import BUILTIN, facts
from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.names import find, nearest
from skilltool.runtimes.claude_code.state import State, state_of
from skilltool.runtimes.claude_code.touching import touch
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.loading import read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal, Result

ANSWER = "{answer}"
_TYPES = {bool: "boolean", int: "number", float: "number", list: "array", dict: "object", type(None): "null"}
_NO_TOOL = (
    "Error: No such tool available: Skill. Skill is disabled for this session, in subagents as well as here."
)
_TOUCHING = frozenset({"Read", "Write", "Edit"})


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call of the Skill tool, or of a tool that touches a file; a session remembers both."""
    given = _parsed(arguments)
    if tool in (None, "Skill"):
        return _skill(session, given)
    if tool in _TOUCHING:
        return _touched(session, str(tool), given)
    return _result(body.OUTPUT)


def _parsed(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments
    try:
        found = json.loads(arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _skill(session: Session, given: Mapping[str, Any]) -> Result:
    state = state_of(session)
    if permissions.skill_tool_denied(state):
        return _error(f"<tool_use_error>{_NO_TOOL}</tool_use_error>")
    if problem := _invalid(given):
        return _use_error(f"InputValidationError: Skill failed due to the following issue:\n{problem}")
    raw, arguments = str(given["skill"]), given.get("args")
    name = trim(raw)
    if not name:
        return _use_error(f"Invalid skill format: {raw}")
    name = name.removeprefix("/")
    entry = find(state.entries, name)
    if entry is None and (own := _of_the_program(state, name)):
        return own
    if entry is None:
        near = nearest(name, [*state.entries])
        return _use_error(f"Unknown skill: {name}" + (f". Did you mean {near}?" if near else ""))
    if problem := _not_for_model(state, entry, name):
        return _use_error(problem)
    if permissions.denied(state, entry, name):
        return _error("Skill execution blocked by permission rules")
    if not permissions.allowed(state, entry, name):
        return _error(
            f"Execute skill: {name}. The user can add the allow rule Skill({name}) to "
            ".claude/settings.local.json to let it run without asking."
        )
    return _launched(session, entry, name, arguments)


def _of_the_program(state: State, name: str) -> Result | None:
    """Return the answer to a call of one of the program's own skills or commands, None for another name."""
    data = facts()
    bundled = [*data["bundled"]["skills"], *data["bundled"]["commands"]]
    if name in bundled and state.settings.get("disableBundledSkills") is not True:
        return _result(f"Launching skill: {name}", [BUILTIN])
    if name in data["commands"]["names"]:
        return _use_error(f"{name} is a built-in CLI command, not a skill. {unmeasured_text()}")
    return None


def _invalid(given: Mapping[str, Any]) -> str | None:
    """Return what is wrong with the input, by the tool's schema."""
    issues = []
    for name, required in (("skill", True), ("args", False)):
        if name not in given:
            issues += [f"The required parameter `{name}` is missing"] if required else []
        elif not isinstance(given[name], str):
            kind = _TYPES[type(given[name])]
            issues.append(f"The parameter `{name}` type is expected as `string` but provided as `{kind}`")
    return "\n".join(issues) or None


def _not_for_model(state: State, entry: Entry, name: str) -> str | None:
    if not entry.for_model and entry.key not in state.named:
        return (
            f"Skill {name} cannot be used with Skill tool due to disable-model-invocation. Ask the user to "
            f"run /{name} themselves — it cannot be invoked via the Skill tool. Do not replicate this "
            "skill's workflow by other means — it is reserved for explicit user invocation."
        )
    if state.override(entry) in ("off", "user-invocable-only"):
        return f"Skill {name} is disabled for model invocation in skillOverrides settings"
    return None


def _launched(session: Session, entry: Entry, name: str, arguments: str | None) -> Result:
    """Return the result of a call that runs, and remember the text."""
    state = state_of(session)
    found = body.text_of(session, entry, arguments)
    if refused := shell.refusal(state, entry, found.commands):
        return _error(refused)
    metadata = {"skill": entry.key, "commands": [command for _, command in found.commands]}
    if entry.fork:
        fork = f'Skill "{name}" completed (forked execution).\n\nResult:\n{ANSWER}'
        return _result(fork)._replace(
            metadata={**metadata, "fork": {"text": found.text, "agent": entry.agent}}
        )
    if state.rendered.get(entry.key) == found.text:
        again = f" Arguments: {arguments}" if arguments else ""
        blocks = [f"Skill /{name} is already loaded above; instructions unchanged.{again}"]
    else:
        blocks = [each for file in found.files for each in file]
        if entry.key in state.rendered:
            blocks.append(
                f"(Re-invocation of /{name} — the skill instructions were previously loaded; the arguments "
                "or dynamic output below are new.)"
            )
        blocks += [found.text, *_variants(state, entry, name)]
    state.rendered[entry.key] = found.text
    return _result(f"Launching skill: {name}", blocks)._replace(metadata=metadata)


def _variants(state: State, entry: Entry, name: str) -> list[str]:
    """Return the reminder about nested skills of the same name, if there are any."""
    scoped = state.scoped.get(entry.key, ())
    if not scoped:
        return []
    listed = "\n".join(f"- `{each.key}` — for files under {each.scope}/" for each in scoped)
    return [
        f'<system-reminder>\nDirectory-scoped variants of the "{name}" skill exist in this repo:\n{listed}\n'
        "The bare name always resolves to this unscoped skill; the variants are reachable only by their "
        "exact qualified names. If the files you are working on are under a variant's directory, invoke that "
        "variant now with the Skill tool and follow it instead — it carries that subtree's own "
        "instructions. If your changes span more than one variant's directory, run each matching "
        "variant.\n</system-reminder>"
    ]


def _touched(session: Session, tool: str, given: Mapping[str, Any]) -> Result:
    """Answer a call of a file tool; nothing is written."""
    file = session.project / str(given.get("file_path", ""))
    if tool == "Read":
        try:
            answer = body.numbered(read_bytes(file).decode("utf-8", "replace"))
        except (OSError, Refusal):
            return _error("<tool_use_error>File does not exist.</tool_use_error>")
    else:
        kept = "(file state is current in your context — no need to Read it back)"
        answer = f"File created successfully at: {file} {kept}"
    told = touch(session, file)
    system = [{"role": "system", "content": [_block(told)]}] if told else []
    result = _result(answer)
    return result._replace(messages=(*result.messages, *system))


def _use_error(message: str) -> Result:
    return _error(f"<tool_use_error>{message}</tool_use_error>")


def _error(message: str) -> Result:
    answer = {"type": "tool_result", "content": message, "is_error": True}
    return Result(message, True, message, messages=({"role": "user", "content": [answer]},))


def _result(answer: str, blocks: Sequence[str] = ()) -> Result:
    """Return a result: the answer to the call, then text blocks, each but the last with a line end."""
    texts = [f"{block}\n" for block in blocks[:-1]] + [*blocks[-1:]]
    content = [{"type": "tool_result", "content": answer}, *map(_block, texts)]
    return Result("".join(texts) or answer, display=answer, messages=({"role": "user", "content": content},))


def _block(text: str) -> dict[str, str]:
    return {"type": "text", "text": text}


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body of a skill as it is before arguments and variables are put in."""
    return skill.body
