"""What does Deep Agents send for a message: the text, and the skills that its caller pins?

Source: `before_model` in `deepagents/middleware/skills.py` of deepagents 0.7.32, and requests.
"""

from __future__ import annotations

import html
from typing import Any

from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.manifest import body_of
from skilltool.runtimes.deepagents.sources import backend_of
from skilltool.runtimes.values import LoadedSkill, Refusal, Sent


def user(session: Session, text: str) -> Sent:
    """Return the messages: the text as it is, then one for each skill that the setting `pinned` names."""
    if session.failure is not None:
        return Sent((), shown=session.failure)
    names = dict.fromkeys(map(str, session.settings["pinned"]))
    found = (session.find(name) for name in names)
    pinned = [
        words for skill in found if skill is not None and (words := _pinned(session, skill)) is not None
    ]
    return Sent(tuple(map(message, (text, *pinned))), "\n".join(pinned) if pinned else None)


def message(text: str) -> dict[str, Any]:
    """Return a message of the user that has this text."""
    return {"role": "user", "content": [{"type": "text", "text": text}]}


def _pinned(session: Session, skill: LoadedSkill) -> str | None:
    """Return the message that pins a skill, None for one whose file cannot be read now, or is empty."""
    path = skill.extra["path"]
    try:
        content = backend_of(session).download(path)
        text = content.decode("utf-8") if isinstance(content, bytes) else ""
    except (OSError, UnicodeDecodeError, Refusal):
        return None
    if not text:
        return None
    name, shown = html.escape(skill.name), html.escape(path)
    return f'<skill name="{name}" path="{shown}">\n{body_of(text)}\n</skill>'
