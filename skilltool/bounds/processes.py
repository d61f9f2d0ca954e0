"""Processes that run functions one after the other, and can be ended at any time.

On Linux they are forked, which takes a few milliseconds; elsewhere, and beside other threads, they are
spawned. Spawned ones import nothing from the working directory, where the files of strangers are.
"""

from __future__ import annotations

import os
import pickle
import select
import signal
import struct
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from types import GeneratorType
from typing import Any, NamedTuple

from skilltool.bounds.budget import Budget
from skilltool.errors import SkilltoolError

_GRACE = 5.0  # seconds of processor time after which the system ends a task whose parent is gone
_LENGTH = struct.Struct("!Q")
Message = tuple[str, Any]  # "item", "done" or "at" and a value, or "error" and an exception
Send = Callable[[Message], None]
_open: set[int] = set()  # ends of pipes to forked processes
_is_worker = False  # whether this process is one of these; it starts no further ones


class Task(NamedTuple):
    """A function of a module, and its arguments; what a generator yields is sent one by one.

    With `ended` the process tells which skill it works on, and refuses those, by key, with their reasons.
    `seconds` is the time without a message after which the task is ended at the latest.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    ended: Mapping[str, str] | None = None
    seconds: float = 0.0


def can_fork() -> bool:
    """Return whether a process can be forked from this one without risk."""
    return sys.platform == "linux" and threading.active_count() == 1 and not _is_worker


def can_start() -> bool:
    """Return whether this process may start others; one that was started itself is watched already."""
    return not _is_worker


class Forked:
    """A forked process. Raises OSError if the system starts none."""

    def __init__(self, budget: Budget) -> None:
        """Start it."""
        ends: list[int] = []
        try:
            ends += os.pipe()
            ends += os.pipe()
            self._pid = os.fork()
        except OSError:
            for end in ends:
                os.close(end)
            raise
        tasks, self._write, self._read, results = ends
        if not self._pid:
            _serve_forked(tasks, results, {self._write, self._read, *_open}, budget)
        os.close(tasks)
        os.close(results)
        _open.update((self._write, self._read))

    def fileno(self) -> int:
        """Return the descriptor that becomes readable with the next message."""
        return self._read

    def submit(self, task: Task) -> None:
        """Give the process a task; it must have done the one before."""
        with suppress(BrokenPipeError):  # it has ended: `receive` tells
            _write(self._write, task)

    def receive(self) -> Message | None:
        """Return the next message; None if the process has ended."""
        try:
            message: Message | None = _read(self._read)
        except (OSError, EOFError, pickle.UnpicklingError):
            return None
        return message

    def end(self) -> None:
        """End the process, whatever it does."""
        with suppress(OSError):
            os.kill(self._pid, signal.SIGKILL)
        with suppress(OSError):
            os.waitpid(self._pid, 0)
        for end in (self._write, self._read):
            _open.discard(end)
            os.close(end)


class Spawned:
    """A spawned process; as `Forked`, where processes cannot be forked."""

    def __init__(self, budget: Budget) -> None:
        """Start it."""
        import multiprocessing

        os.environ["PYTHONSAFEPATH"] = "1"
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve_spawned, args=(theirs, budget), daemon=True)
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


def _serve_forked(tasks: int, results: int, others: set[int], budget: Budget) -> None:
    """Run tasks in the forked process until its parent is gone; it never returns."""
    try:
        for descriptor in others:  # else a pipe would stay open when its process ends
            os.close(descriptor)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _run_all(lambda: _read(tasks), lambda message: _write(results, message), budget)
    finally:
        os._exit(0)


def _serve_spawned(connection: Any, budget: Budget) -> None:
    with suppress(OSError, EOFError):
        _run_all(connection.recv, connection.send, budget)


def _run_all(receive: Callable[[], Task], send: Send, budget: Budget) -> None:
    import gc

    global _is_worker
    _is_worker = True
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what an interrupt ends
    gc.freeze()  # objects of the parent need no collection, which would copy their pages
    gc.set_threshold(20_000)
    _limit_memory(budget.memory)
    while True:
        task = receive()

        def send_in_time(message: Message, seconds: float = task.seconds) -> None:
            _set_timer(seconds + _GRACE)
            send(message)

        _set_timer(task.seconds + _GRACE)
        for message in _messages(task, send_in_time):
            send_in_time(message)
        _set_timer(0)


def _messages(task: Task, send: Send) -> Iterator[Message]:
    from skilltool.bounds import gate

    watched = nullcontext() if task.ended is None else gate.watched(lambda key: send(("at", key)), task.ended)
    try:
        with watched:
            result = task.function(*task.arguments)
            if isinstance(result, GeneratorType):
                for item in result:
                    yield "item", item
                result = None
        yield "done", result
    except Exception as error:
        yield "error", _portable(error)


def _set_timer(seconds: float) -> None:
    """Let the system end this process after so much processor time, in case its parent is gone by then."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory(limit: int) -> None:
    with suppress(Exception):  # not every system has limits, or lets them be set
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _portable(error: Exception) -> Exception:
    """Return an exception that can be sent to another process, with the same text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return SkilltoolError(str(error)) if isinstance(error, SkilltoolError) else RuntimeError(repr(error))
    return error


def _write(descriptor: int, value: Any) -> None:
    raw = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    view = memoryview(_LENGTH.pack(len(raw)) + raw)
    while view:
        view = view[os.write(descriptor, view) :]


def _read(descriptor: int) -> Any:
    (length,) = _LENGTH.unpack(_read_exactly(descriptor, _LENGTH.size))
    return pickle.loads(_read_exactly(descriptor, length))


def _read_exactly(descriptor: int, length: int) -> bytes:
    raw = bytearray()
    while len(raw) < length:
        part = os.read(descriptor, min(length - len(raw), 1 << 20))
        if not part:
            raise EOFError
        raw += part
    return bytes(raw)
