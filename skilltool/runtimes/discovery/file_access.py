"""How does a runtime open a file? As Python's `pathlib` does, within skilltool's bounds.

Source: `pathlib` of CPython 3.13. Bytes are read the same way for runtimes in other languages.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from skilltool.bounds import gate
from skilltool.bounds.raised import clause_about_reading
from skilltool.runtimes.values import NOT_READ, Refusal, not_read
from skilltool.skill.read_file import MAX_BYTES
from skilltool.text.unsaved import already_read, open_buffer_or_file

TOO_LARGE = f"{NOT_READ}: it is larger than 1 MiB"


def decoded(raw: bytes | OSError) -> str:
    """Return text as Python's `read_text` does on a UTF-8 system: strict, every line end as `\\n`.

    Raises the error given in place of bytes, and `UnicodeDecodeError`.
    """
    if isinstance(raw, OSError):
        raise raw
    return raw.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(file: Path) -> bytes:
    """Return the content of a skill's file; raises OSError, and `Refusal` for what skilltool does not read.

    That is what `bytes_beside_skills` does not read, and a file of a skill that was given up.
    """
    if reason := gate.enter(file.parent):
        raise not_read(clause_about_reading(reason))
    return bytes_beside_skills(file)


def bytes_beside_skills(file: Path) -> bytes:
    """Return the content of a file that is not a skill's own, such as settings; raises as `read_bytes` does.

    Not read is a file larger than 1 MiB, and anything that is neither a file nor a directory: a runtime that
    opens a pipe waits until somebody writes to it.
    """
    known = already_read(file)
    if known is not None:
        return known
    status = file.stat()
    mode = status.st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise not_read("it is not a regular file")
    with open_buffer_or_file(file) as content:
        # Python allocates what is asked for, and a megabyte for each file costs more than reading it.
        raw = content.read(min(status.st_size, MAX_BYTES) + 1)
        if len(raw) > status.st_size:  # an unsaved buffer, or a file that has grown
            raw += content.read(MAX_BYTES + 1 - len(raw))
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    return raw


def bytes_of(file: Path) -> bytes | OSError:
    """Return what `read_bytes` returns, or the OSError that it raises; raises `Refusal` as it does."""
    try:
        return read_bytes(file)
    except OSError as error:
        return error


def exists(path: Path) -> bool:
    """Return what `Path.exists()` returns in Python 3.13: raises OSError unless nothing is there."""
    return _status(path) is not None


def is_directory(path: Path) -> bool:
    """Return what `Path.is_dir()` returns in Python 3.13; raises OSError as `exists` does."""
    status = _status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError as error:
        if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP}:
            raise
    except ValueError:  # a null character in the path
        pass
    return None
