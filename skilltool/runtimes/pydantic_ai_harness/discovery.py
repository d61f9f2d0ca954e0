"""Which skills does the harness of Pydantic AI find in its libraries, and what ends the run?

Source: `pydantic_ai_harness/skills/_loader.py` and `_capability.py` of pydantic-ai-harness 0.62.0, and runs
of them.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import first_wins, is_directory_here, read_bytes
from skilltool.runtimes.pydantic_ai_harness.manifest import normal, read
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, ResolvedRoot
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME

_LOGGER = "skills"
_ADVISED: int = schema.load("pydantic-ai-harness")["properties"]["description"]["maxLength"]
_ERROR = "ValueError"


class _Ended(Exception):  # noqa: N818 - an outcome of the harness
    """Ends the run of the agent; it holds what did."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.message)
        self.refused = refused


def scan(session: Session) -> None:
    """Fill a session: libraries are looked at in their order, and directories by name."""
    try:
        libraries = list(_libraries(session))
        found = [path for root in libraries for path in _in_library(session, root)]
        for path, role in _selected(session, found):
            _add(session, path, role)
    except _Ended as error:
        session.skills.clear()
        session.failure = error.refused.message
        session.skipped.append(error.refused)
        return
    session.logs += [Log("WARNING", _LOGGER, advice) for advice in _advice(session)]


def _libraries(session: Session) -> Iterator[ResolvedRoot]:
    """Yield the libraries, each directory once."""
    lenient = session.settings["missing_directories"] == "skip"
    seen: set[Path] = set()
    for root in session.roots:
        if root.path in seen:
            continue
        seen.add(root.path)
        mode = _mode(root.path)
        is_directory = mode is not None and stat.S_ISDIR(mode)
        if is_directory and not _is_file(root.path / FILE_NAME):
            yield root
        elif not lenient:
            raise _Ended(_ending(root.path, _root_error(root, mode), _ERROR)._replace(role=root.role))
        elif mode is not None:
            what = "it is a skill package, not a library" if is_directory else "it is not a directory"
            words = f"Skipping {root.path}: {what}."
            session.skipped.append(Refused(root.path, words, what, root.role))
            session.logs.append(Log("WARNING", _LOGGER, words))


def _root_error(root: ResolvedRoot, mode: int | None) -> str:
    if mode is None:
        return f"Skill library directory does not exist in the workspace: {root.display_path}"
    if not stat.S_ISDIR(mode):
        return f"Skill library path is not a directory: {root.display_path}"
    advice = "Pass its parent directory instead."
    return f"Skill library path points to a skill package: {root.display_path}. {advice}"


