"""The table of skills and runtimes: loaded, under which key, truncated, unlisted, shadowed or refused.

It is read from a session that the runtime opens where the skills are, so it agrees with `resolve`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.bounds import current_skill
from skilltool.files.paths import cached_realpath
from skilltool.rules.records import Record
from skilltool.rules.shared.projects import Collection, collections
from skilltool.runtimes.base import Runtime, Session
from skilltool.runtimes.values import LoadedSkill, Refused
from skilltool.skill.skill_file import may_be_skill


class Cell(NamedTuple):
    """How one runtime treats one skill.

    `state` is `loaded`, `shadowed` (another copy has the key), `refused`, `unread` if it is over a bound of
    skilltool, or `unseen` if the runtime does not search the directory. `key` is the name to call it by, None
    unless it is loaded. `cut` says that the listing truncates the description, `listed` that the listing
    contains the skill.
    """

    state: str
    key: str | None = None
    cut: bool = False
    listed: bool = False


class Row(NamedTuple):
    """One skill: the path of its file as in reports, its directory's name, and a cell per runtime id."""

    path: str
    skill: str
    cells: dict[str, Cell]


def build(records: Sequence[Record], asked: Sequence[Runtime]) -> tuple[Row, ...]:
    """Return one row per record, in their order, with a cell for each of the runtimes `asked`."""
    cells: dict[str, dict[str, Cell]] = {record.path: {} for record in records}
    for runtime in asked:
        if runtime.any_roots and runtime.load is not None:
            for record in records:
                outcome = runtime.load(Path(os.path.abspath(record.directory)))
                current_skill.leave()
                cells[record.path][runtime.id] = cell_of(outcome, runtime)
        for collection in collections(records, runtime):
            for record, cell in cells_of(collection, runtime):
                cells[record.path][runtime.id] = cell
    return tuple(Row(record.path, record.skill, cells[record.path]) for record in records)


def cells_of(collection: Collection, runtime: Runtime) -> Iterator[tuple[Record, Cell]]:
    """Yield how the runtime treats each skill of one collection."""
    session = collection.session
    omitted = frozenset(runtime.budget(session)[1]) if runtime.budget else frozenset()
    # Some runtimes resolve links, so only real paths are comparable.
    # A client may take another page of the directory for a skill.
    loaded = {_real(skill.directory): skill for skill in session.skills if may_be_skill(skill.path)}
    shadowed = {_real(lost.skill.directory) for lost in session.shadowed if may_be_skill(lost.skill.path)}
    skipped = {_real(refused.directory): refused for refused in session.skipped}
    for record in collection.records:
        directory = _real(record.directory)
        if directory in loaded:
            yield record, _loaded(loaded[directory], runtime, omitted)
        elif directory in shadowed:
            yield record, Cell("shadowed")
        else:
            yield record, Cell(_state(skipped.get(directory), session))


def cell_of(outcome: LoadedSkill | Refused, runtime: Runtime) -> Cell:
    """Return how a runtime without roots of its own treats one directory, whatever is beside it."""
    if isinstance(outcome, Refused):
        return Cell("unread" if outcome.not_read else "refused")
    return _loaded(outcome, runtime, frozenset())


def _real(directory: Path | str) -> str:
    return cached_realpath(os.path.abspath(directory))


def _state(skipped: Refused | None, session: Session) -> str:
    if skipped is not None:
        return "unread" if skipped.not_read else "hidden" if skipped.hidden else "refused"
    return "unseen" if session.failure is None else "failed"


def _loaded(skill: LoadedSkill, runtime: Runtime, omitted: frozenset[str]) -> Cell:
    listed = runtime.lists(skill) and skill.key not in omitted
    return Cell("loaded", skill.key, runtime.cuts(skill), listed)
