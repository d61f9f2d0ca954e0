"""What does opencode list, what does it answer to a call of `skill`, and what does a user type?

Source: requests of opencode 1.18.33.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import WHITE_SPACE, integer, replace_all, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text, unmeasured_text
from skilltool.runtimes.opencode.loading import (
    BUILTIN,
    BUILTIN_LOCATION,
    TOOL,
    Settings,
    is_described,
    state_of,
)
from skilltool.runtimes.values import LoadedSkill, Result, Sent
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

_HEADING = (
    "Skills provide specialized instructions and workflows for specific tasks.\n"
    "Use the skill tool to load a skill when a task matches its description.\n"
)
_NONE = "No skills are currently available."
_BUILTIN_TEXT = fixed_text(386, "005957c825ebc1eea571edbdbebcf2f942534659c6321304a456a54b31170648")
_TOOL_TEXT = fixed_text(399, "226f63ce9fd51e51431205c90ef98e53a20ba5af690fdad241eba416db49c339")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"})


def catalog(session: Session) -> str | None:
    """Return the listing at the end of the system message; None where the permissions deny all skills."""
    settings = state_of(session).settings
    if settings.no_tool:
        return None
    listed = [
        (skill.name, skill.description, f"{skill.display_path}/{FILE_NAME}")
        for skill in session.skills
        if is_described(skill)
    ]
    if all(skill.key != BUILTIN for skill in session.skills):
        listed.append((BUILTIN, _BUILTIN_TEXT, BUILTIN_LOCATION))
    allowed = [each for each in listed if settings.action(each[0]) != "deny"]
    entries = [
        f"  <skill>\n    <name>{name}</name>\n    <description>{description}</description>\n"
        f"    <location>{location.translate(_ESCAPES)}</location>\n  </skill>\n"
        for name, description, location in sorted(allowed, key=lambda each: collation_key(each[0]))
    ]
    block = f"<available_skills>\n{''.join(entries)}</available_skills>" if entries else _NONE
    return f"{_HEADING}{block}"


def tool(session: Session) -> dict[str, Any] | None:
    """Return the definition of `skill`, which is the same with any skills; None where all are denied."""
    if state_of(session).settings.no_tool:
        return None
    return {
        "name": TOOL,
        "description": _TOOL_TEXT,
        "parameters": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "name": {"type": "string", "description": "The name of the skill from available_skills"}
            },
            "required": ["name"],
        },
    }


_MOST_FILES = 10
_TOOLS = ("bash", "edit", "glob", "grep", "invalid", "question", "read", TOOL, "task", "todowrite")
_OTHER_TOOLS = ("webfetch", "write")
_REWRITE = ").\nPlease rewrite the input so it satisfies the expected schema."
# Properties of every object of JavaScript, which a look-up by name finds.
_INHERITED = frozenset(
    {
        *("__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__"),
        *("constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString"),
        *("toString", "valueOf"),
    }
)


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call; the same skill can be called again."""
    settings = state_of(session).settings
    if (tool or TOOL).lower() != TOOL or settings.no_tool:
        return _unavailable(tool or TOOL, settings)
    given: Any = arguments
    if isinstance(arguments, str):
        try:
            given = json.loads(arguments, parse_int=integer) if arguments.strip() else {}
        except (ValueError, RecursionError):
            reason = f"JSON parsing failed: Text: {arguments}.\nError message: {_json_problem(arguments)}"
            return _invalid(f"Invalid input for tool {TOOL}: {reason}")
    if problem := _schema_problem(given):
        return _error(
            f"The {TOOL} tool was called with invalid arguments: SchemaError({problem}{_REWRITE}", problem
        )
    name: str = given["name"]
    return _answer(session, settings, name)


