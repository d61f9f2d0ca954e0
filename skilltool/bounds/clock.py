"""How much has a process worked, and has it worked for too long?

Limits count processor time, so that a busy machine gives up no skill that a quiet one checks. Wall time is
the backstop: `PATIENCE` times as much, and `BLOCKED` seconds without any work, as in a read of a pipe or of a
network file system that does not answer. Linux tells the processor time of another process; elsewhere what a
process has worked is the wall time since.

Source: clock_getcpuclockid(3) and `MAKE_PROCESS_CPUCLOCK` in Linux' `include/linux/posix-timers.h`; proc(5).
"""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path

from skilltool.bounds.budget import TimeReason, in_words
from skilltool.bounds.timer import BLOCKED, PATIENCE, OutOfTimeError

_TICK = 1.0  # seconds after which is looked again
_NOTICED = 0.002  # seconds of work that are some
_TELLS = sys.platform == "linux"


def now() -> float:
    """Return what this process has worked, in seconds, by the clock by which its parent sees it."""
    return time.process_time() if _TELLS else time.monotonic()


class Stopwatch:
    """The work of a process since it was started or restarted; without an id, of this one."""

    def __init__(self, process: int | None = None) -> None:
        """Begin to count."""
        self._process = process
        self._known = 0.0
        self.restart()

    def restart(self, at: float | None = None) -> None:
        """Begin again, where the clock of the process showed `at`, by default now."""
        self._since = self._now() if at is None else at
        self._began = self._moved = time.monotonic()
        self._known_to_move = self._all_work()

    @property
    def spent(self) -> float:
        """The seconds of work so far."""
        return max(self._now() - self._since, 0.0)

    def spent_at(self, at: float) -> float:
        """Return the seconds of work until the clock of the process showed `at`."""
        return max(at - self._since, 0.0)

    def use_up(self, limit: float) -> None:
        """Count at least so many seconds: a timer of the system has found them used up by its own clock."""
        self._since = min(self._since, self._now() - limit)

    def error(self, limit: float) -> OutOfTimeError | None:
        """Return why the work is to be ended that may take `limit` seconds; None if it may go on."""
        if self.spent >= limit:
            return OutOfTimeError()
        wall = time.monotonic()
        most = max(limit * PATIENCE, BLOCKED)
        if wall - self._began >= most:
            return OutOfTimeError(TimeReason(f"took more than {in_words(most)} on a busy machine"))
        if self._process is None or not _TELLS:
            return None
        work = self._all_work()
        if work - self._known_to_move > _NOTICED or _state(self._process) == "R":
            self._known_to_move, self._moved = work, wall
        elif wall - self._moved >= BLOCKED:
            return OutOfTimeError(f"was stopped: it waited for a file for {in_words(BLOCKED)}")
        return None

    def pause(self, limit: float) -> float:
        """Return the seconds of wall time after which `error` is to be asked again."""
        left = max(limit - self.spent, 0.001)
        return min(left, _TICK) if _TELLS else left

    def _now(self) -> float:
        if self._process is None:
            return time.process_time()
        if not _TELLS:
            return time.monotonic()
        with suppress(OSError):  # it has ended
            self._known = _work_of(self._process)
        return self._known

    def _all_work(self) -> float:
        """Return the work of the process and of those that it has started and waits for."""
        if self._process is None or not _TELLS:
            return 0.0
        work = self._now()
        with suppress(OSError):
            for child in Path(f"/proc/{self._process}/task/{self._process}/children").read_bytes().split():
                work += _work_of(int(child))
        return work


def _work_of(process: int) -> float:
    return time.clock_gettime((~process << 3) | 2)


def _state(process: int) -> str:
    """Return the letter that tells what a process does: `R` if it works, or waits for a processor only."""
    with suppress(OSError, IndexError):
        return Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[0].decode("ascii")
    return ""
