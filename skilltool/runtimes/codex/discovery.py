"""Which skills does Codex have when a thread starts, which are switched off, and which does it refuse?

Source: `skills/list` and the log of codex 0.169.0.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.emulation import rust
from skilltool.runtimes.base import Session
from skilltool.runtimes.codex import walking
from skilltool.runtimes.codex.data import facts
from skilltool.runtimes.codex.manifest import decoded, manifest
from skilltool.runtimes.codex.openai_yaml import FILE, extras
from skilltool.runtimes.codex.roots import REPO, SYSTEM, Place, places, trusted_top
from skilltool.runtimes.fixed_text import fixed_text
from skilltool.runtimes.loading import display_path, is_directory_here, read_bytes
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, ResolvedRoot
from skilltool.skill.skill_file import FILE_NAME

KEY = "codex"
_RANKS = ("repo", "user", "system", "admin")
_BUNDLED_OFF = "the setting `bundled` switches off the skills that Codex brings along"
_ELSEWHERE = f"`products` in `{FILE}` does not name codex {SILENTLY}"
_SWITCHED_OFF = "an entry of `skills.config` in the settings switches it off"
_ZERO = "invalid value: integer `0`, expected a nonzero usize"


class Entry(NamedTuple):
    """A skill as `skills/list` has it: with the root it was found in, and whether it is switched on.

    `listed` tells that the model is told of it. `path` is its file without links.
    """

    skill: LoadedSkill
    place: Place
    path: str
    listed: bool = True
    enabled: bool = True


def scan(session: Session) -> None:
    """Fill a session as the program does when a thread starts."""
    found = places(session)
    above = {place.role for place in found if "-above-" in place.role and not is_directory_here(place.path)}
    session.roots = tuple(
        ResolvedRoot(place.role, place.path, str(place.path)) for place in found if place.role not in above
    )
    unique: dict[str, Entry] = {}
    for place in found:
        for entry in _entries(session, place):
            unique.setdefault(entry.path, entry)
    ordered = sorted(
        unique.values(), key=lambda each: (_RANKS.index(each.place.scope), each.skill.name, each.path)
    )
    entries = _keyed(session, [_switched(entry, session.settings["config"] or ()) for entry in ordered])
    session.memory[KEY] = entries
    session.skills += [entry.skill for entry in entries if entry.enabled and entry.place.scope != SYSTEM]
    session.skipped += [
        Refused(
            entry.skill.directory, None, _SWITCHED_OFF, entry.place.role, key=entry.skill.key, hidden=True
        )
        for entry in entries
        if not entry.enabled and entry.place.scope != SYSTEM
    ]
    if session.settings["max_context_tokens"] == 0:
        session.failure = _ZERO
    if not session.settings["trust"]:
        session.logs += _distrust(session, found)


def entries_of(session: Session) -> list[Entry]:
    """Return all skills of a session that has been scanned, in the order of `skills/list`."""
    found: list[Entry] = session.memory[KEY]
    return found


def _entries(session: Session, place: Place) -> Iterator[Entry]:
    """Yield the skills in a place; what is refused or passed over there is noted in the session."""
    bundled = session.settings["bundled"]
    if place.scope == SYSTEM and bundled:
        yield from _bundled(place)
        return
    if not is_directory_here(place.path):
        return
    walk = walking.walk(place.path)
    if place.scope == SYSTEM:
        for found in walk.found:
            session.skipped.append(Refused(found.directory, None, _BUNDLED_OFF, place.role, hidden=True))
        return
    session.skipped += [Refused(each.directory, None, each.why, place.role) for each in walk.passed_over]
    for found in walk.found:
        outcome = _read(found, place)
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.message is not None:
                text = f"failed to load skill {outcome.directory / FILE_NAME}: {outcome.message}"
                session.logs.append(Log("ERROR", KEY, text))
        else:
            yield outcome


def _read(found: walking.Found, place: Place) -> Entry | Refused:
    directory, path = found.directory, str(found.real / FILE_NAME)
    try:
        text = decoded(read_bytes(directory / FILE_NAME))
        read = manifest(text, directory.name)
    except OSError as error:
        words = rust.io_error(error)
        message = f"failed to read file: {words}"
        return Refused(directory, message, f"it cannot be read: {words}", place.role)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, place.role, library=refusal.library)
    more = extras(directory)
    if not more.for_codex:
        return Refused(directory, None, _ELSEWHERE, place.role)
    extra = dict(more.shown) | ({"shortDescription": read.short} if read.short else {})
    skill = LoadedSkill(read.name, read.name, read.description, directory, read.body, place.role, path, extra)
    return Entry(skill, place, path, more.implicit)


def _bundled(place: Place) -> Iterator[Entry]:
    """Yield the skills of the program, which it writes into their place; others there are removed."""
    for name, row in facts()["bundled"]["skills"].items():
        directory = place.path / name
        text, path = fixed_text(row["chars"], row["sha256"]), str(directory / FILE_NAME)
        skill = LoadedSkill(name, name, text, directory, "", place.role, path)
        yield Entry(skill, place, path, row.get("listed", True))


def _switched(entry: Entry, rules: Sequence[Any]) -> Entry:
    """Return an entry as the last rule says that names it, by its path or by its name."""
    enabled = True
    for rule in rules:
        if isinstance(rule, Mapping) and ("path" in rule) != ("name" in rule):
            named = rule.get("name") == entry.skill.name
            if named or os.path.realpath(str(rule.get("path", os.devnull))) == entry.path:
                enabled = rule.get("enabled", True) is not False
    return entry._replace(enabled=enabled)


def _keyed(session: Session, entries: list[Entry]) -> list[Entry]:
    """Return entries of which those that share a name have the path of their file for a key."""
    counts = Counter(entry.skill.name for entry in entries if entry.enabled)
    found = []
    for entry in entries:
        if counts[entry.skill.name] > 1:
            key = display_path(session, entry.skill.directory / FILE_NAME)
            entry = entry._replace(skill=entry.skill._replace(key=key))
        found.append(entry)
    return found


def _distrust(session: Session, found: list[Place]) -> Iterator[Log]:
    """Yield the warning about folders whose settings are not read while nobody trusts the project."""
    folders = [
        place.path.parent
        for place in found
        if place.scope == REPO and place.path.parent.name == ".codex" and is_directory_here(place.path.parent)
    ]
    if not folders:
        return
    top, config = trusted_top(session), session.home / ".codex" / "config.toml"
    rows = "".join(
        f"    {number}. {folder}\n       To load project-local config, hooks, and exec policies, add {top} "
        f"as a trusted project in {config}.\n"
        for number, folder in enumerate(reversed(folders), start=1)
    )
    told = "Project-local config, hooks, and exec policies are disabled in the following folders until the "
    yield Log("WARNING", KEY, f"{told}project is trusted, but skills still load.\n{rows}")


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root, whatever the settings."""
    if (why := walking.refusal(directory)) is not None:
        return Refused(directory, None, why)
    real = Path(os.path.realpath(directory))
    outcome = _read(walking.Found(directory, real), Place("", directory.parent, REPO))
    return outcome if isinstance(outcome, Refused) else outcome.skill
