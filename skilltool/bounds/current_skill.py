"""Which skill is a thread working on? What reads many skills tells it here, before it reads each one.

Only a thread that is watched says so; everywhere else these functions do nothing.
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


_watch = _Watch()


def enter(directory: Path) -> str | None:
    """Tell that the work on a skill begins; return why it must not, if it was ended before."""
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
    _watch.is_in_skill = False
    if _watch.tell is not None:
        _watch.tell("")


def is_in_skill() -> bool:
    """Return whether the work is about one skill, of which was told."""
    return _watch.is_in_skill


@contextmanager
def watched(tell: Callable[[str], None], ended: Mapping[str, str]) -> Iterator[None]:
    """Call `tell` with the key of each skill within the context, and refuse those that were `ended`."""
    before = _watch.tell, _watch.ended, _watch.is_in_skill
    _watch.tell, _watch.ended, _watch.is_in_skill = tell, ended, False
    try:
        yield
    finally:
        _watch.tell, _watch.ended, _watch.is_in_skill = before
