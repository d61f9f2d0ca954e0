"""Processes that run functions one after the other, and can be ended at any time.

On Linux they are forked, which takes a few milliseconds; elsewhere, and beside other threads, they are
spawned. Spawned ones import nothing from the working directory, where the files of strangers are.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from skilltool.bounds.budget import Budget
from skilltool.bounds.serving import Message, Task, is_worker, read, serve_forked, serve_spawned, write

_SAFE_PATH = "PYTHONSAFEPATH"  # what `python -P` does
_open: set[int] = set()  # ends of pipes to forked processes


def can_fork() -> bool:
    """Return whether a process can be forked from this one without risk."""
    return sys.platform == "linux" and threading.active_count() == 1 and not is_worker()


def can_start() -> bool:
    """Return whether this process may start others; one that was started itself is watched already."""
    return not is_worker()


class Forked:
    """A forked process. Raises OSError if the system starts none."""

    def __init__(self, budget: Budget) -> None:
        """Start it."""
        ends: list[int] = []
        try:
            for _ in range(3):
                ends += os.pipe()
            self._pid = os.fork()
        except OSError:
            for end in ends:
                os.close(end)
            raise
        tasks, self._write, self._read, results, alive, held = ends
        self._ours = (self._write, self._read, held)
        if not self._pid:
            serve_forked(tasks, results, alive, {*self._ours, *_open}, budget)
        for theirs in (tasks, results, alive):
            os.close(theirs)
        _open.update(self._ours)

    def fileno(self) -> int:
        """Return the descriptor that becomes readable with the next message."""
        return self._read

    def submit(self, task: Task) -> None:
        """Give the process a task; it must have done the one before."""
        with suppress(BrokenPipeError):  # it has ended: `receive` tells
            write(self._write, task)

    def receive(self) -> Message | None:
        """Return the next message; None if the process has ended."""
        try:
            message: Message | None = read(self._read)
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return message

    def end(self) -> None:
        """End the process, whatever it does."""
        with suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)
        with suppress(OSError):
            os.waitpid(self._pid, 0)
        for end in self._ours:
            _open.discard(end)
            os.close(end)


class Spawned:
    """A spawned process; as `Forked`, where processes cannot be forked."""

    def __init__(self, budget: Budget) -> None:
        """Start it."""
        import multiprocessing

        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=serve_spawned, args=(theirs, budget), daemon=True)
        with _safe_path():
            self._process.start()
        theirs.close()

    def fileno(self) -> int:
        """Return the descriptor that becomes readable with the next message."""
        return self.connection.fileno()

    def submit(self, task: Task) -> None:
        """Give the process a task; it must have done the one before."""
        with suppress(OSError):
            self.connection.send(task)

    def receive(self) -> Message | None:
        """Return the next message; None if the process has ended."""
        try:
            message: Message | None = self.connection.recv()
        except (OSError, EOFError):
            return None
        return message

    def end(self) -> None:
        """End the process, whatever it does."""
        self.stop()
        self._process.join()
        self.connection.close()

    def stop(self) -> None:
        """Kill the process and return at once; who waits for its message gets None."""
        self._process.kill()


Process = Forked | Spawned


def ready(processes: Sequence[Process], seconds: float) -> Sequence[Process]:
    """Wait for a message of any of these processes, and return those that have one or have ended."""
    if os.name == "posix":
        return select.select(processes, [], [], max(seconds, 0.0))[0]
    from multiprocessing.connection import wait

    by_connection: dict[Any, Process] = {
        each.connection: each for each in processes if isinstance(each, Spawned)
    }
    return [by_connection[each] for each in wait(list(by_connection), max(seconds, 0.0))]


@contextmanager
def _safe_path() -> Iterator[None]:
    """Let a Python that is started within the context import nothing from the working directory."""
    before = os.environ.get(_SAFE_PATH)
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
