"""A text that an editor holds and has not saved, in the place of its file.

Everything that reads a SKILL.md opens it here, so that rules, runtimes and fixes judge what the author sees.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

_HELD: ContextVar[tuple[str, bytes] | None] = ContextVar("held", default=None)


@contextmanager
def substituted(file: Path, raw: bytes) -> Iterator[None]:
    """Let `raw` be what `file` holds, by whatever path it is opened, within this context."""
    token = _HELD.set((os.path.realpath(file), raw))
    try:
        yield
    finally:
        _HELD.reset(token)


def any_substituted() -> bool:
    """Return whether a text is held, so that what is found is not true of the disk."""
    return _HELD.get() is not None


def open_file(file: Path) -> BinaryIO:
    """Open a file to read its bytes, or those that are held in its place; raises OSError."""
    text = _HELD.get()
    if text is not None and os.path.realpath(file) == text[0]:
        return io.BytesIO(text[1])
    return file.open("rb")