def _answer(session: Session, settings: Settings, name: str) -> Result:
    skill = session.find(name)
    if skill is None and name not in (BUILTIN, *_INHERITED):
        known = {*(skill.key for skill in session.skills), BUILTIN}
        available = ", ".join(sorted(known, key=lambda key: key.encode("utf-16-be", "surrogatepass")))
        return _error(f'Skill "{name}" not found. Available skills: {available}')
    if settings.action(name) == "deny":
        rules = json.dumps(settings.relevant, ensure_ascii=False, separators=(",", ":"))
        return _error(
            "The user has specified a rule which prevents you from using this specific tool call. Here are "
            f"some of the relevant rules {rules}"
        )
    if skill is None and name in _INHERITED:
        return _error('The "path" property must be of type string, got undefined')
    directory = "." if skill is None else skill.display_path
    body = unmeasured_text() if skill is None else trim(skill.body)
    files = [] if skill is None else [f"<file>{file}</file>" for file in sampled_files(skill.directory)]
    lines = [
        f'<skill_content name="{name}">',
        f"# Skill: {name}",
        "",
        body,
        "",
        f"Base directory for this skill: {directory}",
        "Relative paths in this skill (e.g., scripts/, reference/) are relative to this base directory.",
        "Note: file list is sampled.",
        "",
        "<skill_files>",
        "\n".join(files),
        "</skill_files>",
        "</skill_content>",
    ]
    return Result(_shortened("\n".join(lines), session.home), display=f"Loaded skill: {name}")


_MOST_LINES, _MOST_BYTES = 2000, 50 * 1024
_ADVICE = (
    "Use the Task tool to have explore agent process this file with Grep and Read (with offset/limit). Do "
    "NOT read the full file yourself - delegate to save context."
)


def _shortened(text: str, home: Path) -> str:
    """Return an answer as it is sent: the first lines of a long one, and where the whole is.

    `<ID>` stands for the name of that file. Source: captures of 1.18.33.
    """
    lines = text.split("\n")
    kept, used, is_full = 0, 0, False
    for number, line in enumerate(lines[:_MOST_LINES]):
        size = len(line.encode("utf-8", "replace")) + (number > 0)
        if used + size > _MOST_BYTES:
            is_full = True
            break
        kept, used = number + 1, used + size
    if kept == len(lines):
        return text
    whole = len(text.encode("utf-8", "replace"))
    left_out = f"{whole - used} bytes" if is_full else f"{len(lines) - kept} lines"
    file = f"{home}/.local/share/opencode/tool-output/tool_<ID>"
    note = f"The tool call succeeded but the output was truncated. Full output saved to: {file}\n{_ADVICE}"
    return "\n".join(lines[:kept]) + f"\n\n...{left_out} truncated...\n\n{note}"


def sampled_files(directory: Path) -> list[str]:
    """Return up to ten files at any depth, without any SKILL.md: which ones, and their order, is chance.

    Here they are the first ones in the order of a walk. Ignore files are not read, which may hide some.
    """
    found: list[str] = []
    for file in _files(directory):
        found.append(file)
        if len(found) == _MOST_FILES:
            break
    return found


def _files(directory: Path) -> Iterator[str]:
    waiting = [str(directory)]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        try:
            with os.scandir(waiting.pop()) as entries:
                children = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        except OSError:
            continue
        for child in children:
            if child.is_file(follow_symlinks=False) and child.name != FILE_NAME:
                yield child.path
        folders = [
            child for child in children if child.is_dir(follow_symlinks=False) and child.name != ".git"
        ]
        waiting += [folder.path for folder in reversed(folders)]


def _schema_problem(given: Any) -> str | None:
    """Return the problem of the arguments, up to the closing bracket of the program's message."""
    if not isinstance(given, dict | Mapping):
        return f"Expected object, got {_shown(given)}"
    if "name" not in given:
        return 'Missing key\n  at ["name"]'
    if not isinstance(given["name"], str):
        return f'Expected string, got {_shown(given["name"])}\n  at ["name"]'
    return None


