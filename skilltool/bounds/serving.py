"""What a process does that was started to run functions: task after task, until its parent is gone."""

from __future__ import annotations

import os
import pickle
import signal
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from types import GeneratorType
from typing import Any, NamedTuple

from skilltool.bounds.budget import Budget
from skilltool.bounds.raised import Raised

_GRACE = 5.0  # seconds of processor time after which the system ends a task whose parent is gone
_LENGTH = struct.Struct("!Q")
Message = tuple[str, Any]  # "item", "done" or "at" and a value, or "raised" and a `Raised`
Send = Callable[[Message], None]
_is_worker = False  # whether this process was started to run tasks


class Task(NamedTuple):
    """A function of a module, and its arguments; what a generator yields is sent one by one.

    With `ended` the process tells which skill it works on, and refuses those, by key, with their reasons.
    `seconds` is the time without a message after which the task is ended at the latest, and `share` what each
    message adds to it.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    ended: Mapping[str, str] | None = None
    seconds: float = 0.0
    share: float = 0.0


def is_worker() -> bool:
    """Return whether this process was started to run tasks: it is watched, and starts no further ones."""
    return _is_worker


def serve_forked(tasks: int, results: int, alive: int, others: set[int], budget: Budget) -> None:
    """Run tasks in the forked process until its parent is gone; it never returns.

    `alive` is the end of a pipe that only the parent holds open; nothing is ever written to it.
    """
    try:
        for descriptor in others:  # else a pipe would stay open when its process ends
            os.close(descriptor)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _end_with_pipe(alive)
        _run_all(lambda: read(tasks), lambda message: write(results, message), budget)
    finally:
        os._exit(0)


def serve_spawned(connection: Any, budget: Budget) -> None:
    """Run tasks in a spawned process until its parent is gone."""
    with suppress(OSError, EOFError):
        _run_all(connection.recv, connection.send, budget)


def _end_with_pipe(alive: int) -> None:
    """Let the system end this process when the pipe closes, which it may not notice itself while it is busy.

    Source: fcntl(2), `O_ASYNC`; the default action of SIGIO ends a process. The pipe must be one that nothing
    is written to: the signal for what was written can come after it was read.
    """
    import fcntl
    import select

    fcntl.fcntl(alive, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(alive, fcntl.F_SETFL, fcntl.fcntl(alive, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([alive], [], [], 0)[0]:  # it was closed before
        os._exit(0)


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

        seconds = task.seconds + _GRACE

        def send_in_time(message: Message, share: float = task.share) -> None:
            nonlocal seconds
            seconds += share
            _set_timer(seconds)
            send(message)

        _set_timer(seconds)
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
        yield "raised", Raised.of(error)


def _set_timer(seconds: float) -> None:
    """Let the system end this process after so much processor time, in case its parent is gone by then."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limit_memory(limit: int) -> None:
    with suppress(Exception):  # not every system has limits, or lets them be set
        import resource

        limit += _mapped()
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))


def _mapped() -> int:
    """Return the address space in bytes that this process has already: libraries reserve over a gigabyte.

    With no room left Python may not even raise `MemoryError`: a call fails without an exception, or crashes.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    except (OSError, ValueError, IndexError):  # no Linux
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def value_of(message: Message) -> Any:
    """Return the value of a message; raises the exception that it tells of."""
    kind, value = message
    if kind == "raised":
        raise value.error
    return value


def write(descriptor: int, value: Any) -> None:
    """Send a value through a pipe; raises OSError."""
    raw = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    view = memoryview(_LENGTH.pack(len(raw)) + raw)
    while view:
        view = view[os.write(descriptor, view) :]


def read(descriptor: int) -> Any:
    """Receive a value; raises EOFError if the other end is closed."""
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
