"""SIGTERM for commands with temporary files: ends them as Ctrl-C does, so that they clean up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on SIGTERM within the context, so that temporary files are deleted."""
    before = signal.signal(signal.SIGTERM, _interrupted)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupted(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
