"""A run of `survey`: read the sources, check what is new, carry the rest over, and complete the tables."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import __version__, runtimes
from skilltool.bounds.budget import Budget
from skilltool.errors import SkilltoolError
from skilltool.lint.settings import Settings
from skilltool.registry import tables
from skilltool.registry.clusters import sketch
from skilltool.registry.clusters.clustering import Clustering
from skilltool.registry.shards import Partition, Shard
from skilltool.registry.sources.directories import Source
from skilltool.registry.store import Earlier, Match, Store, comparable, open_store
from skilltool.registry.submitted import Input, Submitted
from skilltool.registry.workers import Scheduler, Workers

SHARD = 500  # skills of a partition
_FIRST = 32  # skills of the first shard; each has so many more, so that every worker soon has one
_MOST = 8 << 20  # bytes of a shard, so that few large skills make a shard, too
_CLUSTERS = 100_000  # rows of a partition of `clusters`
Progress = Callable[[int, float], None]


class Plan(NamedTuple):
    """What a run is to do: `named` are the sources as the user named them, `ids` the runtimes of verdicts."""

    sources: Sequence[Source]
    named: tuple[str, ...]
    out: Path
    settings: Settings
    ids: tuple[str, ...] = runtimes.BARE
    shard: int = SHARD
    earlier: Path | None = None


@dataclass
class Counts:
    """What a run has done so far; with `problems` its tables are not complete, `notes` are only said."""

    skills: int = 0
    carried: int = 0
    statuses: dict[str, int] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def survey(plan: Plan, start: Callable[[], Workers], progress: Progress | None = None) -> Counts:
    """Write the tables of all skills in the sources.

    `start` returns the workers, once the directory is found fit. `progress` is called after each shard with
    the number of skills and the fraction of the sources that was read. Raises `SkilltoolError`; the tables
    are then marked incomplete, and the next run goes on.
    """
    with open_store(plan.out) as store:
        run = _Run(plan, store, progress or (lambda _skills, _fraction: None))
        workers = start()
        try:
            run.check(workers)
        finally:
            workers.close()
            for source in plan.sources:
                source.close()
        run.complete(workers.name)
    return run.counts


class _Run:
    """One run, from the first shard to the complete tables."""

    def __init__(self, plan: Plan, store: Store, progress: Progress) -> None:
        self._plan, self._store, self._progress = plan, store, progress
        self.counts = Counts()
        self._began, self._started = time.monotonic(), datetime.now(UTC)
        self._id = self._started.strftime("%Y%m%dT%H%M%S.%fZ")
        self._state = {"version": __version__, "settings": _digest(plan), "run": self._id}
        earlier = plan.earlier
        if earlier is not None and not comparable(earlier, self._state):
            self.counts.notes.append(
                f"nothing is reused from {earlier}: its skilltool version or its settings differ"
            )
            earlier = None
        store.begin(self._state)
        folders = [*([] if earlier is None else [earlier]), *store.sources(self._state)]
        self._earlier = Earlier(folders)
        self._clustering = Clustering()
        self._next = 0
        self._seen: set[int] = set()
        self._write_runs(None)

    def check(self, workers: Workers) -> None:
        """Check or carry over every skill, and write their partitions."""
        parts: dict[int, int] = {}
        for shard, partition in Scheduler(workers, self._shards()).partitions():
            part = parts[shard.number] = parts.get(shard.number, -1) + 1
            self._take(partition, shard.number, part, len(shard.skills))
        for source in self._plan.sources:
            self.counts.problems += source.problems

    def _shards(self) -> Iterator[Shard]:
        """Yield shards of what is new; what is known is written at once."""
        pending: list[Input] = []
        known: list[Match] = []
        size = 0
        for submitted in self._inputs():
            match = (
                self._earlier.find(submitted)
                if isinstance(submitted, Submitted) and len(self._earlier)
                else None
            )
            if match is not None:
                # Only what names the skill is kept, not its files.
                known.append(match._replace(skill=match.skill._replace(files=(), folders=())))
            else:
                pending.append(submitted)
                size += submitted.size if isinstance(submitted, Submitted) else 0
            if len(pending) >= min(self._plan.shard, _FIRST * (self._next + 1)) or size >= _MOST:
                yield self._shard(pending)
                pending, size = [], 0
            if len(known) >= self._plan.shard * 4:
                self._carry(known)
                known = []
        if known:
            self._carry(known)
        if pending:
            yield self._shard(pending)

    def _inputs(self) -> Iterator[Input]:
        """Yield the skills of all sources; raises `SkilltoolError` for an id that comes again."""
        for source in self._plan.sources:
            for each in source.inputs():
                raw = each.skill_id.encode("utf-8", "surrogatepass")
                key = int.from_bytes(blake2b(raw, digest_size=8).digest(), "big")
                if key in self._seen:
                    raise SkilltoolError(
                        f"{source.label}: the id `{each.skill_id[:200]}` appears again; "
                        "sort the table by `skill_id` so that the rows of a skill are adjacent"
                    )
                self._seen.add(key)
                yield each

    def _shard(self, skills: Sequence[Input]) -> Shard:
        self._next += 1
        return Shard(tuple(skills), self._plan.settings, self._plan.ids, self._id, self._next - 1)

    def _carry(self, matches: Sequence[Match]) -> None:
        self._next += 1
        self.counts.carried += len(matches)
        self._take(self._earlier.carried(matches), self._next - 1, 0, len(matches))

    def _take(self, partition: Partition, number: int, part: int, skills: int) -> None:
        """Write a partition; `skills` comes last, so that a partition with that table has all."""
        for name in reversed(tables.OF_SKILLS):
            self._store.write(name, number, partition.files[name], part)
        for skill_id, content, found in partition.sketches:
            self._clustering.add(skill_id, content, found)
        self.counts.skills += skills
        sources = self._plan.sources
        self._progress(self.counts.skills, sum(source.fraction for source in sources) / len(sources))

    def complete(self, executor: str) -> None:
        """Write the clusters and the run, and make the tables those of the directory."""
        rows: list[dict[str, Any]] = []
        number = 0
        for row in self._clustering.rows():
            rows.append(row._asdict())
            if len(rows) == _CLUSTERS:
                self._store.write("clusters", number, tables.parquet_of(tables.table_of("clusters", rows)))
                rows, number = [], number + 1
        if rows or not number:
            self._store.write("clusters", number, tables.parquet_of(tables.table_of("clusters", rows)))
        if not self._next:
            for name in tables.OF_SKILLS:
                self._store.write(name, 0, tables.empty([name])[name])
        self.counts.statuses = _statuses(self._store.path("skills"))
        self._write_runs(executor)
        self._store.finish()

    def _write_runs(self, executor: str | None) -> None:
        counts, statuses = self.counts, self.counts.statuses
        finished = None if executor is None else datetime.now(UTC).isoformat(timespec="seconds")
        row = {
            "run": self._id,
            "complete": finished is not None,
            "started": self._started.isoformat(timespec="seconds"),
            "finished": finished,
            "tool_version": __version__,
            "settings": self._state["settings"],
            "runtimes": list(self._plan.settings.runtimes),
            "sources": list(self._plan.named),
            "executor": executor or "",
            "skills": counts.skills,
            "checked": counts.skills - counts.carried,
            "carried": counts.carried,
            "unreadable": statuses.get("unreadable", 0),
            "over_bound": statuses.get("over-bound", 0),
            "died": statuses.get("died", 0),
            "seconds": round(time.monotonic() - self._began, 3),
        }
        rows = [*self._store.runs(), row]
        self._store.write("runs", 0, tables.parquet_of(tables.table_of("runs", rows)))


def _statuses(folder: Path) -> dict[str, int]:
    import pyarrow.compute as pc

    found: dict[str, int] = {}
    for path in sorted(folder.glob("part-*.parquet")):
        column = tables.read(path, ["status"]).column("status")
        for entry in pc.value_counts(column).to_pylist():
            found[entry["values"]] = found.get(entry["values"], 0) + entry["counts"]
    return found


def _digest(plan: Plan) -> str:
    """Return a digest of all that decides what is found in a skill, besides its files and our version."""
    settings = plan.settings
    decides = [
        *(settings.runtimes, settings.rules, plan.ids, settings.name_source, settings.max_length),
        *(Budget.of_environment()[:4], sketch.VERSION),
    ]
    return sha256(json.dumps(decides).encode()).hexdigest()[:32]
