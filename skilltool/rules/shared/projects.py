"""Opens the projects around the checked skills as a target does: one session per project, with all its roots.

A directory that matches a root of the target (`.kodelet/skills`) is that root of its project. If none
matches, the parent of the skills takes the role of the target's first root. The home directory is never read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.bounds import current_skill
from skilltool.files.one_run import once_a_run
from skilltool.files.paths import cached_realpath, path_once
from skilltool.packages.manifest import places
from skilltool.rules.records import Record
from skilltool.runtimes.base import Runtime, Session
from skilltool.skill.model import Skill
from skilltool.text.lazy_pattern import lazy_pattern

_NO_HOME = ".skilltool-no-home"


class Collection(NamedTuple):
    """The session of one project, and the checked skills in its roots, in path order and by real path.

    `is_project` is False if no root of the target matched and the parent of the skills was used as a root,
    or if the target was told of them as a plugin; then `is_plugin` is True.
    """

    session: Session
    records: tuple[Record, ...]
    by_real_path: Mapping[str, Record]
    is_project: bool
    is_plugin: bool = False

    def found(self) -> set[str]:
        """Return the real paths of the skills that the session loaded, shadowed or refused; all after a failure."""
        session = self.session
        if session.failure is not None:
            return {cached_realpath(record.directory) for record in self.records}
        directories = [skill.directory for skill in session.skills]
        directories += [lost.skill.directory for lost in session.shadowed]
        directories += [refused.directory for refused in session.skipped]
        return {cached_realpath(os.path.abspath(directory)) for directory in directories}

    def record(self, directory: Path) -> Record | None:
        """Return the checked skill in `directory`, compared by real path; None if it was not checked."""
        return self.by_real_path.get(cached_realpath(os.path.abspath(directory)))


def collections(records: Sequence[Record], target: Runtime) -> tuple[Collection, ...]:
    """Return the collections of `records`, in the order of their first skill; none if the user names the roots."""
    return () if target.any_roots else _collections(tuple(records), target.id)


# Two rules and the matrix ask for the same collections, target by target. Of one target only, since each
# session has the text of every skill.
@once_a_run(1)
def _collections(records: tuple[Record, ...], runtime_id: str) -> tuple[Collection, ...]:
    target = runtimes.get(runtime_id)
    grouped: dict[tuple[str, bool], list[Record]] = {}
    for record in records:
        project = record.project(target)
        key = (project, True) if project is not None else (record.root(target), False)
        grouped.setdefault(key, []).append(record)
    return tuple(
        _opened(target, path_once(directory), is_project, tuple(members))
        for (directory, is_project), members in grouped.items()
    )


def _opened(target: Runtime, directory: Path, is_project: bool, members: tuple[Record, ...]) -> Collection:
    """Open the session of a collection, and tell who watches this process that it is open."""
    told = {} if is_project else _told(target, members)
    session = _open_session(target, directory, is_project, told)
    current_skill.leave()
    # Of two links to one skill the first is meant.
    by_real_path = {cached_realpath(os.path.abspath(each.directory)): each for each in reversed(members)}
    return Collection(session, members, by_real_path, is_project, bool(told))


def _told(target: Runtime, members: Sequence[Record]) -> dict[str, Any]:
    """Return the settings that tell a target of the skills which it scans no root for, as those of a plugin."""
    if target.settings_for is None:
        return {}
    return target.settings_for([Path(member.directory) for member in members])


def _open_session(target: Runtime, directory: Path, is_project: bool, told: dict[str, Any]) -> Session:
    """Open a session in the project `directory`, or with `directory` as the target's first root."""
    settings = _settings_in_lint(target.id)
    parent, home = _around(directory)
    if is_project:
        return target.open(directory, home, settings)
    if told:
        return target.open(parent, home, {**settings, **told})
    first = next((root.role for root in target.roots if root.scope == "project"), None)
    role = first or next(root.role for root in target.roots if root.scope == "user")
    return target.open(parent, home, settings, {role: directory})


@cache
def _settings_in_lint(runtime_id: str) -> Mapping[str, Any]:
    """Return the settings with which `lint` opens a session of a runtime; nobody changes them."""
    known = runtimes.get(runtime_id).settings
    return {name: setting.in_lint for name, setting in known.items() if setting.in_lint is not None}


@once_a_run(1)
def _around(directory: Path) -> tuple[Path, Path]:
    """Return the parent of a directory, and the home that no session finds: one after the other asks."""
    return directory.parent, directory / _NO_HOME


# `<!-- setup:start -->` and `<!-- setup:end -->`, as build tools write them around a part.
_MARK = lazy_pattern(
    r"<!--[ \t]*(?P<part>[\w./:-]{1,80})[:-](?P<edge>start|begin|end)[ \t]*-->", re.IGNORECASE
)


def is_overlay(skill: Skill) -> bool:
    """Return whether the whole file is parts between a start and an end comment, without frontmatter."""
    text = skill.source.text
    if skill.frontmatter.envelope.opening is not None or not text.lstrip().startswith("<!--"):
        return False
    part, at = None, 0
    for mark in _MARK.finditer(text):
        is_end = mark["edge"].lower() == "end"
        if is_end and mark["part"] == part:
            part, at = None, mark.end()
        elif not is_end and part is None:
            if text[at : mark.start()].strip():
                return False
            part = mark["part"]
    return part is None and at > 0 and not text[at:].strip()


def lies_in_project(skill: Skill) -> bool:
    """Return whether the skill is in a client's directory of a project: what it names is there or nowhere."""
    return skill.surroundings.project(place.path for place in places()) is not None


def in_hidden_root(directory: Path) -> bool:
    """Return whether a directory is under a `.anything/skills` of its project.

    A repository that is itself called `.anything` is a project, and what is above a repository does not count.
    """
    for parent in directory.parents:
        if _is_repository(parent):
            return False
        if parent.name == "skills" and is_hidden_project(parent.parent):
            return True
    return False


def is_hidden_project(directory: Path) -> bool:
    """Return whether a directory that has a `skills` is the `.anything` of a runtime, not a project."""
    return directory.name.startswith(".") and not _is_repository(directory)


def _is_repository(directory: Path) -> bool:
    return os.path.exists(directory / ".git")
