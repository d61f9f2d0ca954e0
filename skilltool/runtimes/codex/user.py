"""What does Codex send for a text that the user types: the skills that it mentions as `$name` or as a link?

Source: the messages in requests of codex 0.169.0; `core-skills/src/injection.rs` of openai/codex.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from skilltool.emulation import rust
from skilltool.runtimes.base import Session
from skilltool.runtimes.codex import discovery, listing
from skilltool.runtimes.codex.data import facts
from skilltool.runtimes.codex.discovery import Entry, entries_of
from skilltool.runtimes.fixed_text import unmeasured_text
from skilltool.runtimes.loading import read_bytes
from skilltool.runtimes.values import LoadedSkill, Log, Refusal, Sent
from skilltool.skill.skill_file import FILE_NAME

_MENTION = re.compile(
    r"\[\$(?P<link>[A-Za-z0-9_:-]++)\][\t\n\f\r ]*+\((?P<path>[^)]*+)\)"
    r"|\$(?P<plain>[A-Za-z0-9_:-]+)"
)
_WORD = re.compile(r"[A-Za-z0-9_:-]+")
_SENT = "codex sent"
_OTHER_LINKS = ("app://", "mcp://", "plugin://")


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text: the text, and a message for each skill that it mentions."""
    return sent(session, text, ())


def sent(session: Session, text: str | None, items: Sequence[Mapping[str, str]]) -> Sent:
    """Return what is sent for a text, if there is one, and skills that the user chose in the interface.

    Each of `items` has the `name` and the `path` of a skill; the path decides.
    """
    refresh(session)
    session.memory[_SENT] = listing.text_of(session)
    chosen = [block for entry in _chosen(session, text or "", items) if (block := _injected(session, entry))]
    messages = [*([] if text is None else [text]), *chosen]
    return Sent(tuple(map(_message, messages)), "\n".join(chosen) or None)


def _message(text: str) -> Mapping[str, Any]:
    return {"role": "user", "content": [{"type": "input_text", "text": text}]}


def _chosen(session: Session, text: str, items: Sequence[Mapping[str, str]]) -> list[Entry]:
    """Return the skills that are meant: those of the interface, of links, then of plain names, each once."""
    entries = [entry for entry in entries_of(session) if entry.enabled]
    links, plain = _mentions(text)
    blocked = {item["name"] for item in items}
    found = [entry for item in items for entry in entries if entry.path == os.path.normpath(item["path"])]
    found += [entry for entry in entries if entry.path in links]
    names = {entry.skill.name for entry in found} | blocked
    found += [
        entry
        for entry in entries
        if entry.skill.name in plain - names and entry.skill.key == entry.skill.name
    ]
    return list({entry.path: entry for entry in found}.values())


def _mentions(text: str) -> tuple[set[str], set[str]]:
    """Return the paths that a text links to as skills, and the names that it mentions without a link."""
    variables = frozenset(facts()["variables"]["names"])
    links, plain = set(), set()
    for match in _MENTION.finditer(text):
        name, path = match["link"] or match["plain"], rust.trim(match["path"] or "")
        if name.upper() in variables:
            continue
        if match["link"] is None:
            plain.add(name)
        elif path and not path.startswith(_OTHER_LINKS):
            links.add(os.path.normpath(path.removeprefix("skill://")))
    return links, plain


def _injected(session: Session, entry: Entry) -> str | None:
    text = content(session, entry.skill)
    if text is None:
        return None
    return f"<skill>\n<name>{entry.skill.name}</name>\n<path>{entry.path}</path>\n{text}\n</skill>"


def typed(skill: LoadedSkill) -> str:
    """Return what the user types for a skill: its name, or a link where that does not name it."""
    is_variable = skill.name.upper() in facts()["variables"]["names"]
    if skill.key == skill.name and _WORD.fullmatch(skill.name) and not is_variable:
        return f"${skill.name}"
    return f"[$skill]({skill.display_path})"


def content(session: Session, skill: LoadedSkill) -> str | None:
    """Return the whole file of a skill at this moment, None if it is gone or is not UTF-8 any more."""
    if skill.role == "system":
        return unmeasured_text()
    try:
        return read_bytes(skill.directory / FILE_NAME).decode("utf-8")
    except (OSError, UnicodeDecodeError, Refusal):
        return None


def refresh(session: Session) -> None:
    """Look again which skills there are, as the program does before each turn but the first."""
    if _SENT in session.memory:
        session.reset()
        discovery.scan(session)


def catalog(session: Session) -> str | None:
    """Return the listing that the next turn adds: all of it at first, then only if it has changed."""
    if _SENT not in session.memory:
        return listing.text_of(session)
    before = session.memory[_SENT]
    refresh(session)
    now = listing.text_of(session)
    return None if now == before else now or listing.GONE


def scan(session: Session) -> None:
    """Fill a session, and note what the user is told about a listing over its budget."""
    discovery.scan(session)
    if (told := listing.warning(session)) is not None:
        session.logs.append(Log("WARNING", discovery.KEY, told))
