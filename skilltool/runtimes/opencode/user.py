"""What does opencode send when the user types a text: `/name arguments`, or prose?

Source: requests of opencode 1.18.33.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.javascript import WHITE_SPACE, replace_all, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.opencode.state import BUILTIN, state_of
from skilltool.runtimes.values import LoadedSkill, Sent

_BUILT_IN = ("init", "review")
# Stands for what a command in a body prints, and for the text of the program's own commands.
_OUTPUT, _OWN_TEXT = "{output}", "{builtin}"
_ALL = "$ARGUMENTS"
_WORD = re.compile(
    rf"\[Image[{re.escape(WHITE_SPACE)}]+\d+\]|\"[^\"]*\"|'[^']*'|[^{re.escape(WHITE_SPACE)}\"']+", re.I
)
_QUOTES = re.compile(r"^[\"']|[\"']\Z")
_POSITION = re.compile(r"\$([0-9]+)")
_COMMAND = re.compile(r"!`[^`]+`")
_MOST_DIGITS = 15


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; a command of the settings wins over a skill of its name."""
    if not text.startswith("/"):
        return Sent((_said(text),))
    line, end, rest = text[1:].partition("\n")
    name, _, arguments = line.partition(" ")
    arguments += end + rest if rest else ""
    configured = state_of(session).settings.commands
    skill = session.find(name)
    if name in configured:
        return Sent((_said(filled(configured[name], arguments)),))
    if name in (*_BUILT_IN, BUILTIN) and (skill is None or name in _BUILT_IN):
        return Sent((_said(_OWN_TEXT),))
    if skill is None:
        known = [*_BUILT_IN, *configured, BUILTIN, *(each.key for each in session.skills)]
        shown = f'Command not found: "{name}". Available commands: {", ".join(dict.fromkeys(known))}'
        return Sent((), shown=shown)
    sent = filled(template(skill), arguments)
    return Sent((_said(sent),), sent)


def typed(skill: LoadedSkill) -> str:
    """Return what the user types to call a skill; one with a blank in its name cannot be called."""
    return f"/{skill.key}"


def template(skill: LoadedSkill) -> str:
    """Return the text of a skill as a command, before arguments are filled in."""
    return (
        f"{skill.body}\n\nBase directory for this skill: {skill.display_path}\n"
        "Relative paths in this skill (e.g., scripts/, references/) are relative to this base directory."
    )


def filled(text: str, arguments: str) -> str:
    """Return a template with the arguments: by position, as a whole, else appended; `{output}` for commands.

    The highest position takes the rest of the words.
    """
    words = [_QUOTES.sub("", word) for word in _WORD.findall(arguments)]
    positions = [_number(digits) for digits in _POSITION.findall(text)]
    highest = max(positions, default=0)
    sent = _POSITION.sub(lambda found: _word(_number(found[1]), highest, words), text)
    sent = replace_all(sent, _ALL, arguments)
    if not positions and _ALL not in text and trim(arguments):
        sent += f"\n\n{arguments}"
    return trim(_COMMAND.sub(_OUTPUT, sent))


def _number(digits: str) -> int:
    """Return a position; one with too many digits is beyond all words in any case."""
    return int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS


def _word(position: int, highest: int, words: list[str]) -> str:
    """Return what stands for a position: they count from 1, and 0 is JavaScript's index -1."""
    if position > len(words):
        return ""
    if position == highest:
        return " ".join(words[position - 1 :])
    return words[position - 1] if position else "undefined"


def _said(text: str) -> Mapping[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text}]}
