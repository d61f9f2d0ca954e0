"""Check a shard of skills in this process's own workers, and return its partition of every table.

Whatever an executor calls is here: a shard goes in and bytes come out, so that workers need no file system in
common with the driver, and the driver only moves files.
"""

from __future__ import annotations

import errno
import math
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from skilltool import __version__
from skilltool.bounds.budget import Allowance, Budget, InternalReason
from skilltool.bounds.pool import KILLED, Shards, Task, WorkerPool
from skilltool.errors import SkilltoolError
from skilltool.findings.diagnostic import Diagnostic
from skilltool.lint import given_up
from skilltool.lint.settings import Settings
from skilltool.registry import tables
from skilltool.registry.checking import (
    PARENT,
    WORKSPACE,
    Outcome,
    finding_row,
    placeless,
    severities,
    survey_all,
)
from skilltool.registry.clusters.sketch import Sketch
from skilltool.registry.submitted import Input, Submitted, Unread
from skilltool.skill.skill_file import FILE_NAME, skill_file

_pool: WorkerPool | None = None  # of this process; its processes live from shard to shard


class Shard(NamedTuple):
    """Skills to check, with all that decides what is found: `ids` are the runtimes that verdicts are for.

    `number` is that of its partition, `run` the id of the run.
    """

    skills: tuple[Input, ...]
    settings: Settings
    ids: tuple[str, ...]
    run: str
    number: int = 0
    version: str = __version__

    @property
    def size(self) -> int:
        """The bytes of all skills."""
        return sum(skill.size for skill in self.skills if isinstance(skill, Submitted))


class Partition(NamedTuple):
    """The result of one shard: a Parquet file per table, and what clusters need of each checked skill."""

    files: dict[str, bytes]
    sketches: list[tuple[str, bytes, Sketch]]


def check_shard(shard: Shard) -> Partition:
    """Check a shard; raises `SkilltoolError` if the driver has another version of skilltool."""
    if shard.version != __version__:
        raise SkilltoolError(
            f"a worker has skilltool {__version__}, but the main process has {shard.version}; "
            "install the same version on both"
        )
    rows = _Rows(shard)
    wanted = [skill for skill in shard.skills if isinstance(skill, Submitted)]
    for each in shard.skills:
        if isinstance(each, Unread):
            rows.give_up(each, each.status, each.why)
        elif skill_file([file.path for file in each.files]) is None:
            wanted.remove(each)
            rows.give_up(each, "unreadable", f"it has no {FILE_NAME}")
    with TemporaryDirectory(prefix=WORKSPACE) as workspace:
        top = Path(os.path.realpath(workspace))
        by_directory = {}
        for number, skill in enumerate(wanted):
            try:
                by_directory[_written(top / f"{number:05d}" / PARENT, skill)] = skill
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or str(error)
                rows.give_up(
                    skill, "unreadable", f"its files cannot be written to a temporary directory: {reason}"
                )
        for directory, outcome in _outcomes(list(by_directory), shard):
            rows.add(by_directory[directory], outcome, directory)
    return rows.partition()


def died(shard: Shard, why: str) -> Partition:
    """Return the partition of a shard whose worker ends whenever it is checked."""
    rows = _Rows(shard)
    for skill in shard.skills:
        rows.give_up(skill, "died", why)
    return rows.partition()


def _outcomes(directories: Sequence[Path], shard: Shard) -> Iterator[tuple[Path, Outcome]]:
    """Check skills in another process, which is ended for one over its budget; each has the whole budget."""
    global _pool
    if _pool is None:
        _pool = WorkerPool()
    _pool.allowance = Allowance(Budget.of_environment()._replace(in_all=math.inf))

    def task(some: Sequence[Path]) -> Task:
        return Task(survey_all, (list(map(str, some)), shard.settings, shard.ids))

    shards = Shards(_pool, directories, task)
    for given in shards.results(1):
        yield given.directory, given.result
    left = shards.unstarted
    yield from zip(left, survey_all(list(map(str, left)), shard.settings, shard.ids), strict=True)