def _shown(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _json_problem(text: str) -> str:
    """Return what the JSON parser says, as far as that is known."""
    if word := re.match(r"\s*([A-Za-z_$][\w$]*)", text):
        return f'JSON Parse error: Unexpected identifier "{word[1]}"'
    if text.lstrip().startswith(("'", "{'")):
        return "JSON Parse error: Single quotes (') are not allowed in JSON"
    return (
        "JSON Parse error: Expected '}'"
        if text.lstrip().startswith("{")
        else "JSON Parse error: Unexpected EOF"
    )


def _unavailable(tool: str, settings: Settings) -> Result:
    tools = [name for name in (*_TOOLS, *_OTHER_TOOLS) if name != TOOL or not settings.no_tool]
    return _invalid(f"Model tried to call unavailable tool '{tool}'. Available tools: {', '.join(tools)}.")


def _invalid(problem: str) -> Result:
    return _error(f"The arguments provided to the tool are invalid: {problem}", problem)


def _error(text: str, library: str | None = None) -> Result:
    return Result(text, is_error=True, library=library)


def content(session: Session, skill: LoadedSkill) -> str:
    """Return the body, as a call gives it to the model."""
    return trim(skill.body)


_BUILT_IN = ("init", "review")
# Stands for what a command in a body prints, and for the text of the program's own commands.
_OUTPUT, _OWN_TEXT = "{output}", "{builtin}"
_ALL = "$ARGUMENTS"
_WORD = lazy_pattern(
    rf"\[Image[{re.escape(WHITE_SPACE)}]+\d+\]|\"[^\"]*\"|'[^']*'|[^{re.escape(WHITE_SPACE)}\"']+", re.I
)
_QUOTES = lazy_pattern(r"^[\"']|[\"']\Z")
_POSITION = lazy_pattern(r"\$([0-9]+)")
_COMMAND = lazy_pattern(r"!`[^`]+`")
_MOST_DIGITS = 15


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; a command of the settings wins over a skill of its name."""
    if not text.startswith("/"):
        return Sent((_said(text),))
    line, end, rest = text[1:].partition("\n")
    name, _, arguments = line.partition(" ")
    arguments += end + rest if rest else ""
    configured = state_of(session).settings.commands
    skill = session.find(name)
    if name in configured:
        return Sent((_said(filled(configured[name], arguments)),))
    if name in (*_BUILT_IN, BUILTIN) and (skill is None or name in _BUILT_IN):
        return Sent((_said(_OWN_TEXT),))
    if skill is None:
        known = [*_BUILT_IN, *configured, BUILTIN, *(skill.key for skill in session.skills)]
        shown = f'Command not found: "{name}". Available commands: {", ".join(dict.fromkeys(known))}'
        return Sent((), shown=shown)
    sent = filled(template(skill), arguments)
    return Sent((_said(sent),), sent)


def typed(skill: LoadedSkill) -> str:
    """Return what the user types to call a skill; one with a space in its name cannot be called."""
    return f"/{skill.key}"


def template(skill: LoadedSkill) -> str:
    """Return the text of a skill as a command, before arguments are filled in."""
    return (
        f"{skill.body}\n\nBase directory for this skill: {skill.display_path}\n"
        "Relative paths in this skill (e.g., scripts/, references/) are relative to this base directory."
    )


def filled(text: str, arguments: str) -> str:
    """Return a template with the arguments: by position, as a whole, else appended; `{output}` for commands.

    The highest position takes the rest of the words.
    """
    words = [_QUOTES.sub("", word) for word in _WORD.findall(arguments)]
    positions = [_number(digits) for digits in _POSITION.findall(text)]
    highest = max(positions, default=0)
    sent = _POSITION.sub(lambda match: _word(_number(match[1]), highest, words), text)
    sent = replace_all(sent, _ALL, arguments)
    if not positions and _ALL not in text and trim(arguments):
        sent += f"\n\n{arguments}"
    return trim(_COMMAND.sub(_OUTPUT, sent))


def _number(digits: str) -> int:
    """Return a position; one with too many digits is beyond all words in any case."""
    return int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS


def _word(position: int, highest: int, words: list[str]) -> str:
    """Return what stands for a position: they count from 1, and 0 is JavaScript's index -1."""
    if position > len(words):
        return ""
    if position == highest:
        return " ".join(words[position - 1 :])
    return words[position - 1] if position else "undefined"


def _said(text: str) -> Mapping[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}]}
