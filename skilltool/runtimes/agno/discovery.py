"""Which skills does Agno load from its directories, and which copy of a name wins?

Source: `agno/skills/agent_skills.py` and `loaders/local.py` of agno 3.1.10, and runs of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skilltool.runtimes.agno.manifest import Invalid, Manifest, read
from skilltool.runtimes.agno.validation import LoaderError
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import bytes_of, children, exists, is_directory, last_wins
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, ResolvedRoot
from skilltool.skill.skill_file import FILE_NAME

LOGGER = "agno"
# Stands for the address in memory of an object, which a warning names.
LOADER = "<agno.skills.loaders.local.LocalSkills object at <ADDRESS>>"
SCRIPTS, REFERENCES = "scripts", "references"


class Ended(Exception):  # noqa: N818 - an outcome of the framework
    """Ends the loading as a whole; its text is the framework's."""


def scan(session: Session) -> None:
    """Fill a session: the last copy of a name wins, at the place in the list that the first one had."""
    session.roots = tuple(_roots(session))
    winners: dict[Any, LoadedSkill] = {}
    try:
        for root in session.roots:
            _take(session, root, winners)
    except Ended as error:
        session.failure = str(error)
        return
    session.skills += winners.values()


def _roots(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the directories, links resolved: those of the setting `paths`, else the roots."""
    paths = session.settings["paths"]
    for number, path in enumerate(paths, start=1):
        yield _root(f"root {number}", session.project / str(path), str(path))
    if not paths:
        yield from (_root(root.role, root.path, root.display_path) for root in session.roots)


def _root(role: str, path: Path, shown: str) -> ResolvedRoot:
    return ResolvedRoot(role, Path(os.path.realpath(path)), shown)


def _take(session: Session, root: ResolvedRoot, winners: dict[Any, LoadedSkill]) -> None:
    """Add the skills of one directory; another error than a refusal leaves out all or some of them."""
    try:
        found = list(_of_root(session, root))
    except (OSError, LoaderError) as error:
        _warn(session, f"Error loading skills from {LOADER}: {error}")
        return
    for position, skill in enumerate(found):
        name = skill.extra["manifest"].name
        try:
            earlier = winners.get(name)
        except TypeError as error:  # a name that is a list or a mapping
            _warn(session, f"Error loading skills from {LOADER}: {error}")
            why = f"the name of `{skill.directory.name}` ends the loading of its directory {SILENTLY}"
            session.skipped += [Refused(each.directory, None, why, root.role) for each in found[position:]]
            return
        if earlier is not None:
            _warn(session, f"Duplicate skill name '{name}', overwriting with newer version")
            session.shadowed.append(last_wins(session, skill, earlier))
        winners[name] = skill


def _warn(session: Session, message: str) -> None:
    session.logs.append(Log("WARNING", LOGGER, message))


def _of_root(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill]:
    """Yield the skills of one directory, which may be one itself; raises `Ended`, `LoaderError`, OSError."""
    if not exists(root.path):
        raise FileNotFoundError(f"Skills path does not exist: {root.path}")
    if exists(root.path / FILE_NAME):
        directories = [root.path]
    else:
        directories = [each for each in children(root.path) if is_directory(each)]
    for directory in directories:
        if directory != root.path and (without := _without(directory, root.role)):
            session.skipped.append(without)
            continue
        outcome = _package(directory, root.role, session.settings["validate"])
        if isinstance(outcome, Refused):
            session.skipped.append(outcome)
            if outcome.ends_loading:
                raise Ended(outcome.message)
            if outcome.message is not None:
                _warn(session, outcome.message)
            continue
        for warning in outcome.extra["manifest"].warnings:
            _warn(session, warning)
        yield outcome


def _without(directory: Path, role: str) -> Refused | None:
    """Return the outcome for a directory that is passed over, None for one that is not."""
    if directory.name.startswith("."):
        return Refused(directory, None, f"its name begins with a dot {SILENTLY}", role)
    if not exists(directory / FILE_NAME):
        return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", role)
    return None


def _package(directory: Path, role: str, validate: bool) -> LoadedSkill | Refused:
    """Return what becomes of a directory with a SKILL.md; raises `LoaderError`."""
    try:
        manifest = read(bytes_of(directory / FILE_NAME), directory.name, str(directory), validate)
        files = {name: _files(directory / name) for name in (SCRIPTS, REFERENCES)}
    except OSError as error:
        message = f"Error loading skill from {directory}: {error}"
        return Refused(directory, message, f"it cannot be read: {error.strerror}", role)
    except Invalid as error:
        words = str(error.message)
        return Refused(directory, words, words, role, error.kind, error.library, ends_loading=True)
    except Refusal as refusal:
        return Refused(directory, refusal.message, refusal.why, role, refusal.kind, refusal.library)
    extra = {"manifest": manifest, **files}
    key, description = str(manifest.name), str(manifest.description)
    return LoadedSkill(key, key, description, directory, manifest.body, role, str(directory), extra)


def _files(directory: Path) -> list[str]:
    """Return the names of the files directly in a directory, sorted, without hidden ones."""
    if not is_directory(directory):
        return []
    found = (path for path in children(directory) if not path.name.startswith("."))
    return sorted(path.name for path in found if path.is_file())


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    if not os.path.lexists(directory / FILE_NAME):
        return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}")
    try:
        return _package(directory, "", validate=True)
    except LoaderError as error:
        why = f"an error of the validator leaves out its whole directory: {error}"
        return Refused(directory, f"Error loading skills from {LOADER}: {error}", why)


def manifest_of(skill: LoadedSkill) -> Manifest:
    """Return what the framework read of a loaded skill."""
    found: Manifest = skill.extra["manifest"]
    return found
