"""The processes in which one command works on skills; work that uses up the budget of its skill is ended.

Where processes cannot be forked, small skills are worked on in this process, within a timer where there is
one; only large ones are worth the start of another process.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from skilltool.bounds import gate
from skilltool.bounds.budget import Allowance, OverBudgetError, out_of_memory, out_of_time_for_many
from skilltool.bounds.processes import Forked, Process, Spawned, can_fork, can_start, ready
from skilltool.bounds.raised import InternalError, InternalReason, given_up
from skilltool.bounds.serving import Task, value_of
from skilltool.bounds.timer import OutOfTimeError, set_timer, stop_timer, within
from skilltool.errors import SkilltoolError

Result = TypeVar("Result")
Report = Callable[[], None]
LARGE = 1 << 16  # bytes of a SKILL.md that is worth the start of a process
KILLED = "was given up: the process that worked on it was killed"
_SECONDS_PER_REPORT = 0.1
_MOST_DEFECTS = 16  # skills; with more, the defect may be in none of them
_PREPARATION = 20.0  # seconds that a process may take for what it does before its first task


class _KilledError(BaseException):
    """A process has ended before it had a result."""


class _LargeSkillError(BaseException):
    """A skill that this process has come to is worth the start of another."""


_GIVEN_UP = (OutOfTimeError, MemoryError, _KilledError)
_EXPECTED = (SkilltoolError, OSError, OverBudgetError)


class Crew:
    """The processes of one command, started when they are needed; use it as a context.

    `report` is called again and again while `call_watched` waits.
    """

    def __init__(self, allowance: Allowance | None = None) -> None:
        """Start with the whole budget."""
        self.allowance = allowance or Allowance()
        self._idle: list[Process] = []
        self._preparing: Process | None = None
        self.report: Report | None = None

    def __enter__(self) -> Crew:
        """Return the crew."""
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
        if process is not None and not (ready([process], _PREPARATION) and process.receive()):
            process.end()
            return None
        return process

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

        The time is taken from the skill's budget. Raises `OverBudgetError` if that is used up,
        `InternalError` for what nobody expected, and `SkilltoolError` and OSError as the function does.
        """
        key = os.path.realpath(directory)
        if key in self.allowance.ended:
            raise given_up(self.allowance.ended[key])
        process = self.start(spawned=is_large(directory))
        left = self.allowance.left(key)
        began = time.monotonic()
        try:
            if process is None:
                return within(left, function, *arguments)
            process.submit(Task(function, arguments, seconds=left))
            result: Result = self._answer(process, began + left)
            return result
        except _GIVEN_UP as error:
            reason = self._reason(error)
        except _EXPECTED:
            raise
        except Exception as error:  # a defect of ours in one skill must not hide the others
            reason = InternalReason.of(error)
        finally:
            self.allowance.spend(key, time.monotonic() - began)
        raise given_up(self.allowance.end(key, reason))

    def _reason(self, error: BaseException) -> str | None:
        """Return why work was given up; None for its time, which the allowance words."""
        if isinstance(error, MemoryError):
            return out_of_memory(self.allowance.budget)
        return KILLED if isinstance(error, _KilledError) else None

    def _answer(self, process: Process, until: float) -> Any:
        """Return the result of a process that has a task; one that is late is ended."""
        message = None
        try:
            if not ready([process], until - time.monotonic()):
                raise OutOfTimeError
            message = process.receive()
            if message is None:
                raise _KilledError
        finally:
            self.release(process) if message else process.end()
        return value_of(message)

    def call_watched(self, many: float, function: Callable[..., Result], *arguments: Any) -> Result:
        """Return what a function returns that reads many skills, and tells the `gate` which.

        A skill that uses up its budget is ended: the function is called again and gets told so when it comes
        to that skill. So is one in which something happens that nobody expected, up to `_MOST_DEFECTS` of
        them. `many` are the seconds for work about no skill, to which each skill that the function comes to
        adds its share. Raises `OverBudgetError` if these are used up, and what else `call` raises. A process
        that was killed is tried once more, as nothing may be wrong with its task. Where processes have to be
        spawned, one is started when the function comes to a large skill.
        """
        defects = 0
        was_killed = has_large = False
        while True:
            process = self.start(spawned=has_large)
            watch = _Watch(self.allowance, many)
            try:
                if process is None:
                    return _watched_here(watch, not has_large and can_start(), function, *arguments)
                ended, share = dict(self.allowance.ended), self.allowance.budget.share
                process.submit(Task(function, arguments, ended, watch.most, share))
                result: Result = self._watched_answer(process, watch)
                return result
            except _LargeSkillError:
                has_large = True
                continue
            except _GIVEN_UP as error:
                reason = self._reason(error)
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

    def _watched_answer(self, process: Process, watch: _Watch) -> Any:
        done = False
        try:
            while self._waited(process, watch):
                message = process.receive()
                if message is None:
                    raise _KilledError
                if message[0] != "at":
                    done = True
                    return value_of(message)
                watch.at(message[1])
            raise OutOfTimeError
        finally:
            self.release(process) if done else process.end()

    def _waited(self, process: Process, watch: _Watch) -> bool:
        """Wait for the next message of a process, and return whether there is one in time."""
        while self.report is not None:
            self.report()
            left = watch.left
            if ready([process], min(left, _SECONDS_PER_REPORT)):
                return True
            if left <= 0:
                return False
        return bool(ready([process], watch.left))


class _Watch:
    """The clock of one call that works on many skills."""

    def __init__(self, allowance: Allowance, many: float) -> None:
        self._allowance = allowance
        self.granted = many
        self._met: set[str] = set()
        self._spent = 0.0
        self._key = self.last = ""
        self._since = time.monotonic()

    @property
    def most(self) -> float:
        return max(self.granted, self._allowance.budget.seconds)

    @property
    def left(self) -> float:
        limit = self._allowance.left(self._key) if self._key else self.granted - self._spent
        return self._since + limit - time.monotonic()

    def at(self, key: str) -> None:
        """Charge the skill that was worked on, and go on with the one that has this key."""
        now = time.monotonic()
        if self._key:
            self._allowance.spend(self._key, now - self._since)
        else:
            self._spent += now - self._since
        if key and key not in self._met:
            self._met.add(key)
            self.granted += self._allowance.budget.share
        self.last, self._key, self._since = self._key, key, now


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

    with gate.watched(tell, watch._allowance.ended):
        return within(watch.left, function, *arguments)
