"""Many skills checked: in this process, or spread over several, whatever becomes of one of them.

Skills are sent in shards, and few shards are under way at a time, so memory does not grow with their
number. A process that dies takes its pool with it: what was under way is done again, one skill at a
time, and the skill that kills is reported.
"""

from __future__ import annotations

import os
import sys
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skilltool.lint.settings import Settings
from skilltool.rules.records import CheckedSkill

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

    from skilltool.lint.cache.rows import Row

Outcome = CheckedSkill | str  # what was found, or in words why nothing was

_SHARD = 32  # skills
_WORTH_A_PROCESS = 150  # skills; fewer are checked before another process has started
_AHEAD = 3  # shards under way for each process
_MOST = 61  # processes: Windows waits for no more
_DIED = "the process that checked it was ended from outside, or used too much time or memory"


class Done(NamedTuple):
    """A skill that was checked: the outcome, and a row for the cache where it may be kept."""

    directory: Path
    outcome: Outcome
    row: Row | None


def outcomes(directories: Sequence[Path], settings: Settings) -> Iterator[Done]:
    """Check skills and yield each, in their order; a failure in one does not hide the others."""
    shards = -(-len(directories) // _SHARD)
    jobs = min(settings.jobs or min(_cores(), len(directories) // _WORTH_A_PROCESS), shards, _MOST)
    if jobs > 1 and len(directories) > 1:
        yield from _in_processes(directories, settings, jobs)
        return
    if directories:
        yield from _here(directories, settings)


def _here(directories: Sequence[Path], settings: Settings) -> Iterator[Done]:
    """Check skills in this process."""
    from skilltool.lint.worker import attempt

    for directory in directories:
        yield Done(directory, *attempt(directory, settings))


def _in_processes(directories: Sequence[Path], settings: Settings, jobs: int) -> Iterator[Done]:
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool

    shards = deque(directories[at : at + _SHARD] for at in range(0, len(directories), _SHARD))
    while shards:
        under_way: deque[tuple[Sequence[Path], Future[list[tuple[Outcome, Row | None]]]]] = deque()
        try:
            with _pool(jobs) as pool:
                while shards or under_way:
                    while shards and len(under_way) < jobs * _AHEAD:
                        under_way.append((shards[0], _submitted(pool, shards[0], settings)))
                        shards.popleft()
                    yield from _named(*under_way[0])
                    under_way.popleft()
        except BrokenProcessPool:
            for shard, future in under_way:
                intact = future.done() and future.exception() is None
                yield from _named(shard, future) if intact else _one_by_one(shard, settings)
        except OSError:  # the system starts no more processes; those that wait for work would wait for ever
            for child in multiprocessing.active_children():
                child.kill()
            for shard in (*(shard for shard, _ in under_way), *shards):
                yield from _here(shard, settings)
            return


def _one_by_one(shard: Sequence[Path], settings: Settings) -> Iterator[Done]:
    """Check the skills of a shard that broke a pool, each in a process of its own."""
    from concurrent.futures.process import BrokenProcessPool

    for directory in shard:
        try:
            with _pool(1) as pool:
                yield from _named([directory], _submitted(pool, [directory], settings))
        except BrokenProcessPool:
            yield Done(directory, _DIED, None)


def _submitted(
    pool: ProcessPoolExecutor, shard: Sequence[Path], settings: Settings
) -> Future[list[tuple[Outcome, Row | None]]]:
    from skilltool.lint.worker import attempt_all

    return pool.submit(attempt_all, list(map(str, shard)), settings._replace(paths=()))


def _named(shard: Sequence[Path], future: Future[list[tuple[Outcome, Row | None]]]) -> Iterator[Done]:
    results = future.result()
    return (Done(directory, *result) for directory, result in zip(shard, results, strict=True))


def _pool(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of processes; they are copies of this one where that is safe, and start at once.

    Those that are no copies look for no module in the working directory, where anybody's files may lie.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    from skilltool.lint.worker import started

    os.environ["PYTHONSAFEPATH"] = "1"
    copied = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if copied else "spawn")
    parent = os.getpid() if copied else None
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=started, initargs=(parent,))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
