"""What does Claude Code send for a call of its Skill tool, a typed command, and a file that is touched?

Commands in a body (`` !`date` ``) are never run here: `OUTPUT` stands for what each would print.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import bun_yaml
from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import skills
from skilltool.runtimes.claude_code.arguments import defused, words
from skilltool.runtimes.claude_code.listing import touch
from skilltool.runtimes.claude_code.loading import in_order
from skilltool.runtimes.claude_code.settings import BUILTIN, facts
from skilltool.runtimes.claude_code.skills import (
    Entry,
    State,
    find,
    full_name_of,
    model_of,
    model_of_skill,
    nearest,
    rules,
    state_of,
)
from skilltool.runtimes.inline_commands import inline_commands
from skilltool.runtimes.loading import is_directory_here, is_file_here, read_bytes
from skilltool.runtimes.values import LoadedSkill, Log, Permission, Refusal, Result, Sent
from skilltool.text import shell
from skilltool.text.lazy_pattern import lazy_pattern


def filled(body: str, arguments: str | None, parameters: Sequence[str] = ()) -> str:
    """Return a body with its placeholders replaced; arguments that no placeholder takes go to its end.

    `$ARGUMENTS` is the whole text, `$N` and `$ARGUMENTS[N]` are word N from 0, `$name` is the word of a
    parameter. A word that is missing leaves a number as it stands and a name empty. One backslash before a
    placeholder keeps it, and goes.
    """
    given = arguments or ""
    found = words(given)
    changed = False

    def value(match: re.Match[str]) -> str:
        nonlocal changed
        token = match["token"]
        if match["escape"]:
            return token
        if match["name"] is not None:
            number = list(parameters).index(match["name"])
            new: str | None = found[number] if number < len(found) else ""
        elif token == "$ARGUMENTS":
            new = given
        else:
            number = int(match["index"] or match["number"])
            new = found[number] if number < len(found) else None
        changed = changed or new is not None
        return token if new is None else defused(new)

    text = placeholders(tuple(parameters)).sub(value, body)
    return text if changed or not given else f"{text}\n\nARGUMENTS: {defused(given)}"


@lru_cache(maxsize=8)
def placeholders(parameters: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of all placeholders: `token`, of the kind `name`, `index` or `number`, or neither.

    A placeholder with `escape` is not replaced.
    """
    names = "|".join(re.escape(name) for name in parameters if name) or r"(?!)"
    return re.compile(
        rf"(?P<escape>(?<!\\)\\)?(?P<token>\$(?:(?P<name>{names})(?![\[\w])"
        r"|ARGUMENTS\[(?P<index>\d{1,9})\]|ARGUMENTS|(?P<number>\d{1,9})(?!\w)))",
        re.ASCII,
    )


# Variables that every shell has. Whether the program can check them was not tried.
_UNMEASURED = frozenset({"HOME", "PWD", "USER"})
_BASH = lazy_pattern(r"Bash(?:\((?P<pattern>.*)\))?", re.DOTALL)
_REDIRECTION = lazy_pattern(r"\d?>&\d|\d?>\s*/dev/null")


def refusal(state: State, entry: Entry, patterns: Iterable[tuple[str, str]]) -> str | None:
    """Return the answer to a call whose body has a command that asks, None if all run.

    Each of `patterns` is a command as it stands in the body, and the command itself.
    """
    if state.flags.bypasses:
        return None
    granted = [*_granted(state), *entry.allows]
    for pattern, command in patterns:
        if not runs_unasked(command, granted):
            failed = f'Shell command permission check failed for pattern "{pattern}"'
            if unchecked_variable(command) is not None:
                return f"{failed}: A variable in this command can't be checked before it runs"
            return f"{failed}: This command requires approval"
    return None


def _granted(state: State) -> list[str]:
    """Return the rules that allow tools: of the settings, the flags, and the skills that were called."""
    return [*rules(state, "allow", state.flags.allowed), *state.granted]


