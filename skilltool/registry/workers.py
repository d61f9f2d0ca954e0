"""The workers of a survey: any `concurrent.futures.Executor` will do; one that breaks is started again."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from types import FrameType

_EVERY = 1.0  # seconds between two looks whether the driver is still there


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

    def look(number: int, frame: FrameType | None) -> None:
        if os.getppid() != driver:
            raise SystemExit

    def end(number: int, frame: FrameType | None) -> None:
        raise SystemExit

    signal.signal(signal.SIGALRM, look)
    signal.signal(signal.SIGTERM, end)
    signal.setitimer(signal.ITIMER_REAL, _EVERY, _EVERY)
