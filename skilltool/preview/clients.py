"""Makes what the overview shows of one client: its budget, its roots, and the copies that lose."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from weakref import WeakKeyDictionary

from skilltool.errors import SkilltoolError
from skilltool.findings.secrets import without_secrets
from skilltool.inspect.cost import ClientCost
from skilltool.inspect.render import parts_of, render
from skilltool.inspect.resolve.copies import troubles
from skilltool.preview.model import Client, Loser, Rung, Shadow
from skilltool.preview.sessions import Opened, fresh
from skilltool.report.costs import headline
from skilltool.report.style import PLAIN
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import display_path

NOT_WORD = re.compile(r"[^a-z0-9]+")
_tools: WeakKeyDictionary[Session, str | None] = WeakKeyDictionary()  # for as long as they live


def client_of(opened: Opened, cost: ClientCost, ids: Mapping[str, str]) -> Client:
    """Return what is shown of a client; `ids` are those of rows by the real path of their directory."""
    session = opened.session
    stand_in = "" if opened.stand_in is None else f"{display_path(session, opened.stand_in)}/"
    keys = {skill.key: ids.get(os.path.realpath(skill.directory), "") for skill in session.skills}
    return Client(
        client_id(opened),
        session.runtime.id,
        session.runtime.title,
        stand_in,
        cost,
        tuple(headline(cost, PLAIN)),
        tuple(troubles(session)),
        tuple(_ladder(session, keys)),
        tuple(_shadows(session, ids)),
        _text_of(fresh(session).catalog),
        _text_of(lambda: tool_text(session)),
        keys,
    )


def client_id(opened: Opened) -> str:
    """Return a word that names the section of a client in the overview."""
    word = NOT_WORD.sub("-", opened.session.runtime.id)
    if opened.stand_in is None:
        return word
    return f"{word}-{sha256(os.fsencode(opened.stand_in)).hexdigest()[:6]}"


def tool_text(session: Session) -> str | None:
    """Return the definition of the tool as `render --part tool` prints it, None if there is none."""
    if session not in _tools:
        has = "tool" in parts_of(session.runtime)
        _tools[session] = render(fresh(session), "tool", None, None).text if has else None
    return _tools[session]


def forget_tool(session: Session) -> None:
    """Drop the kept definition of a session whose skills have changed."""
    _tools.pop(session, None)


def _text_of(ask: object) -> str | None:
    try:
        text = ask() if callable(ask) else None
    except SkilltoolError as error:
        return str(error)
    return without_secrets(text) if isinstance(text, str) else None


def _ladder(session: Session, ids: Mapping[str, str]) -> Iterator[Rung]:
    for root in session.roots:
        skills = tuple((each.key, ids[each.key]) for each in session.skills if each.role == root.role)
        state = root.problem or (f"{len(skills)} loaded" if root.exists else "does not exist")
        state = f"{state}; {root.unscanned}" if root.exists and root.unscanned else state
        yield Rung(root.role, display_path(session, root.path), state, root.exists, skills)


def _shadows(session: Session, ids: Mapping[str, str]) -> Iterator[Shadow]:
    losers: dict[Path, list[Loser]] = {}
    keys: dict[Path, str] = {}
    for each in session.shadowed:
        lost = each.skill.directory
        keys[each.by.directory] = each.by.key
        losers.setdefault(each.by.directory, []).append(
            Loser(display_path(session, lost), ids.get(os.path.realpath(lost), ""), each.why)
        )
    for winner, beaten in losers.items():
        shown = display_path(session, winner)
        yield Shadow(keys[winner], shown, ids.get(os.path.realpath(winner), ""), tuple(beaten))
