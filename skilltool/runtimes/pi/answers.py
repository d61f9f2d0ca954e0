"""What does pi tell the model about skills, what does it read of one, and what does a user type?

Source: `formatSkillsForPrompt` in `dist/core/skills.js` of pi 1.5.2; `_expandSkillCommand` in
`dist/core/agent-session.js`, and records of it. What is sent has no half of a character.
"""

from __future__ import annotations

from skilltool.emulation.javascript import trim, without_halves
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of, read_bytes
from skilltool.runtimes.pi import loading, read_tool
from skilltool.runtimes.pi.loading import Details, split
from skilltool.runtimes.values import LoadedSkill, Refusal, Sent

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;"})
_READERS = {"read": "the read tool", "bash": "bash"}


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
        without_halves(each.translate(_ESCAPES))
        for each in (skill.name, skill.description, skill.display_path)
    )
    return (
        f"  <skill>\n    <name>{name}</name>\n    <description>{text}</description>\n"
        f"    <location>{file}</location>\n  </skill>\n"
    )


def summary(skill: LoadedSkill) -> str | None:
    """Return what the listing shows of a skill; None for one that is hidden from the model."""
    return None if skill.known_as(Details).hidden else without_halves(skill.description)


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return what the model reads at the listed location; None if it cannot be read now."""
    file = skill.path
    try:
        raw = read_bytes(file)
    except (OSError, Refusal):
        return None
    return read_tool.sent(read_tool.shown(raw.decode("utf-8", "replace"), str(file)))


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
    text, carried = without_halves(text), None if carried is None else without_halves(carried)
    return Sent(({"role": "user", "content": [{"type": "text", "text": text}]},), carried)
