"""The workers of a survey: any `concurrent.futures.Executor` will do; one that breaks is started again."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import suppress
from types import FrameType
from typing import NamedTuple

from skilltool.bounds.budget import Budget, in_words
from skilltool.bounds.pool import read, write
from skilltool.bounds.timer import BLOCKED, PATIENCE
from skilltool.errors import SkilltoolError
from skilltool.registry.shards import Partition, Shard, check_shard, died

# No process can be forked beside other threads, and no skill may hang one: a thread has a process of its own.
_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from skilltool.registry.workers import serve
serve()
"""


class WorkerDiedError(Exception):
    """The process in which a shard was checked has ended before it had a result."""


class _Child:
    """A process that checks shards for one thread."""

    def __init__(self) -> None:
        command = [sys.executable, "-I", "-c", _PROGRAM, json.dumps(sys.path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def check(self, shard: Shard) -> Partition:
        """Return the partition of a shard; raises `WorkerDiedError`, and what `check_shard` raises."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            write(self._process.stdin.fileno(), shard)
            kind, value = read(self._process.stdout.fileno())
        except (OSError, EOFError) as error:
            self.end()
            raise WorkerDiedError(
                f"the process that checked it exited ({self._process.returncode})"
            ) from error
        if kind == "error":
            raise SkilltoolError(value)
        if kind == "defect":
            raise RuntimeError(value)
        partition: Partition = value
        return partition

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    def __del__(self) -> None:
        self.end()


_of_thread = threading.local()


def run_shard(shard: Shard) -> Partition:
    """Check a shard: here, if this process has nothing else to do, else in a process of this thread's own."""
    if threading.active_count() == 1:
        return check_shard(shard)
    child: _Child | None = getattr(_of_thread, "child", None)
    child = child or _Child()
    _of_thread.child = None
    partition = child.check(shard)
    _of_thread.child = child
    return partition


def serve() -> None:
    """Check the shards that come from standard input until it ends; the results go to standard output."""
    results = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with suppress(EOFError, BrokenPipeError):  # who asked is gone
        while True:
            shard = read(0)
            message: tuple[str, object]
            try:
                message = "done", check_shard(shard)
            except SkilltoolError as error:
                message = "error", str(error)
            except Exception as error:
                message = "defect", repr(error)
            write(results, message)


_EVERY = 0.5  # seconds between two looks whether the driver is still there


class Workers:
    """An executor, how many shards it works on at once, and how it is started after its processes died."""

    name = "local"

    def __init__(self, start: Callable[[], Executor], slots: int) -> None:
        """Start the executor."""
        self._start = start
        self.slots = slots
        self.executor = start()

    def restart(self) -> None:
        """Replace an executor that is broken."""
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self._start()

    def look(self) -> None:
        """Raise `SkilltoolError` if nobody is there who could finish what was handed out."""

    def described(self, error: Exception) -> Exception:
        """Return the error to raise for one that is not the end of a worker."""
        return error

    def close(self) -> None:
        """End all work at once."""
        self.executor.shutdown(wait=False, cancel_futures=True)


class LocalWorkers(Workers):
    """Processes on this machine."""

    def __init__(self, jobs: int) -> None:
        """Start so many processes; 0 starts one for each processor that this process may use."""
        count = jobs or (
            len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        )
        count = min(count, 61) if sys.platform == "win32" else count  # Windows cannot wait for more
        super().__init__(lambda: _pool(count), count)

    def close(self) -> None:
        """End the processes, whatever they do."""
        import multiprocessing

        super().close()
        for process in multiprocessing.active_children():
            with suppress(OSError, ValueError):
                process.terminate()


def _pool(count: int) -> Executor:
    import multiprocessing

    # A forked process would inherit the locks of Arrow's threads.
    context = multiprocessing.get_context("spawn")
    return ProcessPoolExecutor(count, mp_context=context, initializer=_begin, initargs=(os.getpid(),))


def _begin(driver: int) -> None:
    """Leave it to the driver what an interrupt ends, and end with the driver, which may be killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if not hasattr(signal, "setitimer"):
        return

    is_told = False

    def look(number: int, frame: FrameType | None) -> None:
        nonlocal is_told
        if os.getppid() != driver:
            if is_told:  # whoever was at work has kept the exception for the driver
                os._exit(1)
            is_told = True
            raise SystemExit  # deletes temporary files on the way

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit

    def leave() -> None:
        """Let no signal interrupt the end of the process; nothing is left that must be deleted."""
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)

    from multiprocessing.util import Finalize

    Finalize(None, leave, exitpriority=0)
    signal.signal(signal.SIGALRM, look)
    signal.signal(signal.SIGTERM, end)
    signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
    look(0, None)


_LOOK = 10.0  # seconds without a result before it is looked whether workers are there
_AHEAD = 2  # shards per worker that are handed out: one to check, one to go on with
_ATTEMPTS = 2  # of a shard beside others, before it is checked alone
_WHY_DIED = "the process that checked it crashed on every attempt"


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
                self._busy[self._handed_out(waiting.shard)] = waiting
            if not self._busy:
                if not self._suspects:
                    return
                yield from self._alone(self._suspects.popleft())
                continue
            finished = self._finished({future: waiting.shard for future, waiting in self._busy.items()})
            for future in finished:
                waiting = self._busy.pop(future)
                try:
                    partition = self._result(future)
                except Exception as error:
                    self._failed(waiting, error)
                else:
                    yield waiting.shard, partition

    def _finished(self, shards: Mapping[Future[Partition], Shard]) -> set[Future[Partition]]:
        """Wait until one is done, as long as there are workers that may be at work.

        Raises `SkilltoolError` after the time in which any worker would have ended its shard. Only the time
        in which this process waits counts, not that in which it is stopped.
        """
        most = max(BLOCKED, *(_seconds_for(shard) for shard in shards.values()))
        for _ in range(math.ceil(most / _LOOK)):
            finished, _ = wait(shards, _LOOK, FIRST_COMPLETED)
            if finished:
                return finished
            self._workers.look()
        what = f"no worker has finished anything in {in_words(most)}, so one may be hanging"
        raise SkilltoolError(f"{what}; kill it, and run the command again to continue")

    def _result(self, future: Future[Partition]) -> Partition:
        """Return what a worker returned; raises `SkilltoolError` if that is not a partition."""
        partition = future.result()
        if not isinstance(partition, Partition):
            raise SkilltoolError(
                "a worker returned something other than tables; install the same versions on all workers"
            )
        return partition

    def _next(self) -> _Waiting | None:
        if self._again:
            return self._again.popleft()
        shard = next(self._shards, None)
        return None if shard is None else _Waiting(shard)

    def _handed_out(self, shard: Shard) -> Future[Partition]:
        """Hand a shard to a worker, and return what becomes of it."""
        try:
            return self._workers.executor.submit(run_shard, shard)
        except BrokenExecutor:  # it has just broken: the shard has no part in that
            self._workers.restart()
            return self._workers.executor.submit(run_shard, shard)

    def _failed(self, waiting: _Waiting, error: Exception) -> None:
        """Try a shard again whose worker ended; raises any other error."""
        if not _is_death(error):
            raise self._workers.described(error) from error
        if isinstance(error, BrokenExecutor) and not self._busy:
            self._workers.restart()
        attempts = waiting.attempts + 1
        if attempts < _ATTEMPTS:
            self._again.append(_Waiting(waiting.shard, attempts))
        else:
            self._suspects.append(waiting.shard)

    def _alone(self, shard: Shard) -> Iterator[tuple[Shard, Partition]]:
        """Check a shard while nothing else is checked: as a whole, then skill by skill."""
        future = self._handed_out(shard)
        try:
            self._finished({future: shard})
            yield shard, self._result(future)
            return
        except Exception as error:
            if not _is_death(error):
                raise self._workers.described(error) from error
            if isinstance(error, BrokenExecutor):
                self._workers.restart()
        if len(shard.skills) == 1:
            yield shard, died(shard, _WHY_DIED)
            return
        for skill in shard.skills:
            yield from self._alone(shard._replace(skills=(skill,)))


def _seconds_for(shard: Shard) -> float:
    """Return the wall time in which a shard is done even on a busy machine: the backstop of its skills."""
    budget = Budget.of_environment()
    return PATIENCE * (budget.seconds + len(shard.skills) * budget.share)


def _is_death(error: Exception) -> bool:
    """Return whether a worker ended; Dask need not be installed, so its exception is known by its name."""
    return isinstance(error, BrokenExecutor | WorkerDiedError) or type(error).__name__ == "KilledWorker"
