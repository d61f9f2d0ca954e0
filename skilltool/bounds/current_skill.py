"""Which skill is a thread working on? What reads many skills tells it here, before it reads each one.

So does work on one skill that reads those beside it. Only a thread that is watched says so; everywhere else
these functions do nothing.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path


class _Watch(threading.local):
    """What a thread is watched by: another one may read skills at the same time."""

    tell: Callable[[str], None] | None = None
    ended: Mapping[str, str] = {}
    is_in_skill = False
    is_for_one = False  # the work is about one skill, whatever of it is read


_watch = _Watch()


def enter(directory: Path) -> str | None:
    """Tell that the work on a skill begins; return why it must not, if it was ended before."""
    return None if _watch.is_for_one else _enter(directory)


def _enter(directory: Path) -> str | None:
    if _watch.tell is None:
        return None
    key = os.path.realpath(directory)
    if key in _watch.ended:
        return _watch.ended[key]
    _watch.tell(key)
    _watch.is_in_skill = True
    return None


def leave() -> None:
    """Tell that the work which follows is about no skill, or about all."""
    if not _watch.is_for_one:
        _leave()


def _leave() -> None:
    _watch.is_in_skill = False
    if _watch.tell is not None:
        _watch.tell("")


@contextmanager
def beside() -> Iterator[Callable[[Path], str | None]]:
    """Yield `enter` for the skills beside the one that is worked on, which goes on after the context.

    What is raised within is about the skill that was entered.
    """
    if not _watch.is_for_one:
        yield lambda directory: None
        return
    yield _enter
    _leave()


def is_in_skill() -> bool:
    """Return whether the work is about one skill, of which was told."""
    return _watch.is_in_skill


@contextmanager
def watched(
    tell: Callable[[str], None], ended: Mapping[str, str], is_for_one: bool = False
) -> Iterator[None]:
    """Call `tell` with the key of each skill within the context, and refuse those that were `ended`.

    Where the work is about one skill, only those beside it are told, and an empty key for itself.
    """
    before = _watch.tell, _watch.ended, _watch.is_in_skill, _watch.is_for_one
    _watch.tell, _watch.ended, _watch.is_in_skill, _watch.is_for_one = tell, ended, False, is_for_one
    try:
        yield
    finally:
        _watch.tell, _watch.ended, _watch.is_in_skill, _watch.is_for_one = before
