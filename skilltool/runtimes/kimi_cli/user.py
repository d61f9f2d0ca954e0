"""What does Kimi CLI send for a typed text: the file of a skill, the nodes of a flow, or the text itself?

Source: `kimi_cli/soul/kimisoul.py` and `utils/slashcmd.py` of kimi-cli 1.52.0, and requests.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from skilltool.runtimes.base import Session
from skilltool.runtimes.kimi_cli.data import facts
from skilltool.runtimes.kimi_cli.discovery import own_skills
from skilltool.runtimes.kimi_cli.flows.walking import messages
from skilltool.runtimes.kimi_cli.listing import content
from skilltool.runtimes.kimi_cli.manifest import Manifest
from skilltool.runtimes.values import LoadedSkill, Sent

_COMMAND = re.compile(r"/(?P<name>[a-zA-Z0-9_-]+(?::[a-zA-Z0-9_-]+)*)(?=\s|\Z)")
# What the commands of the program itself do is not known here.
_BUILTIN = "{builtin}"


def user(session: Session, text: str) -> Sent:
    """Return what is sent for a typed text; an unknown command is shown to the user, and nothing is sent."""
    typed = text.strip()
    found = _COMMAND.match(typed)
    if found is None:
        return _sent([text])
    name, arguments = found["name"], typed[found.end() :].strip()
    kind, _, key = name.partition(":")
    skill = session.find(key) if kind in ("skill", "flow") else None
    own = {f"skill:{skill.key}" for skill in own_skills(session)}
    if name in own or name in facts()["commands"]:
        return Sent((), shown=_BUILTIN)
    if skill is not None and kind == "skill":
        return _skill(session, skill, arguments)
    manifest: Manifest | None = skill.extra["manifest"] if skill is not None else None
    if manifest is None or manifest.flow is None:
        return Sent((), shown=f'Unknown slash command "/{name}".')
    if arguments:
        return Sent((), shown=f"Agent flow /{name} ignores args: {arguments}")
    return _sent(messages(manifest.flow, session.settings["replies"]))


def typed(skill: LoadedSkill) -> str:
    """Return what a user types to run a skill: `/flow:name` for one with a flow."""
    manifest = skill.extra.get("manifest")
    is_flow = isinstance(manifest, Manifest) and manifest.flow is not None
    return f"/{'flow' if is_flow else 'skill'}:{skill.name}"


def _skill(session: Session, skill: LoadedSkill, arguments: str) -> Sent:
    """Return the file of a skill as a message, with the arguments after it."""
    whole = content(session, skill)
    if whole is None:
        return Sent((), shown=f'Failed to load skill "/skill:{skill.name}".')
    request = f"\n\nUser request:\n{arguments}" if arguments else ""
    return _sent([whole.strip() + request])


def _sent(texts: Iterable[str]) -> Sent:
    parts = list(texts)
    sent = ({"role": "user", "content": [{"type": "text", "text": part}]} for part in parts)
    return Sent(tuple(sent), parts[0] if parts else None)