def runs_unasked(command: str, granted: Iterable[str]) -> bool:
    """Return whether a command runs without asking, with these rules that allow tools."""
    if any(_grants(rule, command) for rule in granted):
        return True
    return is_read_only(command) and unchecked_variable(command) is None


def unchecked_variable(command: str) -> str | None:
    """Return the first variable of a command for which the program refuses to run it; None if there is none.

    A variable in single quotes is none; nor are those that the command itself sets, and `_UNMEASURED`.
    """
    if "$" not in command:
        return None
    script = shell.read(command)
    own = {each.name for part in script.commands for each in part.assignments} | _UNMEASURED
    return next((each.name for each in script.variables if each.name not in own), None)


def _grants(rule: str, command: str) -> bool:
    """Return whether a rule such as `Bash(git *)` or `Bash(git:*)` covers a command."""
    match = _BASH.fullmatch(rule)
    if match is None:
        return False
    pattern = match["pattern"]
    if pattern in (None, "", "*", ":*"):
        return True
    if pattern.endswith(":*"):
        return command.startswith(pattern[:-2])
    parts = (re.escape(part) for part in pattern.split("*"))
    return re.fullmatch("[\\s\\S]*".join(parts), command) is not None


def is_read_only(command: str) -> bool:
    """Return whether every part of a command is one that is known to run without asking."""
    text = _REDIRECTION.sub(" ", command)
    if any(sign in text for sign in ("`", "$(", ">", "<")):
        return False
    return all(_only_reads(part) for part in _parts(text))


def _only_reads(words: list[str]) -> bool:
    data = facts()["read_only"]
    return bool(words) and (
        words[0] in data["commands"] or tuple(words[:2]) in map(tuple, data["subcommands"])
    )


def _parts(text: str) -> Iterator[list[str]]:
    """Yield the words of each simple command; one without words if it is not readable."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";|&\n")
    lexer.whitespace = " \t\r"
    lexer.commenters = ""
    words: list[str] = []
    try:
        for word in lexer:
            if set(word) <= set(";|&\n"):
                yield words
                words = []
            else:
                words.append(word)
    except ValueError:  # a quote that is never closed
        yield []
        return
    if words:
        yield words


OUTPUT = "{output}"
SESSION_ID = "{session}"
CONTENT = "{content}"
_DISABLED = "[shell command execution disabled by policy]"
_MENTION = lazy_pattern(r"(?:(?<=\s)|(?<![\s\S]))@(?:\"(?P<quoted>[^\"\n]+)\"|(?P<plain>[^\s\"]+))")
# What names no file: `@/`, `@.`, `@../`, `@~/` and `@//x`. Source: captures of 2.1.329.
_NO_NAME = lazy_pattern(r"~?[./]*|//.*")
# What a mention is not read in: a code span. A fence does not hide one.
_SPAN = lazy_pattern(r"(?<!`)(?P<ticks>`{1,2})[^`](?:[\s\S]*?[^`])?(?P=ticks)(?!`)")
_REMINDER = "<system-reminder>\n{}\n</system-reminder>"


class Text(NamedTuple):
    """What is sent for a skill: its text, the commands that would be run for it, and the files it names.

    Each command is given as it stands in the body, and by itself. Each file is the text of two reminders: the
    call of a tool, and its result.
    """

    text: str
    commands: tuple[tuple[str, str], ...]
    files: tuple[tuple[str, str], ...]


def text_of(session: Session, entry: Entry, arguments: str | None) -> Text:
    """Return what is sent for a skill that is called with these arguments."""
    body = with_variables(session, entry, filled(entry.body, arguments, entry.parameters))
    text, commands = _without_commands(session, body)
    if entry.directory is not None:
        text = f"Base directory for this skill: {entry.directory}\n\n{text}"
    inside = [path for path in (session.project, entry.directory, entry.plugin_root) if path is not None]
    return Text(text, commands, tuple(_mentions(session, body, inside)))


def with_variables(session: Session, entry: Entry, text: str) -> str:
    """Return text with `${CLAUDE_...}` replaced; those of plugins only in a plugin's skill."""
    if "${CLAUDE_" not in text:
        return text
    state = state_of(session)
    values = {
        "SESSION_ID": state.flags.session_id or SESSION_ID,
        "PROJECT_DIR": str(session.project),
        "EFFORT": state.flags.effort or str(state.settings.get("effortLevel", "medium")),
    }
    if entry.directory is not None:
        values["SKILL_DIR"] = str(entry.directory)
    if entry.plugin_root is not None:
        values["PLUGIN_ROOT"] = str(entry.plugin_root)
        values["PLUGIN_DATA"] = str(state.config / "plugins" / "data" / str(entry.plugin_data))
    for name, value in values.items():
        text = text.replace(f"${{CLAUDE_{name}}}", value)
    return text


