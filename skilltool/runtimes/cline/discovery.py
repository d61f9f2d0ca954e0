"""Where does Cline look for skills, which copy of a name wins, and what does it skip?

Source: `extensions/config/user-instruction-config-loader` of @cline/core 0.0.86, and records of it.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path

from skilltool.emulation.javascript import trim
from skilltool.runtimes.base import Session
from skilltool.runtimes.cline.manifest import read
from skilltool.runtimes.loading import bytes_of, is_directory_entry, is_here, last_wins, names
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Refusal, Refused, ResolvedRoot
from skilltool.skill.skill_file import FILE_NAME

_ALL = "cline"


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name counts, at the first one's position."""
    winners: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    for root in session.roots:
        for outcome in _in_root(root):
            if isinstance(outcome, Refused):
                session.skipped.append(outcome._replace(role=root.role))
                continue
            if id_of(outcome) in winners:
                losers.append(winners[id_of(outcome)])
            winners[id_of(outcome)] = outcome._replace(role=root.role)
    session.memory[_ALL] = list(winners.values())
    for skill in losers:
        winner = winners[id_of(skill)]
        if skill.directory != winner.directory:
            session.shadowed.append(last_wins(session, winner, skill))
    for skill in winners.values():
        why = _hidden(session, skill)
        if why is None:
            session.skills.append(skill)
        else:
            hidden = Refused(skill.directory, None, why, skill.role, key=skill.key, hidden=True)
            session.skipped.append(hidden)


def every(session: Session) -> list[LoadedSkill]:
    """Return all skills of a session, also those that are not offered."""
    found: list[LoadedSkill] = session.memory[_ALL]
    return found


def id_of(skill: LoadedSkill) -> str:
    """Return the name by which copies and calls are compared: in lower case."""
    found: str = skill.extra["id"]
    return found


def _in_root(root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    """Yield what becomes of the SKILL.md of a root itself and of each directory in it."""
    try:
        entries = names(root.path)
    except OSError:
        return
    for name in entries:
        path = root.path / name
        if name == FILE_NAME and _is_file(path):
            yield load(root.path)
        elif is_directory_entry(path):
            yield load(path)


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _hidden(session: Session, skill: LoadedSkill) -> str | None:
    if skill.extra["disabled"]:
        return "`disabled` or `enabled` in the frontmatter turns it off"
    return None if is_allowed(session, skill) else "the setting `skills` does not name it"


def is_allowed(session: Session, skill: LoadedSkill) -> bool:
    """Whether the setting `skills` is empty, or names a skill, also by what is after its last `:`."""
    allowed = {each for given in session.settings["skills"] or () if (each := normalized(str(given)))}
    return not allowed or not {id_of(skill), id_of(skill).rpartition(":")[2]}.isdisjoint(allowed)


def normalized(name: str) -> str:
    """Return a name as it is compared: without blanks around it, leading slashes and case."""
    return trim(name).lstrip("/").lower()


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            missing = not is_here(file)
            why = f"it has no {FILE_NAME}" if missing else f"{FILE_NAME} cannot be read: {raw.strerror}"
            return Refused(directory, None, f"{why} {SILENTLY}")
        found = read(raw, directory.name)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, library=refusal.library)
    extra = {"disabled": found.disabled, "id": found.name.lower()}
    text = found.description or ""
    return LoadedSkill(found.name, found.name, text, directory, found.body, "", str(directory), extra)
