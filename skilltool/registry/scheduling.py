"""Hand shards to workers, never more than they can take, and find the skill that ends whoever checks it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from typing import NamedTuple

from skilltool.registry.runner import WorkerDiedError, run_shard
from skilltool.registry.shards import Partition, Shard, died
from skilltool.registry.workers import Workers

_AHEAD = 2  # shards per worker that are handed out: one to check, one to go on with
_ATTEMPTS = 2  # of a shard beside others, before it is checked alone
_WHY_DIED = "the process that checked it ended, each time"


class _Waiting(NamedTuple):
    shard: Shard
    attempts: int = 0


class Scheduler:
    """Shards that wait, and those that workers have; a worker that ends hides only what ended it."""

    def __init__(self, workers: Workers, shards: Iterator[Shard]) -> None:
        """Take shards as a stream; it is read as fast as they are checked."""
        self._workers = workers
        self._shards = shards
        self._again: deque[_Waiting] = deque()
        self._suspects: deque[Shard] = deque()
        self._busy: dict[Future[Partition], _Waiting] = {}

    def partitions(self) -> Iterator[tuple[Shard, Partition]]:
        """Yield the partition of each shard, as they come; a shard with a suspect may come in parts."""
        while True:
            while len(self._busy) < self._workers.slots * _AHEAD and (waiting := self._next()):
                self._submit(waiting)
            if not self._busy:
                if not self._suspects:
                    return
                yield from self._alone(self._suspects.popleft())
                continue
            finished, _ = wait(self._busy, return_when=FIRST_COMPLETED)
            for future in finished:
                waiting = self._busy.pop(future)
                try:
                    partition = future.result()
                except Exception as error:
                    self._failed(waiting, error)
                else:
                    yield waiting.shard, partition

    def _next(self) -> _Waiting | None:
        if self._again:
            return self._again.popleft()
        shard = next(self._shards, None)
        return None if shard is None else _Waiting(shard)

    def _submit(self, waiting: _Waiting) -> None:
        try:
            self._busy[self._workers.executor.submit(run_shard, waiting.shard)] = waiting
        except BrokenExecutor:  # it has just broken: the shard has no part in that
            self._workers.restart()
            self._busy[self._workers.executor.submit(run_shard, waiting.shard)] = waiting

    def _failed(self, waiting: _Waiting, error: Exception) -> None:
        """Try a shard again whose worker ended; raises any other error."""
        if not _is_death(error):
            raise error
        if isinstance(error, BrokenExecutor) and not self._busy:
            self._workers.restart()
        attempts = waiting.attempts + 1
        if attempts < _ATTEMPTS:
            self._again.append(_Waiting(waiting.shard, attempts))
        else:
            self._suspects.append(waiting.shard)

    def _alone(self, shard: Shard) -> Iterator[tuple[Shard, Partition]]:
        """Check a shard while nothing else is checked: as a whole, then skill by skill."""
        try:
            yield shard, self._workers.executor.submit(run_shard, shard).result()
            return
        except Exception as error:
            if not _is_death(error):
                raise
            if isinstance(error, BrokenExecutor):
                self._workers.restart()
        if len(shard.skills) == 1:
            yield shard, died(shard, _WHY_DIED)
            return
        for skill in shard.skills:
            yield from self._alone(shard._replace(skills=(skill,)))


def _is_death(error: Exception) -> bool:
    """Return whether a worker ended; Dask need not be installed, so its exception is known by its name."""
    return isinstance(error, BrokenExecutor | WorkerDiedError) or type(error).__name__ == "KilledWorker"
