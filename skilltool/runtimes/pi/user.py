"""What does pi send for a text that the user types? `/skill:name` becomes the text of a skill.

Source: `_expandSkillCommand` in `dist/core/agent-session.js` of pi 1.5.2, and records of it.
"""

from __future__ import annotations

from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of
from skilltool.runtimes.pi.manifest import split
from skilltool.runtimes.values import LoadedSkill, Refusal, Sent

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
        raw = bytes_of(skill.extra["file"])
        return None if isinstance(raw, OSError) else trim(split(raw)[1])
    except Refusal:
        return None


def _sent(text: str, carried: str | None = None) -> Sent:
    return Sent(({"role": "user", "content": [{"type": "text", "text": text}]},), carried)
