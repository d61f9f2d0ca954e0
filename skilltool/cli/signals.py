"""Signals for commands with temporary files: the first ends them as Ctrl-C does, so that they clean up."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

# Of a person, a system and a terminal that is closed; Windows lacks the last.
_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def ended_by_sigterm() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on SIGINT, SIGTERM or SIGHUP within the context, once.

    More of them are ignored until the context ends, since they would end the cleaning up. A signal that was
    ignored before, as by `nohup`, stays ignored.
    """
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    caught = [number for number, handler in before.items() if handler not in (signal.SIG_IGN, None)]

    ended = False

    def interrupt(number: int, frame: FrameType | None) -> None:
        nonlocal ended
        if not ended:
            ended = True
            raise KeyboardInterrupt

    for number in caught:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number in caught:
            signal.signal(number, before[number])
