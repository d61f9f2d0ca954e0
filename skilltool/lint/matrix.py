"""What each target makes of each skill: loaded, under which key, cut, left out, shadowed or refused.

Targets are asked by opening a session where the skills are, so the matrix says what `resolve` says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skilltool.rules.records import Record
from skilltool.rules.shared.collections import Collection, collections
from skilltool.runtimes.base import Runtime
from skilltool.runtimes.values import LoadedSkill


class Cell(NamedTuple):
    """What one target makes of one skill.

    `state` is `loaded`, `shadowed` (another copy has the key), `refused`, or `unseen` where the target
    does not look at the directory. `key` is what a call must name, None where nothing is loaded.
    `cut`: the listing has only a part of the description; `listed`: the listing has the skill at all.
    """

    state: str
    key: str | None = None
    cut: bool = False
    listed: bool = False


class Row(NamedTuple):
    """One skill: its file as reports print it, its directory's name, and a cell per target id."""

    path: str
    skill: str
    cells: dict[str, Cell]


def build(records: Sequence[Record], targets: Sequence[Runtime]) -> tuple[Row, ...]:
    """Return one row per record, in their order."""
    cells: dict[str, dict[str, Cell]] = {record.path: {} for record in records}
    for target in targets:
        for collection in collections(records, target):
            for record, cell in cells_of(collection, target):
                cells[record.path][target.id] = cell
    return tuple(Row(record.path, record.skill, cells[record.path]) for record in records)


def cells_of(collection: Collection, target: Runtime) -> Iterator[tuple[Record, Cell]]:
    """Yield what the target makes of each skill of one collection."""
    session = collection.session
    omitted = frozenset(target.budget(session)[1]) if target.budget else frozenset()
    # Some runtimes resolve links: only real paths can be compared.
    loaded = {os.path.realpath(skill.directory): skill for skill in session.skills}
    shadowed = {os.path.realpath(lost.skill.directory) for lost in session.shadowed}
    skipped = {os.path.realpath(refused.directory) for refused in session.skipped}
    for record in collection.records:
        place = os.path.realpath(record.directory)
        if place in loaded:
            yield record, _loaded(loaded[place], target, omitted)
        elif place in shadowed:
            yield record, Cell("shadowed")
        else:
            refused = place in skipped or session.failure is not None
            yield record, Cell("refused" if refused else "unseen")


def _loaded(skill: LoadedSkill, target: Runtime, omitted: frozenset[str]) -> Cell:
    cut = target.summary is not None and target.summary(skill) != skill.description
    return Cell("loaded", skill.key, cut, listed=skill.key not in omitted)
