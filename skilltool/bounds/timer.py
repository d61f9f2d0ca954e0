"""The timer of this process, which ends work that cannot be done in another one.

Python calls the handler of a signal between any two instructions, also where an exception does harm: in the
middle of an import it leaves a module that never works again, in what cleans up it leaves the rest undone,
and in a callback of a weak reference it is dropped. So the handler looks where it was called, and the timer
runs out again and again until the work has ended.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

from skilltool.bounds.budget import TimeReason

Result = TypeVar("Result")


PATIENCE = 30  # times as much wall time as work
BLOCKED = 30.0  # seconds without any work, as in a read of a pipe
_AGAIN = 1.0  # seconds after which the timer runs out again
_SOON = 0.005  # the same during an import
_IMPORT = "<frozen importlib._bootstrap>"
_WAITED = TimeReason("took too long on a busy machine, or waited for a file")
# What this process works, and wall time as the backstop, each with its signal.
_TIMERS: dict[int, int] = {}
if hasattr(signal, "setitimer"):
    _TIMERS = {signal.ITIMER_PROF: signal.SIGPROF, signal.ITIMER_REAL: signal.SIGALRM}


class OutOfTimeError(BaseException):
    """Work has taken too long. Not an `Exception`, so that no handler on the way catches it.

    `reason` is None where the limit of work is the reason, which the allowance words.
    """

    def __init__(self, reason: str | None = None) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.reason = reason


def within(seconds: float, function: Callable[..., Result], *arguments: object) -> Result:
    """Return what a function returns; raises `OutOfTimeError` in it after so many seconds of work.

    That is where the system has timers and this is the main thread; elsewhere the function is only called.
    """
    if not _has_timer():
        return function(*arguments)
    before = {number: signal.signal(number, _raise) for number in _TIMERS.values()}
    outer = {timer: signal.getitimer(timer) for timer in _TIMERS}
    worked, began = time.process_time(), time.monotonic()
    try:
        set_timer(seconds)
        return _interruptible(function, arguments)
    finally:
        stop_timer()
        for number, handler in before.items():
            signal.signal(number, handler)
        for timer, (left, interval) in outer.items():
            if left:
                is_wall = timer == signal.ITIMER_REAL
                gone = time.monotonic() - began if is_wall else time.process_time() - worked
                signal.setitimer(timer, max(left - gone, 0.001), interval)


def set_timer(seconds: float) -> None:
    """Let the timer of this process run out after so many seconds of work, if it has one; see `within`."""
    if _has_timer():
        signal.setitimer(signal.ITIMER_PROF, max(seconds, 0.001), _AGAIN)
        signal.setitimer(signal.ITIMER_REAL, max(seconds * PATIENCE, BLOCKED), _AGAIN)


def stop_timer() -> None:
    """Let the timer of this process not run out until it is set again."""
    if _has_timer():
        for timer in _TIMERS:
            signal.setitimer(timer, 0)


def _interruptible(function: Callable[..., Result], arguments: tuple[object, ...]) -> Result:
    return function(*arguments)


def _has_timer() -> bool:
    return bool(_TIMERS) and threading.current_thread() is threading.main_thread()


def _raise(number: int, frame: FrameType | None) -> None:
    """Raise if the work has begun and not ended, which the frames tell; during an import, come back soon."""
    is_import = False
    is_backstop = number == signal.SIGALRM
    while frame is not None and frame.f_code is not within.__code__:
        if frame.f_code is _interruptible.__code__:
            if not is_import:
                raise OutOfTimeError(_WAITED if is_backstop else None)
            timer = signal.ITIMER_REAL if is_backstop else signal.ITIMER_PROF
            signal.setitimer(timer, _SOON, _AGAIN)
            return
        is_import = is_import or frame.f_code.co_filename == _IMPORT
        frame = frame.f_back
