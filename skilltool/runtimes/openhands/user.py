"""What does OpenHands add to a message: the skills whose triggers occur in it? And what to a touched file?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.openhands.entry import PATH, Entry, entry_of
from skilltool.runtimes.openhands.path_patterns import matches
from skilltool.runtimes.values import Sent

_ACTIVE = "openhands: names of skills that were added"
_KNOWLEDGE = """<EXTRA_INFO>
The following information has been included based on a keyword match for "{trigger}".
It may or may not be relevant to the user's request.

Skill location: {file}
(Use this path to resolve relative file references in the skill content below)


{body}
</EXTRA_INFO>"""
_RULE = """<EXTRA_INFO>
The following rule applies because a file you touched matches "{pattern}". Follow it when working with \
matching files.
Rule location: {file}

{body}
</EXTRA_INFO>"""


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a message: its text, and what its words trigger, each skill once."""
    added = _added(session, text)
    parts = [text] if added is None else [text, added]
    content = [{"type": "text", "text": part} for part in parts]
    return Sent(({"role": "user", "content": content},), added)


def _added(session: Session, text: str) -> str | None:
    suffix = session.settings["user_message_suffix"].strip()
    blocks = list(_triggered(session, text.strip()))
    knowledge = "\n\n".join(blocks).strip()
    return "\n".join(filter(None, (knowledge, suffix))) or None


def _triggered(session: Session, query: str) -> Iterator[str]:
    active = _active(session)
    for entry in map(entry_of, session.skills):
        trigger = _match(entry, query.lower()) if query else None
        if trigger and entry.name not in active:
            active.add(entry.name)
            yield _KNOWLEDGE.format(trigger=trigger, file=entry.file.as_posix(), body=entry.body)


def _active(session: Session) -> set[str]:
    found: set[str] = session.memory.setdefault(_ACTIVE, set())
    return found


def _match(entry: Entry, query: str) -> str | None:
    """Return the first word of a trigger that stands in a message, not between ASCII letters or digits."""
    if entry.trigger is None or entry.trigger.kind == PATH:
        return None
    for word in entry.trigger.words:
        wanted = word.lower()
        if wanted and re.search(rf"(?<![a-z0-9]){re.escape(wanted)}(?![a-z0-9])", query):
            return word
    return None


def context(session: Session, query: str) -> str | None:
    """Return what a message adds after its text, None for nothing; it counts as sent."""
    return _added(session, query)


def touch(session: Session, file: str) -> str | None:
    """Return the rules that a touched file adds, each once, None for none; paths are below the project."""
    if not file:
        return None
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(session.project):
        path = path.relative_to(session.project)
    active = _active(session)
    blocks: list[str] = []
    for entry in map(entry_of, session.skills):
        if entry.trigger is None or entry.trigger.kind != PATH or entry.name in active:
            continue
        pattern = next((each for each in entry.trigger.words if matches(each, path.as_posix())), None)
        if pattern is not None:
            active.add(entry.name)
            blocks.append(_RULE.format(pattern=pattern, file=entry.file.as_posix(), body=entry.body))
    return "\n".join(blocks) or None
