"""Answers records, one after the other, without ever seeing what is expected.

Records of one tree share it: it is laid once, and again only for a record whose steps change files.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from skilltool import runtimes
from skilltool.errors import SkilltoolError
from tests.support.goldens import claude_code, clients, forms
from tests.support.goldens.packs import Pack, scratch
from tests.support.goldens.worlds import Record, Trees, World

_NOBODY = 65534


def edition_of(record: Record) -> str:
    """Return the edition that a record is about: from its id, else Claude Code's with its version."""
    before = str(record["id"]).partition("/")[0]
    return before if "@" in before else f"claude-code@{record['version']}"


def drive(pack: Pack, records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Yield one answer per record, in their order; what cannot be answered says why."""
    with scratch("goldens-") as base:
        bench = _Bench(pack, Path(base))
        for record in records:
            try:
                found = bench.answer(record)
            except (SkilltoolError, KeyError, LookupError, OSError, ValueError, TypeError) as error:
                found = unanswered(f"{type(error).__name__}: {error}")
            yield {"id": record["id"], **found}


def unanswered(why: str) -> dict[str, Any]:
    return {"answer": {"unanswered": why}}


class _Bench:
    """Holds the trees that are laid."""

    def __init__(self, pack: Pack, base: Path) -> None:
        self.pack = pack
        self.base = base
        self.trees = Trees(pack, base)
        self.places: dict[str, claude_code.Places] = {}

    def answer(self, record: Record) -> dict[str, Any]:
        edition = edition_of(record)
        if edition not in runtimes.IDS:
            return unanswered(f"no such runtime: {edition}")
        runtime = runtimes.get(edition)
        if edition.startswith("claude-code@"):
            return claude_code.answer(record, runtime, self._places(record))
        family = edition.partition("@")[0]
        if family in clients.NAMES:
            return clients.answer(record, runtime, self._world(record, family))
        if record["op"] == "parse":
            return forms.parse(record, runtime)
        settings = dict(record.get("settings", {}))
        with _permissions_hold(settings.pop("user", "") == "non-root", self.base):
            world = self._world(record, family)
            level = record.get("level", "runtime")
            session = runtime.open(world.project, world.user, world.filled(settings), level=level)
            for step in record.get("before", ()):
                if step["op"] == "call":
                    session.call(step["arguments"], tool=step.get("tool"))
                elif step["op"] == "user":
                    session.user(world.filled(step["arguments"]))
                elif step["op"] == "new_session":
                    session = runtime.open(world.project, world.user, world.filled(settings), level=level)
                else:
                    world.edit(step)
            return forms.answer(record, session, world)

    def _places(self, record: Record) -> claude_code.Places:
        key = claude_code.tree_of(record)
        if key not in self.places:
            self.places[key] = claude_code.lay(self.pack, record, self.trees.place())
        return self.places[key]

    def _world(self, record: Record, runtime: str) -> World:
        """Return the tree of a record; those of clients have files that depend on the settings."""
        settings = record.get("settings", {}) if runtime in clients.NAMES else None
        return self.trees.of(record, runtime, settings)


@contextmanager
def _permissions_hold(wanted: bool, base: Path) -> Iterator[None]:
    """Where `wanted`, run as somebody for whom file permissions hold: root reads everything."""
    if not wanted or os.geteuid() != 0:
        yield
        return
    base.chmod(0o777)
    os.seteuid(_NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def main(arguments: list[str], lines: TextIO, out: TextIO) -> int:
    """Answer the records in `lines` for the pack named by the only argument."""
    if len(arguments) != 1:
        sys.stderr.write("usage: drive.py PACK <records.jsonl >answers.jsonl\n")
        return 2
    with Pack(Path(arguments[0]).resolve()) as pack:
        records = (json.loads(line) for line in lines if line.strip())
        for found in drive(pack, records):
            out.write(json.dumps(found) + "\n")
    return 0