_FILLED = lazy_pattern(
    r"\$\{CLAUDE_(?:SESSION_ID|PROJECT_DIR|EFFORT|SKILL_DIR|(?P<plugin>PLUGIN_(?:ROOT|DATA)))\}"
)


def without_variables(text: str, in_plugin: bool) -> str:
    """Return text without the `${CLAUDE_...}` that `with_variables` replaces, whatever their values are."""
    return _FILLED.sub(lambda match: match[0] if match["plugin"] and not in_plugin else "x", text)


def _without_commands(session: Session, text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return text with each command replaced by what stands for its output, and the commands."""
    if "!" not in text:
        return text, ()
    disabled = state_of(session).settings.get("disableSkillShellExecution") is True
    commands: list[tuple[str, str]] = []
    parts: list[str] = []
    end = 0
    for match in inline_commands(text):
        parts += text[end : match.start()], _DISABLED if disabled else OUTPUT
        commands.append((match[0], (match["fence"] or match["line"]).strip()))
        end = match.end()
    return "".join((*parts, text[end:])), () if disabled else tuple(commands)


def _mentions(session: Session, text: str, inside: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield the call and the result for each file or directory that `@path` names, outside code spans.

    What is not `inside` one of these directories is not opened: `CONTENT` stands for it. A skill of somebody
    else must not put private files into our output.
    """
    if "@" not in text:
        return
    seen: set[str] = set()
    for _span, name in mentioned_paths(text):
        path, written = _mentioned(session, name)
        if path is not None and written not in seen:
            seen.add(written)
            may_open = any(path.resolve().is_relative_to(top.resolve()) for top in inside)
            yield from _listed(path, may_open) if is_directory_here(path) else _read(path, may_open)


def mentioned_paths(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield where each `@path` outside code spans stands, and the path, with the sign after it."""
    for match in _MENTION.finditer(_SPAN.sub(lambda code: " " * len(code[0]), text)):
        name = match["quoted"] or match["plain"]
        if _NO_NAME.fullmatch(name.rstrip(",;:!?)]}'")) is None:
            yield match.span(), name


def _mentioned(session: Session, name: str) -> tuple[Path | None, str]:
    """Return the file that a mention names, with or without the sign after it, and its name; or None."""
    for candidate in (name, name.rstrip(".,;:!?)]}'")):
        given = session.home / candidate[2:] if candidate.startswith("~/") else Path(candidate)
        path = Path(os.path.abspath(session.project / given))
        try:
            if candidate and (is_file_here(path) or is_directory_here(path)):
                return path, candidate
        except (OSError, ValueError):
            continue
    return None, name


def _read(path: Path, may_open: bool) -> Iterator[tuple[str, str]]:
    try:
        text = numbered(read_bytes(path).decode("utf-8", "replace")) if may_open else CONTENT
    except (OSError, Refusal):
        return
    call = json.dumps({"file_path": str(path)}, ensure_ascii=False, separators=(",", ":"))
    yield (
        _REMINDER.format(f"Called the Read tool with the following input: {call}"),
        _REMINDER.format(f"Result of calling the Read tool:\n{text}"),
    )


def _listed(path: Path, may_open: bool) -> Iterator[tuple[str, str]]:
    call = {"command": f"ls {path}", "description": f"Lists files in {path}"}
    names = [name for name in sorted(in_order(path)) if not name.startswith(".")] if may_open else [CONTENT]
    text = json.dumps(call, ensure_ascii=False, separators=(",", ":"))
    yield (
        _REMINDER.format(f"Called the Bash tool with the following input: {text}"),
        _REMINDER.format("Result of calling the Bash tool:\n" + "\n".join(names)),
    )


def numbered(text: str) -> str:
    """Return the lines of a file as the Read tool shows them: number, tab, line."""
    return "\n".join(f"{number}\t{line}" for number, line in enumerate(text.split("\n"), start=1))


ANSWER = "{answer}"
_TYPES = {bool: "boolean", int: "number", float: "number", list: "array", dict: "object", type(None): "null"}
_NO_TOOL = (
    "Error: No such tool available: Skill. Skill is disabled for this session, in subagents as well as here."
)
_TOUCHING = frozenset({"Read", "Write", "Edit"})
_WRITING = frozenset({"Write", "Edit"})
_SEQUENCE = lazy_pattern(r"&&|\|\||[;|&\n]")


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call of the Skill tool, or of a tool that touches a file; a session remembers both."""
    given = _parsed(arguments)
    if tool in (None, "Skill"):
        return _skill(session, given)
    if problem := _forbidden(session, str(tool), given):
        return _error(problem)
    return _touched(session, str(tool), given) if tool in _TOUCHING else _result(OUTPUT)


def _forbidden(session: Session, tool: str, given: Mapping[str, Any]) -> str | None:
    """Return the answer to a call of another tool that is denied, or that nobody has allowed."""
    state = state_of(session)
    if tool in state.refused:
        return f"Permission to use {tool} has been denied."
    if tool == "Bash":
        return _forbidden_command(state, str(given.get("command", "")))
    allowed = state.flags.bypasses or state.flags.permission_mode == "acceptEdits"
    if tool not in _WRITING or allowed or not {tool, *_WRITING}.isdisjoint(_granted(state)):
        return None
    file = session.project / str(given.get("file_path", ""))
    return f"Claude requested permissions to write to {file}, but you haven't granted it yet."


def _forbidden_command(state: State, command: str) -> str | None:
    if any(_grants(rule, command) for rule in state.refused):
        return f"Permission to use Bash with command {command} has been denied."
    if state.flags.bypasses:
        return None
    parts = [part.strip() for part in _SEQUENCE.split(command)]
    asking = [part for part in parts if not runs_unasked(part, _granted(state))]
    if not asking:
        return None
    if len(parts) == 1:
        return "This command requires approval"
    several = (
        f"s require approval: {', '.join(asking)}" if len(asking) > 1 else f" requires approval: {asking[0]}"
    )
    return f"This Bash command contains multiple operations. The following part{several}"


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
    if skills.skill_tool_denied(state):
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
        if key := full_name_of(name, state.entries):
            return _use_error(f"Unknown skill: {name}. Did you mean {key}? Invoke it by that full name.")
        near = nearest(name, state.entries, facts()["commands"]["called"])
        return _use_error(f"Unknown skill: {name}" + (f". Did you mean {near}?" if near else ""))
    if problem := _not_for_model(state, entry, name):
        return _use_error(problem)
    if skills.denied(state, entry, name):
        return _error("Skill execution blocked by permission rules")
    if not skills.allowed(state, entry, name):
        refused = _error(
            f"Execute skill: {name}. The user can add the allow rule Skill({name}) to "
            ".claude/settings.local.json to let it run without asking."
        )
        how = f"(in print mode, `claude -p`, for example by the allow rule `Skill({name})`)"
        launched = partial(_launched, session, entry, name, arguments)
        return refused._replace(permission=Permission(how, launched))
    return _launched(session, entry, name, arguments)


def _of_the_program(state: State, name: str) -> Result | None:
    """Return the answer to a call of one of the program's own skills or commands, None for another name."""
    data = facts()
    bundled = [*data["bundled"]["skills"], *data["bundled"]["commands"]]
    if name in bundled and state.settings.get("disableBundledSkills") is not True:
        return _result(f"Launching skill: {name}", [BUILTIN])
    kind = data["commands"]["called"].get(name)
    if kind is None:
        return None
    if kind == "bundled":
        by = "the disableBundledSkills setting or CLAUDE_CODE_DISABLE_BUNDLED_SKILLS env var"
        return _use_error(f"Skill {name} is disabled for model invocation by {by}")
    if kind == "user":
        return _use_error(_for_user_only(name))
    what = {"ui": "a UI command", "cli": "a built-in CLI command"}[kind]
    advice = f"Ask the user to run /{name} themselves — it cannot be invoked via the Skill tool."
    return _use_error(f"{name} is {what}, not a skill. {advice}")


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
        return _for_user_only(name)
    if state.override(entry) in ("off", "user-invocable-only"):
        return f"Skill {name} is disabled for model invocation in skillOverrides settings"
    return None


def _for_user_only(name: str) -> str:
    return (
        f"Skill {name} cannot be used with Skill tool due to disable-model-invocation. Ask the user to "
        f"run /{name} themselves — it cannot be invoked via the Skill tool. Do not replicate this "
        "skill's workflow by other means — it is reserved for explicit user invocation."
    )


def _launched(session: Session, entry: Entry, name: str, arguments: str | None) -> Result:
    """Return the result of a call that runs, and remember the text."""
    state = state_of(session)
    found = text_of(session, entry, arguments)
    if refused := refusal(state, entry, found.commands):
        return _error(refused)
    logs = tuple(_told(entry))
    metadata = {"skill": entry.key, "commands": [command for _, command in found.commands]}
    if entry.fork:
        fork = f'Skill "{name}" completed (forked execution).\n\nResult:\n{ANSWER}'
        model = model_of_skill(entry.model, model_of(state))
        forked = {"text": found.text, "agent": entry.agent, "model": model}
        return _result(fork)._replace(metadata={**metadata, "fork": forked}, logs=logs)
    _permit(state, entry)
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
    return _result(f"Launching skill: {name}", blocks)._replace(metadata=metadata, logs=logs)


def _permit(state: State, entry: Entry) -> None:
    """Remember which tools a skill allows and denies from its call on."""
    state.granted += entry.allows
    state.refused += entry.denies


def _told(entry: Entry) -> Iterator[Log]:
    """Yield what is logged when a skill is called: about its hooks and its effort."""
    yield from entry.hooks.logs(entry.key)
    effort = entry.read_as.fields.get("effort")
    names = facts()["effort"]["names"]
    if (
        effort is not None
        and not isinstance(effort, int | float)
        and bun_yaml.text_of(effort).lower() not in names
    ):
        options = f"{', '.join(names)} or an integer"
        text = f"Skill {entry.key} has invalid effort '{bun_yaml.text_of(effort)}'. Valid options: {options}"
        yield Log("DEBUG", "", text)


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
            answer = numbered(read_bytes(file).decode("utf-8", "replace"))
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


_COMMAND = lazy_pattern(r"/(?P<name>\S+)(?:\s+(?P<arguments>[\s\S]*))?")
_IN_TEXT = lazy_pattern(r"(?<!\S)/(?P<name>\S+)")
_ADVICE = (
    "Treat the message as a plain request and do the task with the tools you have. If the task needs that "
    "command, tell the user it is not installed in this session. The user can add it as an organization "
    "plugin or a project skill. Do not give installation steps you are not sure of. Do not say the command "
    "ran."
)


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; a session remembers the skills that it runs or names."""
    state = state_of(session)
    model = model_of(state)
    match = _COMMAND.fullmatch(text)
    if match is None:
        _remember_names(state, text)
        return _sent(model, [text])
    name, arguments = match["name"], trim(match["arguments"] or "")
    entry = find(state.entries, name)
    if entry is None and name in facts()["commands"]["names"]:
        return Sent((), shown=BUILTIN, model=model)
    if entry is None:
        known = bool(re.fullmatch(r"[A-Za-z0-9:_-]+", name)) or not name.isascii()
        return _sent(model, [_unknown(state, name), text] if known else [text])
    if state.override(entry) == "off":
        remedy = "Remove the override from your settings to run it."
        shown = f'Skill "{name}" is disabled via skillOverrides. {remedy}'
        return Sent((), shown=shown, model=model)
    if not entry.for_user:
        shown = (
            "This skill can only be invoked by Claude, not directly by users. Ask Claude to use the "
            f'"{name}" skill for you.'
        )
        return Sent((), shown=shown, model=model)
    return _run(session, state, entry, arguments)


def _run(session: Session, state: State, entry: Entry, arguments: str) -> Sent:
    """Return what is sent for a skill: files it names, the command, and its text; or a request of its own."""
    found = text_of(session, entry, arguments)
    model = model_of_skill(entry.model, model_of(state))
    if refused := refusal(state, entry, found.commands):
        return Sent((), shown=refused, model=model)
    _permit(state, entry)
    logs = tuple(_told(entry))
    if entry.fork:
        return _sent(model, [found.text], found.text)._replace(logs=logs)
    given = f"<command-args>{arguments}</command-args>\n" if arguments else ""
    command = (
        f"<command-message>{entry.key}</command-message>\n<command-name>/{entry.key}</command-name>\n{given}"
    )
    state.rendered[entry.key] = found.text
    state.named.add(entry.key)
    parts = [command, found.text]
    messages = [part for file in found.files for part in file]
    if messages:
        last = [messages[-1], *parts]
        sent = (*(_message([part]) for part in messages[:-1]), _message(last))
        return Sent(sent, found.text, model=model, logs=logs)
    return _sent(model, parts, found.text)._replace(logs=logs)


def _unknown(state: State, name: str) -> str:
    """Return the reminder for a command that does not exist: with the nearest one, and those there are."""
    data = facts()["commands"]
    ours = [entry for entry in state.entries if entry.for_user and state.override(entry) != "off"]
    shown = [entry for entry in ours if entry.for_model and not re.search(r"\s", _shown(entry))]
    near = nearest(name, ours, data["shown"])
    closest = f" The closest available command is /{near}. Ask the user before running it." if near else ""
    names = ", ".join(f"/{each}" for each in (*map(_shown, shown), *data["shown"]))
    more = data["not_shown"] + len(ours) - len(shown)
    return (
        f"<system-reminder>\nThe user's message starts with the slash command /{name}, but no command "
        f"with that name is available in this session, so it did not run.{closest} Slash commands available "
        f"in this session: {names}, and {more} more. {_ADVICE}\n</system-reminder>"
    )


def _shown(entry: Entry) -> str:
    """Return the name that the user sees: that of the frontmatter, else the key."""
    return entry.alias or entry.key


def _remember_names(state: State, text: str) -> None:
    """Note the skills that a text names as `/x`: the model may call them even if they are disabled for it."""
    for match in _IN_TEXT.finditer(text):
        if (entry := find(state.entries, match["name"].rstrip(".,;:!?)"))) is not None:
            state.named.add(entry.key)


def _sent(model: str, parts: list[str], text: str | None = None) -> Sent:
    return Sent((_message(parts),), text, model=model)


def _message(parts: list[str]) -> Mapping[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": part} for part in parts]}