def end_pool() -> None:
    """End the processes that shards were checked in."""
    if _pool is not None:
        _pool.__exit__(None, None, None)


def _written(parent: Path, skill: Submitted) -> Path:
    """Write the files of a skill under a new directory and return its own.

    Paths were checked where they were read, or name files that exist in a directory.
    """
    top = parent / skill.directory
    top.mkdir(parents=True)
    for folder in skill.folders:
        (top / folder).mkdir(parents=True, exist_ok=True)
    for file in skill.files:
        path = top / file.path
        if file.link is not None:
            path.symlink_to(file.link)
        elif not file.digest:
            _make_pipe(path)
        else:
            path.write_bytes(file.head)
            if file.size > len(file.head):
                os.truncate(path, file.size)  # what follows is a hole: nothing reads it
    return top


def _make_pipe(path: Path) -> None:
    """Make a named pipe; raises OSError, also where the system has none."""
    if not hasattr(os, "mkfifo"):
        raise OSError(errno.ENOTSUP, "a named pipe, which this system does not support")
    os.mkfifo(path)


class _Rows:
    """The rows of one shard so far."""

    def __init__(self, shard: Shard) -> None:
        self._shard = shard
        self._rows: dict[str, list[dict[str, Any]]] = {name: [] for name in tables.OF_SKILLS}
        self._sketches: list[tuple[str, bytes, Sketch]] = []

    def add(self, skill: Submitted, outcome: Outcome, directory: Path) -> None:
        """Take what was found in the skill in a directory, or why it was given up."""
        if isinstance(outcome, InternalReason):
            self.give_up(skill, "died", placeless(outcome))
        elif isinstance(outcome, str):
            status = "died" if outcome == KILLED else "over-bound"
            known = given_up.unchecked(directory, self._shard.settings).diagnostics
            self.give_up(skill, status, outcome, known)
        else:
            content = skill.content
            self._skill(skill, "checked", None, content, outcome.columns)
            self._findings(skill, outcome.findings)
            for name, rows in (
                ("verdicts", outcome.verdicts),
                ("skill_references", outcome.references),
                ("capabilities", outcome.capabilities),
            ):
                self._rows[name] += [{"skill_id": skill.skill_id, **row} for row in rows]
            sketch = {"normalised": outcome.sketch.normalised, "minhash": outcome.sketch.minhash}
            self._rows["sketches"].append({"skill_id": skill.skill_id, "content_sha256": content, **sketch})
            self._sketches.append((skill.skill_id, content, outcome.sketch))

    def give_up(self, skill: Input, status: str, why: str, known: Sequence[Diagnostic] = ()) -> None:
        """Add the row of a skill that was not checked; over a bound it has the finding that lint has, too."""
        content = skill.content if isinstance(skill, Submitted) else None
        diagnostics = list(known)
        if status == "over-bound":
            file = Path(skill.directory or "skill", FILE_NAME)
            diagnostics.append(given_up.diagnostic(file, why, self._shard.settings))
        diagnostics.sort(key=lambda diagnostic: diagnostic.order)
        self._skill(skill, status, why, content, severities(diagnostics) if diagnostics else {})
        self._findings(skill, [finding_row(each) for each in diagnostics])

    def _findings(self, skill: Input, found: Sequence[dict[str, Any]]) -> None:
        for row in found:
            self._rows["findings"].append({"skill_id": skill.skill_id, **row})

    def _skill(
        self, skill: Input, status: str, why: str | None, content: bytes | None, columns: dict[str, Any]
    ) -> None:
        size = {}
        if isinstance(skill, Submitted):
            size = {"files": len(skill.files), "bytes": skill.total}
        row: dict[str, Any] = {
            "skill_id": skill.skill_id,
            "source": skill.source,
            "directory": skill.directory,
        }
        row |= {"content_sha256": None if content is None else content.hex(), **size, **columns}
        self._rows["skills"].append({**row, "status": status, "why": why, "run": self._shard.run})

    def partition(self) -> Partition:
        return Partition(tables.partition(self._rows), self._sketches)
