"""Where does qwen-code look for skills, which copy of a name wins, and what does it skip?

Source: `packages/core/src/skills/skill-manager.ts` of 0.24.4, and records of it.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from skilltool.emulation.icu_collation import collation_key
from skilltool.emulation.javascript import node_words
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    bytes_beside_skills,
    bytes_of,
    children,
    first_wins,
    is_directory_entry,
    is_here,
)
from skilltool.runtimes.qwen_code.manifest import read
from skilltool.runtimes.qwen_code.state import State, manifest_of, remember
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, ResolvedRoot
from skilltool.skill.skill_file import FILE_NAME

EXTENSIONS = "extensions"
EXTENSION_FILE = "qwen-extension.json"
LEVELS = {
    "project": "project",
    "project-agents": "project",
    "user": "user",
    "user-agents": "user",
    "custom": "user",
    "extension": "extension",
}
FILE_ERROR = "FILE_ERROR"
# What a crashed installation leaves behind: the number of a process and the time.
_LEFT_BEHIND = re.compile(r"\.(?:backup|installing)-\d+-\d+\Z")


def scan(session: Session) -> None:
    """Fill a session: of one name the first copy counts, level by level."""
    state = State(off=_switched_off(session.settings))
    remember(session, state)
    extensions = dict(_extensions(session))
    session.roots = tuple(_roots(session, extensions))
    if "--bare" in session.settings["flags"]:
        return
    winners: dict[str, LoadedSkill] = {}
    for root in session.roots:
        for skill in () if root.unscanned else _in_root(session, root, extensions.get(root.path)):
            if skill.key in winners:
                session.shadowed.append(first_wins(session, winners[skill.key], skill))
            else:
                winners[skill.key] = skill
    state.found = sorted(winners.values(), key=lambda skill: collation_key(skill.name))
    offer(session)


def offer(session: Session) -> None:
    """Divide what was found into the skills that are offered, to the model or the user, and the others."""
    state: State = session.memory["qwen-code"]
    session.skipped = [each for each in session.skipped if not each.hidden]
    session.skills = []
    for skill in state.found:
        if (why := _hidden(state, skill)) is None:
            session.skills.append(skill)
        else:
            session.skipped.append(
                Refused(skill.directory, None, why, skill.role, key=skill.key, hidden=True)
            )


def _hidden(state: State, skill: LoadedSkill) -> str | None:
    if not state.is_on(skill):
        return "the settings of `skills` turn it off"
    if state.waits(skill):
        globs = ", ".join(f"`{glob}`" for glob in manifest_of(skill).paths)
        return f"it is offered once a file that matches `paths` is touched: {globs}"
    return None


def _switched_off(settings: dict[str, Any]) -> frozenset[str]:
    """Return the names that the settings turn off, in lower case."""
    named = {
        name: {str(each).strip().lower() for each in settings[f"skills.{name}"] or ()}
        for name in ("disabled", "defaultDisabled", "enabled")
    }
    return frozenset(named["disabled"] | (named["defaultDisabled"] - named["enabled"]))


def _roots(session: Session, extensions: dict[Path, str]) -> Iterator[ResolvedRoot]:
    """Yield all roots in the order in which they count, with those of settings and of extensions."""
    off = session.settings["skills.disabledLevels"] or ()
    known: set[str] = set()
    for root in session.roots:
        more = _custom(session) if root.role == EXTENSIONS else []
        for each in (*more, root):
            level = LEVELS.get(each.role)
            if level == "user" and str(each.path) in known:
                continue
            known.add(str(each.path))
            why = each.unscanned
            if level in off:
                why = "the setting `skills.disabledLevels` turns the level off"
            elif level == "project" and session.project == session.home:
                known.discard(str(each.path))
                why = "the project is the home directory"
            yield each._replace(unscanned=why)
    for path in extensions:
        why = "the setting `skills.disabledLevels` turns the level off" if "extension" in off else None
        yield ResolvedRoot("extension", path, str(path), why)


def _custom(session: Session) -> list[ResolvedRoot]:
    """Return the directories that the setting `skills.directories` names."""
    found = []
    for given in session.settings["skills.directories"] or ():
        path = str(session.home) + given[1:] if given == "~" or given.startswith("~/") else str(given)
        absolute = Path(os.path.normpath(session.project / path))
        found.append(ResolvedRoot("custom", absolute, str(given)))
    return found


def _extensions(session: Session) -> Iterator[tuple[Path, str]]:
    """Yield the directory of skills and the name of each extension that has a manifest."""
    top = session.root(EXTENSIONS)
    try:
        directories = [] if top is None else children(top.path)
    except OSError:
        return
    for directory in directories:
        try:
            found = json.loads(bytes_beside_skills(directory / EXTENSION_FILE))
            name = found["name"]
        except (OSError, ValueError, LookupError, TypeError, Refusal, RecursionError):
            continue
        if isinstance(name, str) and name:
            yield directory / "skills", name


def _in_root(session: Session, root: ResolvedRoot, extension: str | None) -> Iterator[LoadedSkill]:
    """Yield what one root has; what is not loaded is noted in the session."""
    try:
        entries = children(root.path)
    except OSError:
        return
    for directory in filter(is_directory_entry, entries):
        outcome = load(directory)
        if isinstance(outcome, LoadedSkill):
            yield _placed(outcome, root.role, extension)
            continue
        session.skipped.append(outcome._replace(role=root.role))
        if outcome.message is not None:
            words = f"Failed to parse skill at {directory}: {outcome.message}"
            session.logs.append(Log("ERROR", "SKILL_MANAGER", words))


def _placed(skill: LoadedSkill, role: str, extension: str | None) -> LoadedSkill:
    name = skill.name if extension is None else f"{extension}:{skill.name}"
    extra = {**skill.extra, "level": LEVELS[role]}
    return skill._replace(key=name, name=name, role=role, extra=extra)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    if _LEFT_BEHIND.search(directory.name):
        why = f"its name is that of a backup or of an unfinished installation {SILENTLY}"
        return Refused(directory, None, why)
    try:
        raw = bytes_of(file)
        if isinstance(raw, OSError):
            return _unread(directory, file, raw)
        found = read(raw)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, kind=refusal.kind, library=refusal.library)
    extra = {"manifest": found, "level": "project", "own_name": found.name}
    return LoadedSkill(
        found.name, found.name, found.description, directory, found.body, "", str(directory), extra
    )


def _unread(directory: Path, file: Path, error: OSError) -> Refused:
    if not is_here(Path(file)):
        return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}")
    words = f"Failed to read skill file: {node_words(error, 'open', file)}"
    return Refused(directory, words, f"{FILE_NAME} cannot be read: {error.strerror}", kind=FILE_ERROR)


def names_of(skills: Iterable[LoadedSkill]) -> str:
    """Return the names of skills as messages have them."""
    return ", ".join(skill.name for skill in skills)
