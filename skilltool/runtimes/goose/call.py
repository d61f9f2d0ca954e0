"""What does goose tell its model of skills, and what does it answer to a call of `load_skill`?

Source: `crates/goose/src/skills/client.rs` of block/goose at 0d2074cc and `mod.rs` at 013ab848.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.goose.discovery import NOT_ENTERED
from skilltool.runtimes.loading import is_directory_here, is_file_here, names, read_bytes
from skilltool.runtimes.values import LoadedSkill, Refusal, Result
from skilltool.skill.skill_file import FILE_NAME

_HEADING = (
    "\n\nYou have these skills at your disposal, when it is clear they can help you solve a problem or you "
    "are asked to use them:"
)
_PLACEHOLDER = re.compile(
    r"\$ARGUMENTS\[(?P<index>[0-9]{1,9})\]|\$ARGUMENTS\b|\$(?P<position>[0-9]{1,9})"
    r"|\$(?P<name>[A-Za-z_][A-Za-z0-9_-]*)"
)
_MOST_NAMED, _MOST_SUGGESTED, _MOST_FILES = 10, 3, 2_000


def catalog(session: Session) -> str | None:
    """Return the listing without the program's own skills; None without any."""
    if not session.skills:
        return None
    ordered = sorted(session.skills, key=lambda each: (each.name, each.display_path))
    return _HEADING + "".join(f"\n• {each.name} - {each.description}" for each in ordered)


def tool(session: Session) -> dict[str, Any]:
    """Return the definition of the tool, which is the same with any skills."""
    text = {"type": "string", "description": unmeasured_text()}
    schema = {"type": "object", "required": ["name"], "properties": {"name": text, "args": text}}
    return {"name": "load_skill", "description": unmeasured_text(), "inputSchema": schema}


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call of `load_skill`."""
    if tool not in (None, "load_skill"):
        return Result(f"Unknown tool: {tool}", is_error=True)
    given = _parsed(arguments)
    name, args = given.get("name"), given.get("args")
    if not isinstance(name, str) or not name:
        return Result("Missing required parameter: name", is_error=True)
    if (skill := session.find(name)) is not None:
        try:
            return Result(_loaded(skill, args if isinstance(args, str) else None))
        except ValueError:
            return Result(f"Failed to parse skill arguments: {unmeasured_text()}", is_error=True)
    parent, slash, path = name.partition("/")
    if slash and (skill := session.find(parent)) is not None:
        return _file(skill, name, path.replace("\\", "/"))
    low = name.lower()
    near = [each.key for each in session.skills if low in each.key.lower() or each.key.lower() in low]
    hint = f" Did you mean: {', '.join(near[:_MOST_SUGGESTED])}?" if near else ""
    return Result(f"Skill '{name}' not found.{hint}", is_error=True)


def _parsed(arguments: Mapping[str, Any] | str) -> Mapping[str, Any]:
    if not isinstance(arguments, str):
        return arguments
    try:
        found = json.loads(arguments)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _loaded(skill: LoadedSkill, args: str | None) -> str:
    """Return the text of a skill with its arguments; raises ValueError for a quote that is never closed."""
    body = skill.body if args is None else filled(skill.body, args, skill.extra["arguments"])
    text = f"# Loaded Skill: {skill.name} (skill)\n\n{skill.description}\n\n## Content\n\n{body}\n"
    if not (files := _files(skill)):
        return text
    top = skill.display_path
    name = skill.name
    rows = "".join(f'- {each} → {top}/{each} (load_skill(name: "{name}/{each}"))\n' for each in files)
    return (
        f"{text}\n## Supporting Files\n\nSkill directory: {top}\n\nRelative paths in this skill resolve "
        "from the skill directory. The shell tool runs in the session working directory, so use the resolved "
        f"path below or `cd` into the skill directory before running supporting scripts.\n\n{rows}"
    )


def filled(body: str, args: str, parameters: list[str]) -> str:
    """Return a body with its placeholders replaced; without any, the arguments go to its end.

    `$1` and `$ARGUMENTS[0]` are the first word, a word that is missing is empty, and so is `$0`. Raises
    ValueError for a quote that is never closed.
    """
    words = shlex.split(args)
    found = False

    def value(match: re.Match[str]) -> str:
        nonlocal found
        if match["name"] is not None and match["name"] not in parameters:
            return match[0]
        found = True
        if match["name"] is not None:
            at = parameters.index(match["name"])
        elif match["position"] is not None:
            at = int(match["position"]) - 1
        elif match["index"] is not None:
            at = int(match["index"])
        else:
            return args
        return words[at] if 0 <= at < len(words) else ""

    text = _PLACEHOLDER.sub(value, body)
    return text if found else f"{body}\n\nARGUMENTS: {args}"


def _files(skill: LoadedSkill) -> list[str]:
    """Return the paths of the files of a skill, without skills inside it; goose does not sort them."""
    found: list[str] = []
    visited: set[Path] = set()
    waiting = [(skill.directory, "")]
    while waiting and len(found) < _MOST_FILES:
        directory, prefix = waiting.pop(0)
        if (real := directory.resolve()) in visited:
            continue
        visited.add(real)
        try:
            listed = names(directory)
        except OSError:
            continue
        for name in listed:
            path = directory / name
            if is_directory_here(path) and name not in NOT_ENTERED and not is_file_here(path / FILE_NAME):
                waiting.append((path, f"{prefix}{name}/"))
            elif is_file_here(path) and name != FILE_NAME:
                found.append(f"{prefix}{name}")
    return found


def _file(skill: LoadedSkill, name: str, path: str) -> Result:
    files = _files(skill)
    if path not in files:
        some = ", ".join(files[:_MOST_NAMED])
        text = f"File '{name}' not found. Available: {some}"
        return Result(text if files else f"Skill '{skill.name}' has no supporting files.", is_error=True)
    file = skill.directory / path
    try:
        if not file.resolve().is_relative_to(skill.directory.resolve()):
            return Result(f"Failed to read '{name}': {unmeasured_text()}", is_error=True)
        text = read_bytes(file).decode("utf-8")
    except (OSError, UnicodeDecodeError, Refusal):
        return Result(f"Failed to read '{name}': {unmeasured_text()}", is_error=True)
    return Result(f"# Loaded: {name}\n\n{text}\n\n---\nFile loaded into context.")