def _in_library(session: Session, root: ResolvedRoot) -> Iterator[tuple[Path, str]]:
    try:
        names = sorted(os.listdir(root.path))
    except OSError as error:
        raise _Ended(_ending(root.path, str(error), type(error).__name__)) from None
    for name in names:
        directory = root.path / name
        if not is_directory_here(directory):
            continue
        if _is_file(directory / FILE_NAME):
            yield directory, root.role
        else:
            session.skipped.append(Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", root.role))


def _selected(session: Session, found: list[tuple[Path, str]]) -> list[tuple[Path, str]]:
    """Return the directories that the settings leave; raises `_Ended` for names that no library has."""
    available = {normal(path.name) for path, _ in found}
    include, exclude = (
        None if session.settings[name] is None else {normal(each) for each in session.settings[name]}
        for name in ("include", "exclude")
    )
    if include is not None and exclude is not None:
        raise _Ended(_of_settings(session, "include and exclude cannot be used together."))
    for name, given in (("include", include), ("exclude", exclude)):
        unknown = sorted((given or set()) - available)
        if unknown and session.settings["unknown_names"] != "skip":
            known = ", ".join(sorted(available)) or "(none)"
            noun = "skill" if len(unknown) == 1 else "skills"
            words = f"Unknown {noun} in {name}: {', '.join(unknown)}. Available skills: {known}."
            raise _Ended(_of_settings(session, words))
    kept = include if include is not None else available - (exclude or set())
    why = "the settings `include` and `exclude` leave it out"
    for path, role in found:
        if normal(path.name) not in kept:
            session.skipped.append(Refused(path, None, why, role, hidden=True))
    return [(path, role) for path, role in found if normal(path.name) in kept]


def _of_settings(session: Session, words: str) -> Refused:
    return _ending(session.project, words, _ERROR)


def _add(session: Session, directory: Path, role: str) -> None:
    outcome = load(directory)
    outcome = outcome._replace(role=role)
    if isinstance(outcome, Refused):
        if outcome.ends_loading:
            raise _Ended(outcome)
        session.skipped.append(outcome)
        if outcome.message is not None:
            session.logs.append(Log("WARNING", _LOGGER, outcome.message))
        return
    first = session.find(outcome.key)
    if first is None:
        session.skills.append(outcome)
    elif _is_same(first.directory / FILE_NAME, directory / FILE_NAME):
        session.shadowed.append(first_wins(session, first, outcome)._replace(why="it is an identical copy"))
    else:
        _lose(session, first, outcome)


def _lose(session: Session, first: LoadedSkill, second: LoadedSkill) -> None:
    """Leave out a skill whose name is taken; raises `_Ended` unless the settings keep the first."""
    kept, lost = first.directory / FILE_NAME, second.directory / FILE_NAME
    if session.settings["duplicate_names"] != "keep_first":
        words = f"Duplicate skill name {second.name!r}: {kept} and {lost}."
        raise _Ended(_ending(second.directory, words, _ERROR)._replace(role=second.role))
    words = f"Skipping {lost}: skill name {second.name!r} is already taken by {kept}."
    session.logs.append(Log("WARNING", _LOGGER, words))
    session.shadowed.append(first_wins(session, first, second))


def _is_same(first: Path, second: Path) -> bool:
    """Return whether two files are one, or have the same bytes."""
    try:
        return os.path.realpath(first) == os.path.realpath(second) or read_bytes(first) == read_bytes(second)
    except OSError as error:
        raise _Ended(_ending(second.parent, str(error), type(error).__name__)) from None


def _advice(session: Session) -> Iterator[str]:
    """Yield what is said about skills that are loaded: long descriptions, and fields that do nothing here."""
    long = [(s.name, len(s.description)) for s in session.skills if len(s.description) > _ADVISED]
    if long:
        skills = "; ".join(f"{name} ({length:,} characters)" for name, length in long)
        yield f"Agent Skill descriptions exceed the {_ADVISED:,}-character limit: {skills}"
    ignored = [(skill.name, skill.extra["manifest"].ignored) for skill in session.skills]
    if skills := "; ".join(f"{name}: {', '.join(fields)}" for name, fields in ignored if fields):
        yield f"Ignoring unsupported Agent Skill behavioral frontmatter fields: {skills}"


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, whatever the settings."""
    file = directory / FILE_NAME
    try:
        if not _is_file(file):
            return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}")
        found = read(read_bytes(file), file)
    except _Ended as error:
        return error.refused._replace(directory=directory)
    except OSError as error:
        return _ending(directory, str(error), type(error).__name__)
    except Refusal as refusal:
        message = None if refusal.message is None else f"Skipping {file}: {refusal.message}"
        return Refused(directory, message, refusal.why, "", refusal.kind, refusal.library)
    extra = {"manifest": found}
    return LoadedSkill(
        found.name, found.name, found.description, directory, found.body, "", str(directory), extra
    )


def _mode(path: Path) -> int | None:
    """Return the mode of what is at a path, None if nothing is; any other error ends the run."""
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _Ended(_ending(path, str(error), type(error).__name__)) from None


def _is_file(path: Path) -> bool:
    mode = _mode(path)
    return mode is not None and not stat.S_ISDIR(mode)


def _ending(directory: Path, words: str, kind: str) -> Refused:
    return Refused(directory, words, words, kind=kind, ends_loading=True)
