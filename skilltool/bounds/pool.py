"""The processes in which one command works on skills; work that uses up the budget of its skill is ended.

Where processes cannot be forked, small skills are worked on in this process, within a timer where there is
one; only large ones are worth the start of another process.

On Linux they are forked, which takes a few milliseconds; elsewhere, and beside other threads, they are
spawned. Spawned ones import nothing from the working directory, where the files of strangers are.
"""

from __future__ import annotations

import os
import select
import signal
import struct
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from types import GeneratorType, TracebackType
from typing import Any, NamedTuple, TypeVar

from skilltool.bounds import clock, current_skill
from skilltool.bounds.budget import (
    Allowance,
    Budget,
    InternalError,
    InternalReason,
    OverBudgetError,
    Raised,
    given_up,
    out_of_memory,
    out_of_time_for_many,
)
from skilltool.bounds.clock import Stopwatch
from skilltool.bounds.timer import OutOfTimeError, set_timer, stop_timer, within
from skilltool.errors import SkilltoolError

_GRACE = 5.0  # seconds of processor time after which the system ends a task whose parent is gone
_LENGTH = struct.Struct("!Q")
# "item", "done" or "at" and a value, or "raised" and a `Raised`; what the process had worked by then.
Message = tuple[str, Any, float]
Send = Callable[[Message], None]
_is_worker = False  # whether this process was started to run tasks


class Task(NamedTuple):
    """A function of a module, and its arguments; what a generator yields is sent one by one.

    With `ended` the process tells which skill it works on, and refuses those, by key, with their reasons; if
    the work is for one skill, that is about those beside it (see `current_skill.watched`). `seconds` is the
    time without a message after which the task is ended at the latest, and `share` what each message adds.
    """

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    ended: Mapping[str, str] | None = None
    seconds: float = 0.0
    share: float = 0.0
    is_for_one: bool = False


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
        for kind, value in _messages(task, send_in_time):
            send_in_time((kind, value, clock.now()))
        _set_timer(0)


def _messages(task: Task, send: Send) -> Iterator[tuple[str, Any]]:
    from skilltool.bounds import current_skill

    watched: AbstractContextManager[None] = nullcontext()
    if task.ended is not None:
        watched = current_skill.watched(
            lambda key: send(("at", key, clock.now())), task.ended, task.is_for_one
        )
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
    kind, value, _ = message
    if kind == "raised":
        raise value.error
    return value


def write(descriptor: int, value: Any) -> None:
    """Send a value through a pipe; raises OSError."""
    import pickle  # not needed where everything is known from the run before

    raw = pickle.dumps(value, pickle.HIGHEST_PROTOCOL)
    view = memoryview(_LENGTH.pack(len(raw)) + raw)
    while view:
        view = view[os.write(descriptor, view) :]


def read(descriptor: int) -> Any:
    """Receive a value; raises EOFError if the other end is closed."""
    (length,) = _LENGTH.unpack(_read_exactly(descriptor, _LENGTH.size))
    import pickle

    return pickle.loads(_read_exactly(descriptor, length))


def _read_exactly(descriptor: int, length: int) -> bytes:
    raw = bytearray()
    while len(raw) < length:
        part = os.read(descriptor, min(length - len(raw), 1 << 20))
        if not part:
            raise EOFError
        raw += part
    return bytes(raw)


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
            self.pid = os.fork()
        except OSError:
            for end in ends:
                os.close(end)
            raise
        tasks, self._write, self._read, results, alive, held = ends
        self._ours = (self._write, self._read, held)
        if not self.pid:
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
        except Exception:  # it ended, or wrote what is no message: `pickle` raises whatever comes of that
            return None
        return message

    def end(self) -> None:
        """End the process, whatever it does."""
        with suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
        with suppress(OSError):
            os.waitpid(self.pid, 0)
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
        self.pid = self._process.pid
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


def await_message(process: Process, watch: Stopwatch, limit: float) -> None:
    """Wait until a process has a message or has ended; raises `OutOfTimeError` if it works for too long."""
    while not ready([process], watch.pause(limit)):
        if error := watch.error(limit):
            raise error


