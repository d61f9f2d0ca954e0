"""What does Cline send for a text that the user types?

In a session the text goes out as it is, and the model calls the tool. A host without the tool puts the body
of a skill in the place of `/name` at the start (`resolveRuntimeSlashCommand`): that is the level `class`.
Source: `extensions/config/runtime-commands` of @cline/core 0.0.86, and records of both.
"""

from __future__ import annotations

import re
import unicodedata

from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.cline.discovery import every, id_of
from skilltool.runtimes.values import LoadedSkill, Sent

_BLANK = r"\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"
_COMMAND = re.compile(rf"/(?P<name>[^{_BLANK}]+)")
_BLANKS = re.compile(rf"[{_BLANK}]+")


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text."""
    if session.level != "class":
        return _sent(text)
    found = _COMMAND.match(text)
    name = command_name(found["name"]) if found else ""
    skill = dict(commands(session)).get(name) if name else None
    if found is None or skill is None:
        return _sent(text)
    return _sent(skill.body + text[found.end() :], skill.body)


def commands(session: Session) -> list[tuple[str, LoadedSkill]]:
    """Return the commands that can be typed, sorted, each with its skill; whatever the setting `skills`."""
    enabled = [(command_name(skill.name), skill) for skill in every(session) if not skill.extra["disabled"]]
    ordered = sorted(enabled, key=lambda each: (collation_key(each[0]), collation_key(id_of(each[1]))))
    first: dict[str, LoadedSkill] = {}
    for name, skill in ordered:
        first.setdefault(name, skill)
    return [(name, skill) for name, skill in first.items() if name]


def command_name(name: str) -> str:
    """Return a name as a command: in lower case, with a hyphen for all but letters, digits and `_.:@-`."""
    text = _BLANKS.sub("-", trim(name).lower())
    kept = "".join(each if each in "_.:@-" or unicodedata.category(each)[0] in "LN" else "-" for each in text)
    return re.sub("-+", "-", kept).removeprefix("-").removesuffix("-")


def _sent(text: str, carried: str | None = None) -> Sent:
    return Sent(({"role": "user", "content": [{"type": "text", "text": text}]},), carried)
