"""Check many skills, in this process or in several, whatever happens to one of them.

Skills are sent in shards, few at a time, so that memory does not grow with their number. A process that
dies breaks its pool: its shards are checked again, one skill at a time, and the skill that kills its process
is reported.
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

Outcome = CheckedSkill | str  # what was found, or why the skill could not be checked

_SHARD = 32  # skills
_WORTH_A_PROCESS = 150  # skills; fewer are checked before a second process has started
_AHEAD = 3  # shards submitted for each process
_MOST = 61  # processes; Windows cannot wait for more
_DIED = "the process that checked it was killed, or used too much time or memory"


class Done(NamedTuple):
    """The outcome of one skill, and a row for the cache where it may be kept."""

    directory: Path
    outcome: Outcome
    row: Row | None


def outcomes(directories: Sequence[Path], settings: Settings) -> Iterator[Done]:
    """Check skills and yield each in order; a failure in one does not hide the others."""
    shards = -(-len(directories) // _SHARD)
    jobs = min(settings.jobs or min(_cores(), len(directories) // _WORTH_A_PROCESS), shards, _MOST)
    if jobs > 1 and len(directories) > 1:
        yield from _in_processes(directories, settings, jobs)
        return
    if directories:
        yield from _in_this_process(directories, settings)


def _in_this_process(directories: Sequence[Path], settings: Settings) -> Iterator[Done]:
    """Check skills in this process."""
    from skilltool.lint.worker import attempt

    for directory in directories:
        yield Done(directory, *attempt(directory, settings))


def _in_processes(directories: Sequence[Path], settings: Settings, jobs: int) -> Iterator[Done]:
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool

    shards = deque(directories[at : at + _SHARD] for at in range(0, len(directories), _SHARD))
    while shards:
        submitted: deque[tuple[Sequence[Path], Future[list[tuple[Outcome, Row | None]]]]] = deque()
        try:
            with _pool(jobs) as pool:
                while shards or submitted:
                    while shards and len(submitted) < jobs * _AHEAD:
                        submitted.append((shards[0], _submit(pool, shards[0], settings)))
                        shards.popleft()
                    yield from _results(*submitted[0])
                    submitted.popleft()
        except BrokenProcessPool:
            for shard, future in submitted:
                intact = future.done() and future.exception() is None
                yield from _results(shard, future) if intact else _one_by_one(shard, settings)
        except (
            OSError
        ):  # the system starts no more processes, and those that wait for work would wait for ever
            for child in multiprocessing.active_children():
                child.kill()
            for shard in (*(shard for shard, _ in submitted), *shards):
                yield from _in_this_process(shard, settings)
            return


def _one_by_one(shard: Sequence[Path], settings: Settings) -> Iterator[Done]:
    """Check the skills of a shard that broke a pool, each in a process of its own."""
    from concurrent.futures.process import BrokenProcessPool

    for directory in shard:
        try:
            with _pool(1) as pool:
                yield from _results([directory], _submit(pool, [directory], settings))
        except BrokenProcessPool:
            yield Done(directory, _DIED, None)


def _submit(
    pool: ProcessPoolExecutor, shard: Sequence[Path], settings: Settings
) -> Future[list[tuple[Outcome, Row | None]]]:
    from skilltool.lint.worker import attempt_all

    return pool.submit(attempt_all, list(map(str, shard)), settings._replace(paths=()))


def _results(shard: Sequence[Path], future: Future[list[tuple[Outcome, Row | None]]]) -> Iterator[Done]:
    results = future.result()
    return (Done(directory, *result) for directory, result in zip(shard, results, strict=True))


def _pool(jobs: int) -> ProcessPoolExecutor:
    """Return a pool of processes, forked where that is safe, since they start at once then.

    Spawned ones import nothing from the working directory, where the files of strangers are.
    """
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    from skilltool.lint.worker import started

    os.environ["PYTHONSAFEPATH"] = "1"
    forked = sys.platform == "linux" and threading.active_count() == 1
    context = multiprocessing.get_context("fork" if forked else "spawn")
    parent = os.getpid() if forked else None
    return ProcessPoolExecutor(jobs, mp_context=context, initializer=started, initargs=(parent,))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
