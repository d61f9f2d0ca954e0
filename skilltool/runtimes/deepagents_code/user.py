"""What does Deep Agents Code send for `--skill NAME`, or for `/skill:NAME`?

Source: `client/non_interactive.py` and `skills/invocation.py` of deepagents-code 0.1.57, and requests; what
stands after `/skill:` is read as `command_registry.py` does.
"""

from __future__ import annotations

import os
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.deepagents.listing import text_at
from skilltool.runtimes.deepagents.user import message
from skilltool.runtimes.deepagents_code.discovery import OWN
from skilltool.runtimes.deepagents_code.places import BUILTIN
from skilltool.runtimes.values import LoadedSkill, Sent

_COMMAND = "/skill:"
_SKILL = (
    "I'm invoking the skill `{name}`. Below are the full instructions from the skill's SKILL.md file. Follow "
    "these instructions to complete the task.\n\n---\n{content}\n---"
)
_OUTSIDE = (
    "Skill path {path} resolves outside all allowed skill directories. If this is a symlink, add the target "
    "directory to DEEPAGENTS_CODE_EXTRA_SKILLS_DIRS or [skills].extra_allowed_dirs in "
    "~/.deepagents/config.toml."
)
_UNREADABLE = (
    "Could not read content for skill: {name}. Check that the SKILL.md file exists, is readable, and is "
    "saved as UTF-8."
)


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a text: with the setting `skill` that skill and the text as it is.

    Without it a text that begins with `/skill:` names a skill.
    """
    if session.failure is not None:
        return Sent((), shown=session.failure)
    named = session.settings["skill"].strip()
    if named:
        return _invoked(session, named, text, "Error: ")
    if not text.startswith(_COMMAND):
        return _sent(text)
    words = text.removeprefix(_COMMAND).split(maxsplit=1)
    if not words:
        return Sent((), shown="Usage: /skill:<name> [args]")
    return _invoked(session, words[0], "".join(words[1:]).rstrip(), "")


def typed(skill: LoadedSkill) -> str:
    """Return what a user types to run a skill."""
    return f"{_COMMAND}{skill.key}"


def _invoked(session: Session, given: str, request: str, begin: str) -> Sent:
    """Return a skill with what the user wants of it; names are looked for in lower case only."""
    name = given.lower()
    skill = session.find(name)
    if skill is None:
        return Sent((), shown=BUILTIN if name in OWN else f"{begin}Skill not found: {name}")
    path = Path(skill.extra["path"])
    if not _is_inside(session, path):
        return Sent((), shown=begin + _OUTSIDE.format(path=path))
    content = text_at(session, skill)
    if content is None:
        return Sent((), shown=begin + _UNREADABLE.format(name=name))
    wanted = f"\n\n**User request:** {request}" if request else ""
    return _sent(_SKILL.format(name=name, content=content) + wanted)


def _is_inside(session: Session, path: Path) -> bool:
    """Return whether a file is, links resolved, in a directory that is scanned or allowed."""
    allowed = [Path(each).expanduser() for each in session.settings["extra_allowed_dirs"]]
    scanned = [root.path for root in session.roots if root.unscanned is None]
    real = Path(os.path.realpath(path))
    return any(real.is_relative_to(os.path.realpath(each)) for each in (*scanned, *allowed))


def _sent(text: str) -> Sent:
    return Sent((message(text),), text)
