"""What does pi tell the model about skills, what does it read of one, and what does a user type?

Source: `formatSkillsForPrompt` in `dist/core/skills.js`, and `dist/core/tools/read.js`, of pi 1.5.2;
`_expandSkillCommand` in `dist/core/agent-session.js` of pi 1.5.2, and records of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skilltool.emulation.javascript import node_words, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import bytes_of, read_bytes
from skilltool.runtimes.pi import loading
from skilltool.runtimes.pi.loading import Details, split
from skilltool.runtimes.values import LoadedSkill, Refusal, Result, Sent

_MOST_LINES, _MOST_BYTES = 2000, 50 * 1024
_MOST_SHOWN = "50.0KB"
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_READERS = {"read": "the read tool", "bash": "bash"}
_ABOUT_READ = (303, "b15dd29794ef5562ddee30a6282387ee7b40b9806c10ae2616daf75514ddc1f6")


def catalog(session: Session) -> str | None:
    """Return the block of the system prompt; None without a skill to show, or a tool to read it with."""
    reader = loading.parsed(session.settings["flags"]).reader
    shown = [entry for skill in session.skills if (entry := _entry(skill))]
    if reader is None or not shown:
        return None
    return (
        "<skills>\nThe following skills provide specialized instructions for specific tasks.\n"
        f"Use {_READERS[reader]} to load a skill's file when the task matches its description.\n"
        "Resolve relative paths against the skill's directory (parent of SKILL.md). Use absolute paths in "
        f"tool calls.\n\n<available_skills>\n{''.join(shown)}</available_skills>\n</skills>"
    )


def _entry(skill: LoadedSkill) -> str:
    if skill.known_as(Details).hidden:
        return ""
    name, text, file = (
        each.translate(_ESCAPES) for each in (skill.name, skill.description, skill.display_path)
    )
    return (
        f"  <skill>\n    <name>{name}</name>\n    <description>{text}</description>\n"
        f"    <location>{file}</location>\n  </skill>\n"
    )


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill; None for one that is hidden from the model."""
    return None if skill.known_as(Details).hidden else skill.description


def read_tool() -> dict[str, Any]:
    """Return the definition of the tool `read`, which loads a skill like any other file."""
    return {
        "name": "read",
        "description": fixed_text(*_ABOUT_READ),
        "parameters": {
            "type": "object",
            "required": ["path"],
            "properties": {
                "path": {"type": "string", "description": "Path to the file to read (relative or absolute)"},
                "offset": {"type": "number", "description": "Line number to start reading from (1-indexed)"},
                "limit": {"type": "number", "description": "Maximum number of lines to read"},
            },
        },
    }


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return what the model reads at the listed location; None if it cannot be read now."""
    file = skill.path
    try:
        raw = read_bytes(file)
    except (OSError, Refusal):
        return None
    return _shown(raw.decode("utf-8", "replace"), str(file), 1, None)


def call(session: Session, arguments: Mapping[str, Any] | str, tool: str | None) -> Result:
    """Answer a call of `read`; the file is one that the project, or a skill, has."""
    given = arguments if isinstance(arguments, Mapping) else {}
    named = str(given.get("path", ""))
    file = session.project / named
    try:
        raw = bytes_of(file)
    except Refusal as refusal:
        return Result(None, True, flow_error=refusal.why)
    if isinstance(raw, OSError):
        words = node_words(raw, "access", file)
        return Result(words, True, words)
    offset, limit = given.get("offset"), given.get("limit")
    text = _shown(
        raw.decode("utf-8", "replace"),
        named,
        offset if isinstance(offset, int) else 1,
        limit if isinstance(limit, int) else None,
    )
    return Result(text, display=text)


def _shown(text: str, path: str, offset: int, limit: int | None) -> str:
    """Return the lines of a text from the 1-based `offset` on: at most 2,000, and 50 KB."""
    lines, start = text.split("\n"), max(offset - 1, 0)
    if start >= len(lines):
        return f"Offset {offset} is beyond end of file ({len(lines)} lines total)"
    wanted = lines[start : None if limit is None else start + max(limit, 0)]
    counted = wanted[:-1] if len(wanted) > 1 and not wanted[-1] else wanted
    kept = _fitting(counted)
    if not kept and counted:
        size = len(counted[0].encode("utf-8", "replace")) / 1024
        shown = f"{size:.1f}KB" if size < 1024 else f"{size / 1024:.1f}MB"
        fallback = f"sed -n '{start + 1}p' {path} | head -c {_MOST_BYTES}"
        return f"[Line {start + 1} is {shown}, exceeds {_MOST_SHOWN} limit. Use bash: {fallback}]"
    if len(kept) < len(counted):
        end = start + len(kept)
        why = "" if len(kept) == _MOST_LINES else f" ({_MOST_SHOWN} limit)"
        more = f"[Showing lines {start + 1}-{end} of {len(lines)}{why}. Use offset={end + 1} to continue.]"
        return "\n".join(kept) + f"\n\n{more}"
    found = "\n".join(wanted)
    rest = len(lines) - start - len(wanted)
    if limit is None or rest <= 0:
        return found
    return f"{found}\n\n[{rest} more lines in file. Use offset={start + len(wanted) + 1} to continue.]"


def _fitting(lines: list[str]) -> list[str]:
    """Return the first lines that fit: whole ones only."""
    used = 0
    for number, line in enumerate(lines[:_MOST_LINES]):
        used += len(line.encode("utf-8", "replace")) + (number > 0)
        if used > _MOST_BYTES:
            return lines[:number]
    return lines[:_MOST_LINES]


_COMMAND = "/skill:"


def typed(skill: LoadedSkill) -> str:
    """Return what the user types to call a skill."""
    return f"{_COMMAND}{skill.key}"


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; the file of a skill is read at that moment."""
    name, _, arguments = text.removeprefix(_COMMAND).partition(" ")
    skill = session.find(name) if text.startswith(_COMMAND) else None
    body = None if skill is None else _body(skill)
    if skill is None or body is None:
        return _sent(text)
    given = trim(arguments)
    block = (
        f'<skill name="{skill.name}" location="{skill.display_path}">\n'
        f"References are relative to {skill.directory}.\n\n{body}\n</skill>"
    )
    return _sent(f"{block}\n\n{given}" if given else block, block)


def _body(skill: LoadedSkill) -> str | None:
    """Return the body of a skill's file as it is now; None if it cannot be read."""
    try:
        raw = bytes_of(skill.path)
        return None if isinstance(raw, OSError) else trim(split(raw)[1])
    except Refusal:
        return None


def _sent(text: str, carried: str | None = None) -> Sent:
    return Sent(({"role": "user", "content": [{"type": "text", "text": text}]},), carried)
