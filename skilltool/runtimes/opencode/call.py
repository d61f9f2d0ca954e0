"""What does opencode answer to a call of `skill`?

Source: requests of opencode 1.18.33.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.opencode.settings import TOOL, Settings
from skilltool.runtimes.opencode.state import BUILTIN, state_of
from skilltool.runtimes.values import LoadedSkill, Result
from skilltool.skill.skill_file import FILE_NAME

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
            given = json.loads(arguments) if arguments.strip() else {}
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
        known = {*(each.key for each in session.skills), BUILTIN}
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
    return Result("\n".join(lines), display=f"Loaded skill: {name}")


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
        folders = [each for each in children if each.is_dir(follow_symlinks=False) and each.name != ".git"]
        waiting += [each.path for each in reversed(folders)]


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
