"""What does Claude Code send when the user types a text: `/name arguments`, an unknown command, or prose?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.claude_code import body, shell
from skilltool.runtimes.claude_code.data import BUILTIN, facts
from skilltool.runtimes.claude_code.entry import Entry
from skilltool.runtimes.claude_code.models import model_of, model_of_skill
from skilltool.runtimes.claude_code.names import find, nearest
from skilltool.runtimes.claude_code.state import State, state_of
from skilltool.runtimes.values import Sent

_COMMAND = re.compile(r"/(?P<name>\S+)(?:\s+(?P<arguments>[\s\S]*))?")
_IN_TEXT = re.compile(r"(?<!\S)/(?P<name>\S+)")
_ADVICE = (
    "Treat the message as a plain request and do the task with the tools you have. If the task needs that "
    "command, tell the user it is not installed in this session. The user can add it as an organization "
    "plugin or a project skill. Do not give installation steps you are not sure of. Do not say the command "
    "ran."
)


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; a session remembers the skills that it runs or names."""
    state = state_of(session)
    model = model_of(state)
    match = _COMMAND.fullmatch(text)
    if match is None:
        _remember_names(state, text)
        return _sent(model, [text])
    name, arguments = match["name"], trim(match["arguments"] or "")
    entry = find(state.entries, name)
    if entry is None and name in facts()["commands"]["names"]:
        return Sent((), shown=BUILTIN, model=model)
    if entry is None:
        known = bool(re.fullmatch(r"[A-Za-z0-9:_-]+", name)) or not name.isascii()
        return _sent(model, [_unknown(state, name), text] if known else [text])
    if state.override(entry) == "off":
        remedy = "Remove the override from your settings to run it."
        shown = f'Skill "{name}" is disabled via skillOverrides. {remedy}'
        return Sent((), shown=shown, model=model)
    if not entry.for_user:
        shown = (
            "This skill can only be invoked by Claude, not directly by users. Ask Claude to use the "
            f'"{name}" skill for you.'
        )
        return Sent((), shown=shown, model=model)
    return _run(session, state, entry, arguments)


def _run(session: Session, state: State, entry: Entry, arguments: str) -> Sent:
    """Return what is sent for a skill: files it names, the command, and its text; or a request of its own."""
    found = body.text_of(session, entry, arguments)
    model = model_of_skill(entry.model, model_of(state))
    if refused := shell.refusal(state, entry, found.commands):
        return Sent((), shown=refused, model=model)
    if entry.fork:
        return _sent(model, [found.text], found.text)
    given = f"<command-args>{arguments}</command-args>\n" if arguments else ""
    command = (
        f"<command-message>{entry.key}</command-message>\n<command-name>/{entry.key}</command-name>\n{given}"
    )
    state.rendered[entry.key] = found.text
    state.named.add(entry.key)
    parts = [command, found.text]
    messages = [part for file in found.files for part in file]
    if messages:
        last = [messages[-1], *parts]
        return Sent((*(_message([part]) for part in messages[:-1]), _message(last)), found.text, model=model)
    return _sent(model, parts, found.text)


def _unknown(state: State, name: str) -> str:
    """Return the reminder for a command that does not exist: with the nearest one, and those there are."""
    data = facts()["commands"]
    ours = [entry for entry in state.entries if entry.for_user and state.override(entry) != "off"]
    shown = [entry for entry in ours if entry.for_model and not re.search(r"\s", _shown(entry))]
    near = nearest(name, ours)
    closest = f" The closest available command is /{near}. Ask the user before running it." if near else ""
    names = ", ".join(f"/{each}" for each in (*map(_shown, shown), *data["shown"]))
    more = data["not_shown"] + len(ours) - len(shown)
    return (
        f"<system-reminder>\nThe user's message starts with the slash command /{name}, but no command "
        f"with that name is available in this session, so it did not run.{closest} Slash commands available "
        f"in this session: {names}, and {more} more. {_ADVICE}\n</system-reminder>"
    )


def _shown(entry: Entry) -> str:
    """Return the name that the user sees: that of the frontmatter, else the key."""
    return entry.alias or entry.key


def _remember_names(state: State, text: str) -> None:
    """Note the skills that a text names as `/x`: the model may call them even if they are disabled for it."""
    for match in _IN_TEXT.finditer(text):
        if (entry := find(state.entries, match["name"].rstrip(".,;:!?)"))) is not None:
            state.named.add(entry.key)


def _sent(model: str, parts: list[str], text: str | None = None) -> Sent:
    return Sent((_message(parts),), text, model=model)


def _message(parts: list[str]) -> Mapping[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": part} for part in parts]}