def ready(processes: Sequence[Process], seconds: float) -> Sequence[Process]:
    """Wait for a message of any of these processes, and return those that have one or have ended."""
    if os.name == "posix":
        return select.select(processes, [], [], max(seconds, 0.0))[0]
    from multiprocessing.connection import wait

    by_connection: dict[Any, Process] = {
        process.connection: process for process in processes if isinstance(process, Spawned)
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


Result = TypeVar("Result")
Report = Callable[[], None]
LARGE = 1 << 16  # bytes of a SKILL.md that is worth the start of a process
KILLED = "was stopped: its process was killed"
_SECONDS_PER_REPORT = 0.1
_MOST_DEFECTS = 16  # skills; with more, the defect may be in none of them
_PREPARATION = 20.0  # seconds of work that a process may take for what it does before its first task


# The work of a call, which yields the process that it waits for, and its watch, and returns the result.
Waiting = Generator[tuple["Process", "_Watch"], None, Result]


class _KilledError(BaseException):
    """A process has ended before it had a result."""


class _LargeSkillError(BaseException):
    """A skill that this process has come to is worth the start of another."""


_GIVEN_UP = (OutOfTimeError, MemoryError, _KilledError)
_EXPECTED = (SkilltoolError, OSError, OverBudgetError)


class WorkerPool:
    """The processes of one command, started when they are needed; use it as a context.

    `report` is called again and again while `call_watched` waits.
    """

    def __init__(self, allowance: Allowance | None = None) -> None:
        """Start with the whole budget."""
        self.allowance = allowance or Allowance()
        self._idle: list[Process] = []
        self._preparing: Process | None = None
        self.report: Report | None = None

    def __enter__(self) -> WorkerPool:
        """Return the pool."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all processes that are idle, and one that nothing was asked of."""
        if self._preparing is not None:
            self._preparing.end()
            self._preparing = None
        while self._idle:
            self._idle.pop().end()

    def prepare(self, function: Callable[..., object], *arguments: Any) -> None:
        """Let a process call a function of a module now, and be the next that is started.

        That is for work which makes a later task short, such as imports: what it returns or raises is not
        looked at. Nothing is done where processes cannot be forked.
        """
        if self._preparing is None and can_fork() and (process := self.start()) is not None:
            process.submit(Task(function, arguments, seconds=_PREPARATION))
            self._preparing = process

    def _prepared(self) -> Process | None:
        """Return the process that was told to prepare, once it has; None if there is none or it failed to."""
        process, self._preparing = self._preparing, None
        if process is None:
            return None
        try:
            await_message(process, Stopwatch(process.pid), _PREPARATION)
            is_prepared = process.receive() is not None
        except OutOfTimeError:
            is_prepared = False
        if not is_prepared:
            process.end()
        return process if is_prepared else None

    def start(self, spawned: bool = False) -> Process | None:
        """Return an idle process, or a new one; None where this process must do the work itself.

        With `spawned` also where a process has to be spawned.
        """
        if self._idle:
            return self._idle.pop()
        if prepared := self._prepared():
            return prepared
        try:
            if can_fork():
                return Forked(self.allowance.budget)
            return Spawned(self.allowance.budget) if spawned and can_start() else None
        except OSError:  # the system starts no more processes
            return None

    def release(self, process: Process) -> None:
        """Take back a process that has done its task."""
        self._idle.append(process)

    def call(self, directory: Path, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return what a function of a module returns, which works on the skill in `directory`.

        The time is taken from the skill's budget, but for what it takes to read a skill beside it: one that
        uses up its own is ended, and the function called again. Raises `OverBudgetError` if the budget is
        used up, `InternalError` for what nobody expected, and `SkilltoolError` and OSError as the function
        does.
        """
        key = os.path.realpath(directory)
        while key not in self.allowance.ended:
            process = self.start(spawned=is_large(directory))
            watch = _Watch(self.allowance, 0.0, process, key)
            try:
                if process is None:
                    return _watched_here(watch, False, function, *arguments)
                ended = dict(self.allowance.ended)
                process.submit(Task(function, arguments, ended, self.allowance.budget.seconds, 0.0, True))
                result: Result = self._answers([self._answer(process, watch)])[0]
                return result
            except _GIVEN_UP as error:
                reason = self._reason(error, watch.clock, watch.limit)
            except _EXPECTED:
                raise
            except Exception as error:  # a defect of ours in one skill must not hide the others
                reason = InternalReason.of(error)
            finally:
                watch.at("")
            self.allowance.end(watch.last, reason)
        raise given_up(self.allowance.ended[key])

    def _reason(self, error: BaseException, watch: Stopwatch, limit: float) -> str | None:
        """Return why work was given up; None for its time, which the allowance words."""
        if isinstance(error, MemoryError):
            return out_of_memory(self.allowance.budget)
        if isinstance(error, OutOfTimeError):
            if error.reason is None:
                watch.use_up(limit)
            return error.reason
        return KILLED if isinstance(error, _KilledError) else None

    def call_watched(self, many: float, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return what a function returns that reads many skills, and tells the `gate` which.

        A skill that uses up its budget is ended: the function is called again and gets told so when it comes
        to that skill. So is one in which something happens that nobody expected, up to `_MOST_DEFECTS` of
        them. `many` are the seconds for work about no skill, to which each skill that the function comes to
        adds its share. Raises `OverBudgetError` if these are used up, and what else `call` raises. A process
        that was killed is tried once more, as nothing may be wrong with its task. Where processes have to be
        spawned, one is started when the function comes to a large skill.
        """
        return self.call_each_watched(many, function, [arguments])[0]

    def call_each_watched(
        self, many: float, function: Callable[..., Result], calls: Sequence[tuple[Any, ...]]
    ) -> list[Result]:
        """Return what a function returns for each tuple of arguments: `call_watched` for all of them at once.

        The first error ends all of them. Where no process can be started they are done here, one by one.
        """
        return self._answers([self._attempts(many, function, arguments) for arguments in calls])

    def _attempts(
        self, many: float, function: Callable[..., Result], arguments: tuple[Any, ...]
    ) -> Waiting[Result]:
        """Call a function until it returns, and return that; yields while a process works on it."""
        defects = 0
        was_killed = has_large = False
        while True:
            process = self.start(spawned=has_large)
            watch = _Watch(self.allowance, many, process)
            try:
                if process is None:
                    return _watched_here(watch, not has_large and can_start(), function, *arguments)
                ended, share = dict(self.allowance.ended), self.allowance.budget.share
                process.submit(Task(function, arguments, ended, watch.most, share))
                result: Result = yield from self._answer(process, watch)
                return result
            except _LargeSkillError:
                has_large = True
                continue
            except _GIVEN_UP as error:
                reason = self._reason(error, watch.clock, watch.limit)
            except _EXPECTED:
                raise
            except Exception as error:
                reason = InternalReason.of(error)
                defects += 1
            finally:
                watch.at("")
            if isinstance(reason, InternalReason) and (not watch.last or defects > _MOST_DEFECTS):
                raise InternalError(reason)
            if reason == KILLED and not was_killed:
                was_killed = True
                continue
            if not watch.last:
                raise OverBudgetError(reason or out_of_time_for_many(watch.granted))
            self.allowance.end(watch.last, reason)

    def _answer(self, process: Process, watch: _Watch) -> Waiting[Any]:
        """Return the result of a process; yields until it has a message, or is late, which is thrown."""
        done = False
        try:
            while True:
                yield process, watch
                message = process.receive()
                if message is None:
                    raise _KilledError
                if message[0] != "at":
                    done = True
                    return value_of(message)
                watch.at(message[1], message[2])
        finally:
            self.release(process) if done else process.end()

    def _answers(self, works: Sequence[Waiting[Result]]) -> list[Result]:
        """Go on with each work when its process has a message or is late, until all have returned."""
        returned: dict[Waiting[Result], Result] = {}
        waits: dict[Waiting[Result], tuple[Process, _Watch]] = {}

        def go_on(work: Waiting[Result], error: OutOfTimeError | None = None) -> None:
            waits.pop(work, None)
            try:
                waits[work] = next(work) if error is None else work.throw(error)
            except StopIteration as stop:
                returned[work] = stop.value

        try:
            for work in works:
                go_on(work)
            while waits:
                if self.report is not None:
                    self.report()
                pause = min(watch.pause for _, watch in waits.values())
                pause = pause if self.report is None else min(pause, _SECONDS_PER_REPORT)
                have_messages = set(ready([process for process, _ in waits.values()], pause))
                for work, (process, watch) in list(waits.items()):
                    if process in have_messages:
                        go_on(work)
                    elif error := watch.error:
                        go_on(work, error)
        finally:
            for work in works:
                work.close()
        return [returned[work] for work in works]


class _Watch:
    """The work of one call, in a process or in this one: about many skills, or for the one with this key."""

    def __init__(self, allowance: Allowance, many: float, process: Process | None, key: str = "") -> None:
        self._allowance = allowance
        self.granted = many
        self._met: set[str] = set()
        self._spent = 0.0
        self.one = self._key = self.last = key
        self.clock = Stopwatch(None if process is None else process.pid)

    @property
    def most(self) -> float:
        return max(self.granted, self._allowance.budget.seconds)

    @property
    def limit(self) -> float:
        return self._allowance.left(self._key) if self._key else self.granted - self._spent

    @property
    def left(self) -> float:
        return self.limit - self.clock.spent

    @property
    def pause(self) -> float:
        return self.clock.pause(self.limit)

    @property
    def error(self) -> OutOfTimeError | None:
        return self.clock.error(self.limit)

    def at(self, key: str, now: float | None = None) -> None:
        """Charge the skill that was worked on, and go on with the one that has this key, or with no other.

        `now` is what the clock of the process showed then.
        """
        spent = self.clock.spent if now is None else self.clock.spent_at(now)
        if self._key:
            self._allowance.spend(self._key, spent)
        else:
            self._spent += spent
        if key and key not in self._met:
            self._met.add(key)
            self.granted += self._allowance.budget.share
        self.last, self._key = self._key, key or self.one
        self.clock.restart(now)


def is_large(directory: Path) -> bool:
    """Return whether the SKILL.md in a directory is worth the start of a process."""
    try:
        return (directory / "SKILL.md").stat().st_size > LARGE
    except OSError:
        return False


def _watched_here(
    watch: _Watch, small_only: bool, function: Callable[..., Result], *arguments: Any
) -> Result:
    def tell(key: str) -> None:
        if small_only and key and is_large(Path(key)):
            raise _LargeSkillError
        stop_timer()  # what runs out in `at` would be charged to the wrong skill
        watch.at(key)
        set_timer(watch.left)

    with current_skill.watched(tell, watch._allowance.ended, bool(watch.one)):
        return within(watch.left, function, *arguments)


_SHARD = 8  # skills; the fewer, the sooner all processes are done after the first one is


class Given(NamedTuple):
    """A skill, and what the function yielded for it: a result, or the reason why the skill was given up."""

    directory: Path
    result: Any | str


class _Shard:
    """Skills that one process works on, in order.

    `key` is that of the skill that it reads, the first that is left or one beside it; `clock` began with it.
    """

    def __init__(self, left: deque[Path], process: Process) -> None:
        self.left = left
        self.clock = Stopwatch(process.pid)
        self.key = ""

    def begin(self, now: float | None = None, beside: str = "") -> None:
        self.clock.restart(now)
        self.key = beside or (os.path.realpath(self.left[0]) if self.left else "")


class Shards:
    """Skills that wait for a process, and those that processes work on."""

    def __init__(
        self, pool: WorkerPool, directories: Sequence[Path], task: Callable[[Sequence[Path]], Task]
    ) -> None:
        """Take a function that makes the task for some skills, which yields a result for each."""
        self._pool = pool
        self._task = task
        self._waiting = deque(deque(directories[n : n + _SHARD]) for n in range(0, len(directories), _SHARD))
        self._busy: dict[Process, _Shard] = {}
        self._killed: set[str] = set()

    @property
    def unstarted(self) -> list[Path]:
        """The skills left where the system started no process at all."""
        return [directory for shard in self._waiting for directory in shard]

    def results(self, jobs: int) -> Iterator[Given]:
        """Yield the results of up to `jobs` processes; ends early if none can be started."""
        try:
            while self._waiting or self._busy:
                while (
                    self._waiting and len(self._busy) < jobs and (process := self._pool.start(spawned=True))
                ):
                    self._submit(process, self._waiting.popleft())
                if not self._busy:
                    return
                first = min(shard.clock.pause(self._limit(shard)) for shard in self._busy.values())
                has_message = ready(list(self._busy), first)
                for process in has_message:
                    yield from self._take(process)
                yield from self._end_late(set(self._busy).difference(has_message))
        finally:
            for process in self._busy:
                process.end()

    def _limit(self, shard: _Shard) -> float:
        return self._pool.allowance.left(shard.key) if shard.key else self._pool.allowance.budget.seconds

    def _submit(self, process: Process, directories: deque[Path]) -> None:
        shard = _Shard(directories, process)
        task, allowance = self._task(list(directories)), self._pool.allowance
        seconds, ended = allowance.budget.seconds, dict(allowance.ended)
        process.submit(task._replace(seconds=seconds, ended=ended, is_for_one=True))
        shard.begin()
        self._busy[process] = shard

    def _take(self, process: Process) -> Iterator[Given]:
        shard = self._busy[process]
        message = process.receive()
        if message is None:
            yield from self._end(process, KILLED)
        elif message[0] in ("item", "at"):
            kind, value, now = message
            self._pool.allowance.spend(shard.key, shard.clock.spent_at(now))
            if kind == "item":
                yield Given(shard.left.popleft(), value)
            shard.begin(now, value if kind == "at" else "")
        else:
            del self._busy[process]
            self._pool.release(process)
            value_of(message)

    def _end_late(self, processes: set[Process]) -> Iterator[Given]:
        for process in processes:
            shard = self._busy[process]
            if error := shard.clock.error(self._limit(shard)):
                self._pool.allowance.spend(shard.key, shard.clock.spent)
                yield from self._end(process, error.reason)

    def _end(self, process: Process, reason: str | None) -> Iterator[Given]:
        """End a process, and give up the skill that it read; if it was killed, that is tried once more.

        The skills that are left go on with another process. The one that was worked on is tried again if it
        is not the one that was given up, but reads it.
        """
        shard = self._busy.pop(process)
        process.end()
        if not shard.left:
            return
        if reason == KILLED and shard.key not in self._killed:
            self._killed.add(shard.key)
        else:
            why = self._pool.allowance.end(shard.key, reason)
            if shard.key == os.path.realpath(shard.left[0]):
                yield Given(shard.left.popleft(), why)
        if shard.left:
            self._waiting.appendleft(shard.left)
