"""Which skills does google-adk load from a directory, and which file ends the loading of all?

Source: `google/adk/skills/_utils.py` and `tools/skill_toolset.py` of google-adk 2.13.0, and runs of them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from skilltool.runtimes.base import Session
from skilltool.runtimes.google_adk.manifest import Manifest, check_directory, read
from skilltool.runtimes.loading import children, copy_name, exists, is_directory, is_file_here, read_bytes
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, ResolvedRoot

FILES = ("SKILL.md", "skill.md")
LISTING = "list_skills_in_dir"
_LOGGER = "root"
_NO_FILE = "FileNotFoundError"

Loader = Callable[[Path], LoadedSkill | Refused]


class _Ended(Exception):  # noqa: N818 - an outcome of the framework
    """Ends the loading as a whole; it holds what did."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.message)
        self.refused = refused


def scan(session: Session) -> None:
    """Fill a session: whatever is invalid ends the loading, unless the setting `api` says otherwise."""
    try:
        found = [skill for root in session.roots for skill in _in_root(session, root)]
        _check_names(session, found)
    except _Ended as error:
        session.failure = error.refused.message
        session.skipped.append(error.refused)
        return
    session.skills += found


def _in_root(session: Session, root: ResolvedRoot) -> Iterator[LoadedSkill]:
    lenient = session.settings["api"] == LISTING
    if not root.exists:
        _without_root(session, root, lenient)
        return
    only = session.settings["only"]
    try:
        below = [root.path / name for name in only] or children(root.path)
    except OSError as error:
        message = str(error)
        raise _Ended(_refused(root.path, message, message, type(error).__name__, root.role)) from None
    for path in (each for each in below if only or not is_file_here(each)):
        outcome = _of_path(path, listed=lenient, named=bool(only))
        if isinstance(outcome, LoadedSkill):
            yield outcome._replace(role=root.role)
            continue
        outcome = outcome._replace(role=root.role)
        if outcome.ends_loading:
            raise _Ended(outcome)
        session.skipped.append(outcome)
        if lenient and outcome.message is not None:
            session.logs.append(Log("WARNING", _LOGGER, outcome.message))


def _of_path(path: Path, listed: bool, named: bool) -> LoadedSkill | Refused:
    try:
        if not is_directory(path):
            if named:
                words = f"Skill directory '{os.path.realpath(path)}' not found."
                return _refused(path, words, "it is not a directory", _NO_FILE)
            return Refused(path, None, f"it is not a directory {SILENTLY}")
    except OSError as error:
        return _refused(path, str(error), f"it cannot be entered: {error.strerror}", type(error).__name__)
    return listing_entry(path) if listed else _loaded(path, named)


def _without_root(session: Session, root: ResolvedRoot, lenient: bool) -> None:
    real = os.path.realpath(root.path)
    if lenient:
        session.logs.append(Log("WARNING", _LOGGER, f"Skills base path '{real}' is not a directory."))
        return
    if os.path.lexists(root.path):
        words, kind = f"'{real}' is not a directory.", "ValueError"
    else:
        words, kind = f"Skills directory '{real}' does not exist.", _NO_FILE
    raise _Ended(_refused(root.path, words, words, kind, root.role))


def _check_names(session: Session, found: list[LoadedSkill]) -> None:
    """Raise `_Ended` if two skills have one name."""
    first: dict[str, LoadedSkill] = {}
    for skill in found:
        other = first.setdefault(skill.key, skill)
        if other is not skill and session.settings["api"] != LISTING:
            why = f"{copy_name(session, other)} has the same name; one toolset takes a name once"
            words = f"Duplicate skill name '{skill.name}'."
            raise _Ended(_refused(skill.directory, words, why, "ValueError", skill.role))


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory when a whole directory of skills is loaded."""
    return _loaded(directory, named=False)


def _loaded(directory: Path, named: bool) -> LoadedSkill | Refused:
    """Return the skill of a directory, with links resolved; `named` if it was asked for by its name."""
    real = Path(os.path.realpath(directory))
    try:
        file = _file(real)
        if file is None:
            if not named:
                return Refused(directory, None, f"it has no SKILL.md {SILENTLY}")
            return _refused(directory, _without_file(real), "it has no SKILL.md", _NO_FILE)
        found = read(read_bytes(file))
        check_directory(found, real.name)
    except Refusal as refusal:
        return _of_refusal(directory, refusal)
    except OSError as error:
        why = f"SKILL.md cannot be read: {error.strerror}"
        return _refused(directory, str(error), why, type(error).__name__)
    return _skill(found, directory, str(real))


def listing_entry(directory: Path) -> LoadedSkill | Refused:
    """Return what `list_skills_in_dir` makes of a directory: it logs what is invalid, and goes on."""
    real = Path(os.path.realpath(directory))
    try:
        file = _file(real)
        if file is None:
            raise Refusal(_without_file(real), "it has no SKILL.md", kind=_NO_FILE)
        found = read(read_bytes(file))
        check_directory(found, directory.name)
    except Refusal as refusal:
        refused = _of_refusal(directory, refusal)
        base = os.path.realpath(directory.parent)
        begin = f"Skipping invalid skill '{directory.name}' in directory '{base}': "
        message = None if refusal.message is None else begin + refusal.message
        return refused._replace(message=message, ends_loading=False)
    except OSError as error:
        why = f"SKILL.md cannot be read: {error.strerror}"
        return _refused(directory, str(error), why, type(error).__name__)
    return _skill(found, directory, str(directory))


def _file(directory: Path) -> Path | None:
    return next((directory / name for name in FILES if exists(directory / name)), None)


def _without_file(real: Path) -> str:
    return f"SKILL.md not found in '{real}'."


def _skill(found: Manifest, directory: Path, display_path: str) -> LoadedSkill:
    extra = {"manifest": found}
    return LoadedSkill(
        found.name, found.name, found.description, directory, found.body, "", display_path, extra
    )


def _of_refusal(directory: Path, refusal: Refusal) -> Refused:
    ends = refusal.message is not None  # else it is skilltool that does not read it
    return Refused(
        directory, refusal.message, refusal.why, "", refusal.kind, refusal.library, ends_loading=ends
    )


def _refused(directory: Path, message: str, why: str, kind: str, role: str = "") -> Refused:
    return Refused(directory, message, why, role, kind, ends_loading=True)
