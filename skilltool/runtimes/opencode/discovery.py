"""Which skills does opencode load? Every SKILL.md at any depth; which copy of a name wins is chance.

Source: the results of opencode 1.18.33.
"""

from __future__ import annotations

import os
from pathlib import Path

from skilltool.emulation.icu_collation import collation_key
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of, is_directory_here
from skilltool.runtimes.opencode.manifest import parse
from skilltool.runtimes.opencode.places import Place, places
from skilltool.runtimes.opencode.settings import settings_of
from skilltool.runtimes.opencode.state import State, remember
from skilltool.runtimes.opencode.walking import Found, walk
from skilltool.runtimes.values import (
    NOT_READ,
    SILENTLY,
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    Shadowed,
)
from skilltool.skill.skill_file import FILE_NAME

_CHANCE = "all copies are read at once, and the one that is read last wins"
_FAILED = "failed to load skill"


def scan(session: Session) -> None:
    """Fill a session; of several copies the last one in the order of the places stands for the winner."""
    settings = settings_of(session)
    found = places(session, settings)
    session.roots = tuple(_shown(place) for place in found)
    winners: dict[str, LoadedSkill] = {}
    losers: list[LoadedSkill] = []
    read: set[str] = set()
    for place in found:
        for each in walk(place.root.path, place.dotted):
            outcome = _outcome(session, place, each, read)
            if isinstance(outcome, Refused):
                session.skipped.append(outcome)
            elif outcome is not None:
                if (before := winners.get(outcome.key)) is not None:
                    losers.append(before)
                    session.logs.append(_duplicate(before, outcome))
                winners[outcome.key] = outcome
    offered = sorted(winners.values(), key=lambda skill: collation_key(skill.key))
    session.skills += offered
    session.shadowed += [Shadowed(each, winners[each.key], _CHANCE, undetermined=True) for each in losers]
    remember(session, State(settings))


def _duplicate(before: LoadedSkill, after: LoadedSkill) -> Log:
    existing, duplicate = (f"{each.display_path}/{FILE_NAME}" for each in (before, after))
    message = f"duplicate skill name name={after.key} existing={existing} duplicate={duplicate}"
    return Log("WARNING", "", message)


def _shown(place: Place) -> ResolvedRoot:
    return place.root if place.off is None else place.root._replace(unscanned=f"`{place.off}` turns it off")


def _outcome(session: Session, place: Place, found: Found, read: set[str]) -> LoadedSkill | Refused | None:
    """Return what becomes of a folder; None for a file that was read before, by another path."""
    role = place.root.role
    if found.why is not None:
        why = found.why if found.why.startswith(NOT_READ) else f"{found.why} {SILENTLY}"
        return Refused(found.directory, None, why, role)
    if place.off is not None:
        return Refused(found.directory, None, f"`{place.off}` turns this root off", role, hidden=True)
    real = os.path.realpath(found.directory / FILE_NAME)
    if real in read:
        return None
    read.add(real)
    outcome = _loaded(found.directory, role)
    if isinstance(outcome, Refused) and outcome.message:
        session.logs.append(Log("ERROR", "", outcome.message))
    return outcome


def _loaded(directory: Path, role: str) -> LoadedSkill | Refused:
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            return _unread(directory, raw, role)
        found = parse(raw, directory.name)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, role)
    name, described = found["name"], found["description"] is not None
    return LoadedSkill(
        name,
        name,
        found["description"] or "",
        directory,
        found["body"],
        role,
        str(directory),
        {"described": described},
    )


def _unread(directory: Path, error: OSError, role: str) -> Refused:
    file = directory / FILE_NAME
    if not os.path.lexists(file):
        return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", role)
    if is_directory_here(file):
        return Refused(directory, None, f"{FILE_NAME} is a directory {SILENTLY}", role)
    return Refused(directory, _FAILED, f"{FILE_NAME} cannot be read: {error.strerror}", role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, wherever it is."""
    return _loaded(directory, "")
