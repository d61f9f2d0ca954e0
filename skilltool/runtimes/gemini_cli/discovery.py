"""Where does Gemini CLI look for skills, which does it load, and which copy of a name wins?

Source: skills/skillManager.js and skillLoader.js of @google/gemini-cli-core 0.61.0, and its results.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.runtimes.base import Session
from skilltool.runtimes.gemini_cli.data import builtin_skills
from skilltool.runtimes.gemini_cli.manifest import parse
from skilltool.runtimes.gemini_cli.state import EXTENSION, Entry, State, remember
from skilltool.runtimes.loading import (
    bytes_beside_skills,
    bytes_of,
    is_directory_entry,
    is_directory_here,
    is_file_here,
    last_wins,
    names,
)
from skilltool.runtimes.values import (
    SILENTLY,
    LoadedSkill,
    Log,
    Refusal,
    Refused,
    ResolvedRoot,
    unlistable_root,
)
from skilltool.skill.skill_file import FILE_NAME

_IGNORED = "node_modules"
_CHANCE = "both are in one root, which is read in no fixed order: the one read last wins"


class _Place(NamedTuple):
    root: ResolvedRoot
    extension: str | None = None


def scan(session: Session) -> None:
    """Fill a session as the program does at its start: the last copy of a name wins, in the first's place."""
    builtins = [Entry(skill, builtin=True) for skill in builtin_skills()]
    found = {entry.skill.key: entry for entry in builtins}
    losers: list[tuple[Entry, Entry]] = []
    for place in _places(session):
        for outcome in _in_root(place.root):
            if isinstance(outcome, Refused):
                session.skipped.append(outcome)
                continue
            entry = Entry(outcome, extension=place.extension)
            before = found.get(outcome.key)
            if before is not None and before.skill.directory == outcome.directory:
                continue  # the working directory is the home directory: both roots are read twice
            if before is not None and not before.builtin:
                losers.append((before, entry))
            found[outcome.key] = entry
    for loser, next_one in losers:
        _shadow(session, loser.skill, next_one.skill, found[loser.skill.key].skill)
    state = State([_with_settings(session, entry) for entry in found.values()])
    if not session.settings["skills.enabled"]:
        _hide(session, state.entries, "the setting `skills.enabled` turns skills off")
        state = State()
    _hide(
        session, [each for each in state.entries if each.disabled], "the setting `skills.disabled` names it"
    )
    session.skills += [entry.skill for entry in state.enabled if not entry.builtin]
    remember(session, state)


def _places(session: Session) -> Iterator[_Place]:
    """Yield the roots in the order of reading; a folder that is not trusted has none of its own."""
    kept: list[ResolvedRoot] = []
    for root in session.roots:
        if root.role == "extension":
            extensions = list(_extensions(root))
            kept += [root, *(place.root for place in extensions)]
            yield from extensions
        elif root.role.startswith("project") and not session.settings["trusted"]:
            kept.append(root._replace(unscanned="the folder is not trusted"))
        else:
            kept.append(root)
            yield _Place(root)
    session.roots = tuple(kept)


def _extensions(root: ResolvedRoot) -> Iterator[_Place]:
    """Yield the `skills` of each installed extension that has a manifest with a name."""
    try:
        found = names(root.path)
    except OSError:
        return
    for name in found:
        manifest = _manifest(root.path / name / "gemini-extension.json")
        title = manifest.get("name") if isinstance(manifest, dict) else None
        path = root.path / name / "skills"
        if isinstance(title, str) and is_directory_here(path):
            yield _Place(ResolvedRoot(f"{EXTENSION}{title}", path, str(path)), title)


def _manifest(file: Path) -> Any:
    try:
        return json.loads(bytes_beside_skills(file))
    except (OSError, ValueError, RecursionError, Refusal):
        return None


def _in_root(root: ResolvedRoot) -> Iterator[LoadedSkill | Refused]:
    """Yield what becomes of the root's own SKILL.md and of each folder in it.

    The program reads them in no fixed order. Most often that was the reverse of the file system's own, for
    which the order of the bytes of the names stands here.
    """
    if not root.exists:
        return
    if is_file_here(root.path / FILE_NAME):
        yield _loaded(root.path, root.display_path, root.role)
    try:
        found = names(root.path)
    except OSError as error:
        yield unlistable_root(root, error)
        return
    for name in reversed(found):
        directory = root.path / name
        if not is_directory_entry(directory):
            continue
        yield _child(directory, f"{root.display_path}/{name}", root.role)


def _child(directory: Path, display_path: str, role: str) -> LoadedSkill | Refused:
    if directory.name.startswith("."):
        return Refused(directory, None, f"its name begins with a dot {SILENTLY}", role)
    if directory.name == _IGNORED:
        return Refused(directory, None, f"`{_IGNORED}` is left out {SILENTLY}", role)
    return _loaded(directory, display_path, role)


def _loaded(directory: Path, display_path: str, role: str) -> LoadedSkill | Refused:
    file = directory / FILE_NAME
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            missing = not os.path.lexists(file)
            why = f"it has no {FILE_NAME}" if missing else f"{FILE_NAME} cannot be read: {raw.strerror}"
            return Refused(directory, None, f"{why} {SILENTLY}", role)
        found = parse(raw, directory.name)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, role)
    name = found["name"]
    return LoadedSkill(name, name, found["description"], directory, found["body"], role, display_path)


def _shadow(session: Session, loser: LoadedSkill, next_one: LoadedSkill, winner: LoadedSkill) -> None:
    """Note a copy that is lost; the program names the next one that it read, which may be lost in turn."""
    message = (
        f'Skill conflict detected: "{loser.key}" from "{next_one.display_path}/{FILE_NAME}" is overriding '
        f'the same skill from "{loser.display_path}/{FILE_NAME}".'
    )
    session.logs.append(Log("WARNING", "coreEvents", message))
    shadowed = last_wins(session, winner, loser._replace(extra={"message": message}))
    if winner.role == loser.role:
        shadowed = shadowed._replace(why=_CHANCE, undetermined=True)
    session.shadowed.append(shadowed)


def _with_settings(session: Session, entry: Entry) -> Entry:
    disabled = {str(name).lower() for name in session.settings["skills.disabled"]}
    return entry._replace(disabled=entry.skill.key.lower() in disabled)


def _hide(session: Session, entries: list[Entry], why: str) -> None:
    session.skipped += [
        Refused(each.skill.directory, None, why, each.skill.role, key=each.skill.key, hidden=True)
        for each in entries
        if not each.builtin
    ]


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory in a root, whatever the settings."""
    return _child(directory, str(directory), "")
