"""The timer of this process, which ends work that cannot be done in another one."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTimeError(BaseException):
    """The timer of this process has run out. Not an `Exception`, so that no handler on the way catches it."""


@contextmanager
def timer(seconds: float) -> Iterator[None]:
    """Raise in the block after so many seconds, where the system has timers and this is the main thread."""
    if not _has_timer():
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    set_timer(seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def set_timer(seconds: float) -> None:
    """Let the timer of this process run out after so many seconds, if it has one; see `timer`."""
    if _has_timer():
        signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))


def _has_timer() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise OutOfTimeError
