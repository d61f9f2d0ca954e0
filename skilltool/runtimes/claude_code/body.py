"""What text does Claude Code send for a skill: its body with variables and arguments, and files it names?

Commands in a body (`` !`date` ``) are never run here: `OUTPUT` stands for what each would print.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code.arguments import filled
from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.files import in_order
from skilltool.runtimes.claude_code.state import state_of
from skilltool.runtimes.loading import is_directory_here, is_file_here, read_bytes
from skilltool.runtimes.values import Refusal

OUTPUT = "{output}"
SESSION_ID = "{session}"
CONTENT = "{content}"
_DISABLED = "[shell command execution disabled by policy]"
COMMAND = re.compile(r"```!(?P<fence>[^\n`]*\n[\s\S]*?)\n?```|(?:(?<=\s)|(?<![\s\S]))!`(?P<line>[^`\n]+)`")
_MENTION = re.compile(r"(?:(?<=\s)|(?<![\s\S]))@(?:\"(?P<quoted>[^\"\n]+)\"|(?P<plain>[^\s\"]+))")
_CODE = re.compile(
    r"(?P<fence>^```[\s\S]*?(?:^```|\Z))|(?P<ticks>`+)[^`](?:[\s\S]*?[^`])?(?P=ticks)(?!`)", re.MULTILINE
)
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
        values["PLUGIN_DATA"] = str(state.config / "plugins" / "data" / str(entry.plugin))
    for name, value in values.items():
        text = text.replace(f"${{CLAUDE_{name}}}", value)
    return text


def _without_commands(session: Session, text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return text with each command replaced by what stands for its output, and the commands."""
    if "!" not in text:
        return text, ()
    commands: list[tuple[str, str]] = []
    if state_of(session).settings.get("disableSkillShellExecution") is True:
        return COMMAND.sub(_DISABLED, text), ()

    def replaced(match: re.Match[str]) -> str:
        commands.append((match[0], (match["fence"] or match["line"]).strip()))
        return OUTPUT

    return COMMAND.sub(replaced, text), tuple(commands)


def _mentions(session: Session, text: str, inside: Sequence[Path]) -> Iterator[tuple[str, str]]:
    """Yield the call and the result for each file or directory that `@path` names, outside code.

    What is not `inside` one of these directories is not opened: `CONTENT` stands for it. A skill of somebody
    else must not put private files into our output.
    """
    if "@" not in text:
        return
    seen: set[Path] = set()
    for _span, name in mentioned_paths(text):
        path = _mentioned(session, name)
        if path is not None and path not in seen:
            seen.add(path)
            may_open = any(path.resolve().is_relative_to(top.resolve()) for top in inside)
            yield from _listed(path, may_open) if is_directory_here(path) else _read(path, may_open)


def mentioned_paths(text: str) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield where each `@path` outside code stands, and the path, with the sign after it."""
    for match in _MENTION.finditer(_CODE.sub(lambda code: " " * len(code[0]), text)):
        yield match.span(), match["quoted"] or match["plain"]


def _mentioned(session: Session, name: str) -> Path | None:
    """Return the file that a mention names, with or without the sign after it; None if there is none."""
    for candidate in (name, name.rstrip(".,;:!?)]}'")):
        given = session.home / candidate[2:] if candidate.startswith("~/") else Path(candidate)
        path = Path(os.path.abspath(session.project / given))
        try:
            if candidate and (is_file_here(path) or is_directory_here(path)):
                return path
        except (OSError, ValueError):
            continue
    return None


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
