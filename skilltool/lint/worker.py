"""Check one skill of a run within a limit of time, and prepare what the cache may keep of it."""

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
_GRACE = 5.0  # further seconds of processor time before a process that does not react is killed
_pooled = False  # whether this is a process of a pool, which may be killed


class OutOfTimeError(BaseException):
    """A skill took longer than `SECONDS`. Not an `Exception`, so that no handler on the way catches it."""


def attempt(directory: Path, settings: Settings) -> tuple[CheckedSkill | str, Row | None]:
    """Check one skill; return what was found, or why it could not be checked, and a row for the cache."""
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
        return f"check stopped after {SECONDS:.0f} seconds", None
    except Exception as error:  # a defect of ours in one skill must not hide the others
        return f"internal error, please report it: {error!r}", None


def attempt_all(
    directories: Sequence[str], settings: Settings
) -> list[tuple[CheckedSkill | str, Row | None]]:
    """Check skills in a process of a pool; see `attempt`."""
    return [attempt(Path(directory), settings) for directory in directories]


def started(parent: int | None) -> None:
    """Prepare a process of a pool: it ignores interrupts, and ends when the process that started it does.

    `parent` is the id of that process if this one was forked from it, None if it was spawned.
    """
    global _pooled
    _pooled = True
    gc.freeze()  # objects of the parent need no collection, which would copy their pages
    gc.set_threshold(20_000)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int | None) -> None:
    """End this process soon after its parent, which cannot tell its pool when it is killed."""
    if parent is None:
        from multiprocessing import parent_process
        from multiprocessing.connection import wait

        began = parent_process()
        wait([began.sentinel] if began else [])
    while os.getppid() == parent:  # forked processes keep each other's pipes open, so that none is closed
        time.sleep(1.0)
    os._exit(1)


@contextmanager
def _bounded(seconds: float) -> Iterator[None]:
    """Raise `OutOfTimeError` in the block after `seconds`, where the system has timers.

    A process of a pool that does not return to Python, where it would notice, is killed by the system.
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
