"""Which skills does Agent Framework find in the directories that it is given, and which copy of a name wins?

Source: `agent_framework/_skills.py` of agent-framework-core 1.23.0, and runs of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.agent_framework.files import files_of
from skilltool.runtimes.agent_framework.instructions import template_problem
from skilltool.runtimes.agent_framework.manifest import NOT_UTF_8, read
from skilltool.runtimes.base import Session
from skilltool.runtimes.loading import (
    children,
    first_wins,
    is_directory_here,
    is_file_here,
    is_link_here,
    read_bytes,
)
from skilltool.runtimes.values import SILENTLY, LoadedSkill, Log, Refusal, Refused, unlistable_root
from skilltool.skill.skill_file import FILE_NAME

_LOGGER = "agent_framework._skills"
_DEEPEST = 2
_MOST_ENTRIES = 20_000
_LINKED = "a link below a root is not followed"
_ENDS = "one SKILL.md that is not UTF-8 ends the run of the agent"


class _Found(NamedTuple):
    """A directory with a SKILL.md, or one that is passed over: then with the warning, None if silent."""

    directory: Path
    role: str
    skipped: bool = False
    warning: str | None = None


def scan(session: Session) -> None:
    """Fill a session: every directory is looked for first, then each file is read; the first copy wins."""
    found = [each for root in session.roots for each in _in_root(session, root.path, root.role)]
    for each in found:
        if each.warning is not None:
            session.logs.append(Log("WARNING", _LOGGER, each.warning))
        if each.skipped:
            session.skipped.append(_passed_over(each))
    for each in found:
        if not each.skipped and not _read(session, each):
            session.skills.clear()
            return
    if session.skills:
        session.failure = template_problem(session.settings["instruction_template"])


def _read(session: Session, found: _Found) -> bool:
    """Add the skill of a directory, or what is wrong with it; return whether the loading goes on."""
    outcome = load(found.directory)
    if isinstance(outcome, Refused):
        return _refused(session, outcome._replace(role=found.role))
    skill = outcome._replace(role=found.role)
    for warning in skill.extra["manifest"].warnings:
        session.logs.append(Log("WARNING", _LOGGER, warning))
    first = session.find(skill.key)
    if first is not None:
        words = f"skill from '{skill.directory}' skipped in favor of existing skill"
        session.logs.append(Log("WARNING", _LOGGER, f"Duplicate skill name '{skill.name}': {words}"))
        session.shadowed.append(first_wins(session, first, skill))
        return True
    try:
        files = files_of(skill.directory, session.settings["search_depth"])
    except Refusal as refusal:
        return _refused(session, _of_refusal(skill.directory, refusal, ends=True)._replace(role=found.role))
    session.logs += [Log("WARNING", _LOGGER, warning) for warning in files.warnings]
    session.skills.append(skill._replace(extra={**skill.extra, "files": files}))
    return True


def _refused(session: Session, refused: Refused) -> bool:
    session.skipped.append(refused)
    if refused.ends_loading:
        session.failure = refused.message
        return False
    if refused.message is not None:
        session.logs.append(Log("ERROR", _LOGGER, refused.message))
    return True


def _in_root(session: Session, root: Path, role: str) -> Iterator[_Found]:
    if not is_directory_here(root):
        return
    try:
        children(root)
    except OSError as error:
        unlistable = next(each for each in session.roots if each.role == role)
        session.skipped.append(unlistable_root(unlistable, error))
        return
    yield from _below(root, role, 0)


def _below(directory: Path, role: str, depth: int) -> Iterator[_Found]:
    """Yield the skills in a directory, which may be one itself, and what is passed over in it."""
    file = directory / FILE_NAME
    if is_file_here(file):
        linked = is_link_here(file)
        yield _Found(directory, role, linked, _linked_file(directory) if linked else None)
        return
    if depth >= _DEEPEST:
        if depth:
            yield _Found(directory, role, skipped=True)
        return
    try:
        entries = children(directory)[:_MOST_ENTRIES]
    except OSError:
        return
    found = []
    for entry in entries:
        if is_link_here(entry):
            words = "symbolic link or reparse point detected, or the entry could not be inspected"
            found.append(_Found(entry, role, True, f"Skipping discovery entry '{entry}': {words}"))
        elif is_directory_here(entry):
            found += _below(entry, role, depth + 1)
    if depth and not any(not each.skipped for each in found):
        yield _Found(directory, role, skipped=True)
    yield from found


def _linked_file(directory: Path) -> str:
    words = "is a symbolic link or reparse point, or could not be inspected"
    return f"Skipping skill directory '{directory}': '{FILE_NAME}' {words}"


def _passed_over(found: _Found) -> Refused:
    if found.warning is None:
        return Refused(found.directory, None, f"it has no {FILE_NAME} {SILENTLY}", found.role)
    return Refused(found.directory, found.warning, _LINKED, found.role)


def load(directory: Path) -> LoadedSkill | Refused:
    """Return what becomes of one skill directory, of which no part below the root is a link."""
    file = directory / FILE_NAME
    try:
        if not is_file_here(file):
            return Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}")
        if is_link_here(file):
            return Refused(
                directory, _linked_file(directory), f"{FILE_NAME} is a link, which is not followed"
            )
        found = read(read_bytes(file), file, directory.name)
    except OSError as error:
        why = f"{FILE_NAME} cannot be read: {error.strerror}"
        return Refused(directory, f"Failed to read SKILL.md at '{file}'", why)
    except Refusal as refusal:
        ends = refusal.kind == NOT_UTF_8
        why = _ENDS if ends else refusal.why
        return Refused(directory, refusal.message, why, "", refusal.kind, refusal.library, ends_loading=ends)
    extra = {"manifest": found}
    return LoadedSkill(
        found.name, found.name, found.description, directory, found.content, "", str(directory), extra
    )


def _of_refusal(directory: Path, refusal: Refusal, ends: bool) -> Refused:
    why = _ENDS if refusal.kind == NOT_UTF_8 else refusal.why
    return Refused(directory, refusal.message, why, "", refusal.kind, refusal.library, ends_loading=ends)
