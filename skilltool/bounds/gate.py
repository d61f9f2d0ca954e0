"""Which skill is a process working on? What reads many skills tells it here, before it reads each one.

Only a process that is watched says so; everywhere else these functions do nothing.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_tell: Callable[[str], None] | None = None
_ended: Mapping[str, str] = {}


def enter(directory: Path) -> str | None:
    """Tell that the work on a skill begins; return why it must not, if it was ended before."""
    if _tell is None:
        return None
    key = os.path.realpath(directory)
    if key in _ended:
        return _ended[key]
    _tell(key)
    return None


def leave() -> None:
    """Tell that the work which follows is about no skill, or about all."""
    if _tell is not None:
        _tell("")


@contextmanager
def watched(tell: Callable[[str], None], ended: Mapping[str, str]) -> Iterator[None]:
    """Call `tell` with the key of each skill within the context, and refuse those that were `ended`."""
    global _tell, _ended
    before = _tell, _ended
    _tell, _ended = tell, ended
    try:
        yield
    finally:
        _tell, _ended = before
