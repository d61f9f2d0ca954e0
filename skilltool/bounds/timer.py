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

Result = TypeVar("Result")


_AGAIN = 1.0  # seconds after which the timer runs out again


_SOON = 0.005  # the same during an import


_IMPORT = "<frozen importlib._bootstrap>"


class OutOfTimeError(BaseException):
    """The timer of this process has run out. Not an `Exception`, so that no handler on the way catches it."""


def within(seconds: float, function: Callable[..., Result], *arguments: object) -> Result:
    """Return what a function returns; raises `OutOfTimeError` in it after so many seconds.

    That is where the system has timers and this is the main thread; elsewhere the function is only called.
    """
    if not _has_timer():
        return function(*arguments)
    before = signal.signal(signal.SIGALRM, _raise)
    (outer, interval), began = signal.getitimer(signal.ITIMER_REAL), time.monotonic()
    try:
        set_timer(seconds)
        return _interruptible(function, arguments)
    finally:
        stop_timer()
        signal.signal(signal.SIGALRM, before)
        if outer:
            left = outer - (time.monotonic() - began)
            signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), interval)


def set_timer(seconds: float) -> None:
    """Let the timer of this process run out after so many seconds, if it has one; see `within`."""
    if _has_timer():
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001), _AGAIN)


def stop_timer() -> None:
    """Let the timer of this process not run out until it is set again."""
    if _has_timer():
        signal.setitimer(signal.ITIMER_REAL, 0)


def _interruptible(function: Callable[..., Result], arguments: tuple[object, ...]) -> Result:
    return function(*arguments)


def _has_timer() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _raise(_signal: int, frame: FrameType | None) -> None:
    """Raise if the work has begun and not ended, which the frames tell; during an import, come back soon."""
    is_import = False
    while frame is not None and frame.f_code is not within.__code__:
        if frame.f_code is _interruptible.__code__:
            if not is_import:
                raise OutOfTimeError
            signal.setitimer(signal.ITIMER_REAL, _SOON, _AGAIN)
            return
        is_import = is_import or frame.f_code.co_filename == _IMPORT
        frame = frame.f_back
