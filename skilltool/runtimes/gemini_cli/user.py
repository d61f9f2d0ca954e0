"""What does Gemini CLI send when the user types a text: `/name arguments`, or prose?

Source: requests of the program, and SkillCommandLoader and SlashCommandResolver of @google/gemini-cli 0.61.0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.javascript import WHITE_SPACE, trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.gemini_cli.call import call
from skilltool.runtimes.gemini_cli.data import BUILTIN, facts
from skilltool.runtimes.gemini_cli.state import EXTENSION, TOOL, Entry, State, state_of
from skilltool.runtimes.values import LoadedSkill, Sent

_BLANKS = re.compile(f"[{re.escape(WHITE_SPACE)}]+")
_INTERRUPTED = "[The previous response was interrupted before it completed.]"
_ID = "<ID>"


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; without a terminal (`view=headless`) that is the text itself."""
    if session.settings["view"] != "interactive":
        return Sent((_said(text),))
    line = trim(text)
    if line.startswith(("//", "/*")) or not line.startswith("/"):
        return Sent((_said(line),))
    name, *words = [word for word in _BLANKS.split(line[1:]) if word] or [""]
    found = commands(state_of(session)).get(name)
    if found is None:
        shown = BUILTIN if name in facts()["command_aliases"] else None
        return Sent((), shown=shown) if shown else Sent((_said(line),))
    if isinstance(found, str):
        return Sent((), shown=BUILTIN)
    return _activated(session, found, " ".join(words))


def commands(state: State) -> dict[str, Entry | str]:
    """Return what each command stands for: a skill, or a command of the program (its name).

    A name that is taken gets a number, and so does the skill that had it first; a skill of an extension has
    the extension's name before its own.
    """
    found: dict[str, Entry | str] = {name: name for name in facts()["commands"]}
    first = set(found)
    for entry in state.enabled:
        if entry.builtin:
            continue
        name = typed(entry.skill)[1:]
        if entry.extension is not None:
            found[_free(name, found)] = entry
        elif name not in first:
            first.add(name)
            found[name] = entry
        else:
            free = _free(name, found)
            if isinstance(owner := found.get(name), Entry):
                del found[name]
                found[free] = owner  # and the other skill takes that name from it
            found[free] = entry
    return found


def typed(skill: LoadedSkill) -> str:
    """Return what the user types to call a skill, unless another one has that name."""
    name = _BLANKS.sub("-", trim(skill.name))
    extension = skill.role.removeprefix(EXTENSION) if skill.role.startswith(EXTENSION) else None
    return f"/{name}" if extension is None else f"/{extension}:{name}"


def _free(name: str, taken: Mapping[str, Any]) -> str:
    number, free = 0, name
    while free in taken:
        number += 1
        free = f"{name}{number}"
    return free


def _activated(session: Session, entry: Entry, arguments: str) -> Sent:
    """Return a call of the skill that the model seems to have made, its answer, and the rest of the text."""
    key = entry.skill.key
    result = call(session, {"name": key}, None)
    response = {"error" if result.is_error else "output": result.text}
    called = {"functionCall": {"id": _ID, "args": {"name": key}, "name": TOOL}}
    answered = {"functionResponse": {"id": _ID, "name": TOOL, "response": response}}
    messages = (
        {"parts": [called], "role": "model"},
        {"parts": [answered], "role": "user"},
        {"parts": [{"text": _INTERRUPTED}], "role": "model"},
        _said(arguments or f"Use the skill {entry.skill.name}"),
    )
    return Sent(messages, result.text)


def _said(text: str) -> Mapping[str, Any]:
    return {"parts": [{"text": text}], "role": "user"}
