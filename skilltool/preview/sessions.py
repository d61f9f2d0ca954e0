"""Which session answers for which copy of a skill?

Each client has one session, of the project. Where no client looks by itself, as in the `skills/` of a
library, each gets another one, which is told of the directory (see `packages.setup`). So does the owner of a
package, such as the client of a plugin, of what it does not come to.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from skilltool import runtimes
from skilltool.explain.copies import Copy, copies
from skilltool.explain.default_client import default_client_of, is_in_no_place
from skilltool.lint.find import find_skills, planned_audiences
from skilltool.lint.settings import Settings
from skilltool.packages.registration import Setup, setups_of
from skilltool.runtimes.base import Runtime, Session


class Source(Protocol):
    """How a project is read; files may have changed since the last call. It can be sent between processes.

    All of it may raise `SkilltoolError`.
    """

    @property
    def project(self) -> Path:
        """The directory of the project, absolute."""

    def settings(self) -> Settings:
        """Return the settings of `lint`, which name the project as their path."""

    def runtimes(self) -> Sequence[Runtime]:
        """Return the runtimes that the user or the configuration names; none to go by places."""

    def open(self, runtime: Runtime, setup: Setup | None) -> Session:
        """Open a session, as `resolve` and `render` do, which may be told of skills."""

    def command(self, name: str, runtime: str, arguments: str) -> str:
        """Return the command that prints what a runtime gives for a skill, a key or a path."""


class Opened(NamedTuple):
    """A session, what it was told of skills that it does not come to by itself, and their directory."""

    session: Session
    setup: Setup | None = None
    stand_in: Path | None = None


class Found(NamedTuple):
    """A copy of a skill, and the session that answers for it by the id of its runtime."""

    copy: Copy
    opened: Mapping[str, Opened]


def fresh(session: Session) -> Session:
    """Return a copy of a session that remembers no call of another copy."""
    again = copy(session)
    again.memory = {name: _apart(value) for name, value in session.memory.items()}
    again.skills, again.shadowed = list(session.skills), list(session.shadowed)
    again.skipped, again.logs = list(session.skipped), list(session.logs)
    return again


def _apart(value: Any, deep: bool = True) -> Any:
    """Return a copy of what a session remembers, and of the collections in it; what they hold is shared."""
    if isinstance(value, dict):
        return {key: _apart(each, False) if deep else each for key, each in value.items()}
    if isinstance(value, list | set):
        return copy(value)
    if not deep or not is_dataclass(value) or isinstance(value, type):
        return value
    again = copy(value)
    for field in fields(value):
        object.__setattr__(again, field.name, _apart(getattr(value, field.name), False))
    return again


def chosen(source: Source, settings: Settings) -> list[Runtime]:
    """Return the runtimes to show: those named, else those for which the skills are made.

    Those are the owners and the readers of each place. Skills that lie in nobody's place are shown to the
    group `clients`.
    """
    named = source.runtimes()
    if not named:
        audiences = planned_audiences(settings).values()
        ids = dict.fromkeys(
            name for audience in audiences if not audience.is_guess for name in audience.runtimes
        )
        named = _programs(map(runtimes.get, ids))
    if not named:
        clients = (name for name in runtimes.GROUPS["clients"] if name not in runtimes.REPORTED)
        named = list(map(runtimes.get, clients))
    return _programs(named)


def _programs(found: Sequence[Runtime] | Iterator[Runtime]) -> list[Runtime]:
    """Return the runtimes that load skills: a common ground does not."""
    return [runtime for runtime in found if not runtime.ground]


def open_all(
    source: Source, asked: Sequence[Runtime], settings: Settings
) -> tuple[list[Found], list[Opened]]:
    """Return the copies of skills, those of the project first, and all sessions that answer for one."""
    main = [Opened(source.open(runtime, None)) for runtime in asked if not runtime.any_roots]
    found = [
        Found(each, {opened.session.runtime.id: opened for opened in main if _sees(opened, each)})
        for each in copies([opened.session for opened in main])
    ]
    seen = {os.path.realpath(each.copy.directory) for each in found if each.copy.is_skill_file}
    unseen: dict[Path, list[Path]] = {}
    for directory in find_skills(settings._replace(allow_empty=True)).skills:
        absolute = Path(os.path.abspath(directory))
        if os.path.realpath(absolute) not in seen:
            unseen.setdefault(absolute.parent, []).append(absolute)
    stand_ins = list(_tell_owners(source, asked, found))
    for parent, skills in unseen.items():
        opened = list(_told(source, asked, parent, skills))
        stand_ins += opened
        found += _found_in(source, opened, skills)
    found.sort(key=lambda each: _order(each.copy))
    return found, [*main, *stand_ins]


def _tell_owners(source: Source, asked: Sequence[Runtime], found: list[Found]) -> Iterator[Opened]:
    """Yield sessions of owners of packages that are told of what others see, and add what becomes of that."""
    left_out: dict[tuple[str, Path], list[int]] = {}
    for at, each in enumerate(found):
        if not each.copy.is_skill_file:
            continue
        real = Path(os.path.realpath(each.copy.directory))
        owner = default_client_of(real)
        if owner.place and owner.runtime in asked and owner.runtime.id not in each.copy.seen:
            left_out.setdefault((owner.runtime.id, real.parent), []).append(at)
    for (name, parent), numbers in left_out.items():
        skills = [Path(os.path.realpath(found[at].copy.directory)) for at in numbers]
        opened = list(_told(source, [runtimes.get(name)], parent, skills))
        yield from opened
        by_path = _by_path(opened)
        for at in numbers:
            if more := by_path.get(os.path.realpath(found[at].copy.directory)):
                copy = found[at].copy._replace(seen={**found[at].copy.seen, **more.copy.seen})
                found[at] = Found(copy, {**found[at].opened, **more.opened})


def _order(copy: Copy) -> tuple[object, ...]:
    return copy.shown.startswith(("~", "/")), copy.skill, copy.shown


def _sees(opened: Opened, copy: Copy) -> bool:
    return opened.session.runtime.id in copy.seen


def _told(source: Source, asked: Sequence[Runtime], parent: Path, skills: Sequence[Path]) -> Iterator[Opened]:
    """Yield a session of each runtime that is told of skills, which all lie in `parent`.

    In a client's place, such as that of a package further down, that is who looks there, and its owner.
    """
    in_place = not is_in_no_place(skills[0])
    owner = default_client_of(skills[0]).runtime
    for runtime in asked:
        for setup in setups_of(runtime, skills):
            is_own = runtime == owner and runtime.installed is None  # no plugin that leaves the skill out
            if not in_place or setup.project is not None or setup.plugin or is_own:
                yield Opened(source.open(runtime, setup), setup, parent)


def _found_in(source: Source, opened: Sequence[Opened], skills: Sequence[Path]) -> Iterator[Found]:
    """Yield the copies in some directories, with what becomes of each; also those that nobody sees."""
    by_path = _by_path(opened)
    for directory in skills:
        known = by_path.get(os.path.realpath(directory))
        yield known or Found(Copy(directory.name, directory, _shown(source, directory), {}), {})


def _by_path(opened: Sequence[Opened]) -> dict[str, Found]:
    """Return the copies that some sessions come to, by real path; a file beside a SKILL.md is none."""
    found = (each for each in _copies_in(opened) if each.copy.is_skill_file)
    return {os.path.realpath(each.copy.directory): each for each in found}


def _copies_in(opened: Sequence[Opened]) -> Iterator[Found]:
    by_runtime = {each.session.runtime.id: each for each in opened}
    for each in copies([one.session for one in opened]):
        yield Found(each, {name: by_runtime[name] for name in each.seen})


def _shown(source: Source, directory: Path) -> str:
    if directory.is_relative_to(source.project):
        return directory.relative_to(source.project).as_posix()
    return str(directory)
