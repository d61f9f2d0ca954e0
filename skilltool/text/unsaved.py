"""Substitutes an unsaved buffer of an editor for its file, and the bytes of a file that has been read.

Everything that reads a SKILL.md or a page opens it here: rules, runtimes and fixes see what the author sees.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

_BUFFER: ContextVar[tuple[str, bytes] | None] = ContextVar("unsaved_buffer", default=None)


_READ: ContextVar[tuple[str, bytes] | None] = ContextVar("bytes_read", default=None)


def already_read(file: Path) -> bytes | None:
    """Return the bytes of `file` if they have been read in this context, by exactly this path."""
    known = _READ.get()
    return known[1] if known is not None and known[0] == str(file) else None


@contextmanager
def reading_once(file: str, raw: bytes | None) -> Iterator[None]:
    """Within this context, do not read `file` again: it holds `raw`; None if that is not known.

    An unsaved buffer goes before it.
    """
    if raw is None or has_unsaved_buffer():
        yield
        return
    token = _READ.set((file, raw))
    try:
        yield
    finally:
        _READ.reset(token)


@contextmanager
def unsaved_buffer(file: Path, raw: bytes) -> Iterator[None]:
    """Within this context, read `raw` instead of the content of `file`, by whatever path it is opened."""
    token = _BUFFER.set((os.path.realpath(file), raw))
    try:
        yield
    finally:
        _BUFFER.reset(token)


def has_unsaved_buffer() -> bool:
    """Return whether a buffer is substituted, so that results do not describe the files on disk."""
    return _BUFFER.get() is not None


def buffer_below(directory: Path) -> str | None:
    """Return the path, with `/`, of the file under `directory` that has a buffer; None without one."""
    buffer = _BUFFER.get()
    top = f"{os.path.realpath(directory).rstrip(os.sep)}{os.sep}"
    return buffer[0][len(top) :].replace(os.sep, "/") if buffer and buffer[0].startswith(top) else None


def buffer_of(file: str | Path) -> bytes | None:
    """Return what is substituted for `file`; None if nothing is."""
    buffer = _BUFFER.get()
    return buffer[1] if buffer is not None and os.path.realpath(file) == buffer[0] else None


def open_buffer_or_file(file: Path) -> BinaryIO:
    """Open for reading the buffer that is substituted for `file`, or else the file itself; raises OSError."""
    buffer = buffer_of(file)
    return file.open("rb") if buffer is None else io.BytesIO(buffer)
