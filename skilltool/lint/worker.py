"""What is done with one skill of a run: check it within a bound of time, and say what may be kept of it."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from skilltool.lint.check import check_skill
from skilltool.lint.settings import Settings
from skilltool.rules.records import CheckedSkill
from skilltool.skill.model import load_skill

if TYPE_CHECKING:
    from skilltool.lint.cache.rows import Row
    from skilltool.skill.model import Skill

SECONDS = 10.0  # of wall time for one skill
_GRACE = 5.0  # of processor time more, before a process that does not listen is ended
_pooled = False  # whether this is a process of a pool, which may be ended


class OutOfTimeError(BaseException):
    """A skill took longer than `SECONDS`; no `except Exception` on the way holds it up."""


def attempt(directory: Path, settings: Settings) -> tuple[CheckedSkill | str, Row | None]:
    """Check one skill; return what was found, or in words why nothing was, and a row for the cache."""
    if settings.cache is None:
        outcome, _skill = _checked(directory, settings)
        return outcome, None
    from skilltool.lint import cache

    before = cache.snapshot(directory)
    outcome, skill = _checked(directory, settings)
    if skill is None or before is None or isinstance(outcome, str):
        return outcome, None
    return outcome, cache.make_row(directory, skill, outcome, before)


def _checked(directory: Path, settings: Settings) -> tuple[CheckedSkill | str, Skill | None]:
    try:
        with _bounded(SECONDS):
            skill = load_skill(directory)
            return check_skill(skill, directory, settings), skill
    except OutOfTimeError:
        return f"checking took over {SECONDS:.0f} seconds and was given up", None
    except Exception as error:  # a defect of ours in one skill must not hide the others
        return f"skilltool failed here, please report it: {error!r}", None


def attempt_all(
    directories: Sequence[str], settings: Settings
) -> list[tuple[CheckedSkill | str, Row | None]]:
    """Check skills in a process of a pool; see `attempt`."""
    return [attempt(Path(directory), settings) for directory in directories]


def started(parent: int | None) -> None:
    """Prepare a process of a pool: an interrupt is for the process that started it, and it ends with that.

    `parent` is the id of that process if this one is a copy of it, None if it was begun anew.
    """
    global _pooled
    _pooled = True
    gc.freeze()  # what was there before needs no looking through, and no copy of its pages
    gc.set_threshold(20_000)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int | None) -> None:
    """End this process soon after its parent: one that was killed could not tell its pool."""
    if parent is None:
        from multiprocessing import parent_process
        from multiprocessing.connection import wait

        began = parent_process()
        wait([began.sentinel] if began else [])
    while os.getppid() == parent:  # copies hold the ends of each other's pipes: none would tell
        time.sleep(1.0)
    os._exit(1)


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` in the block when it has run for `seconds`, where the system can do that.

    In a process of a pool, one that does not come back to Python to hear of it is ended by the system.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    if _pooled:
        signal.setitimer(signal.ITIMER_PROF, seconds + _GRACE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        if _pooled:
            signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGALRM, before)


def _raise(_signal: int, _frame: FrameType | None) -> None:
    raise OutOfTimeError
