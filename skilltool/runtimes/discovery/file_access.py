"""How a runtime opens a file: Python's `read_text` and `Path.exists`, within our bounds.

Source: `pathlib` of CPython 3.13.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from skilltool.runtimes.values import GIVEN_UP, Refusal, given_up
from skilltool.skill.model import MAX_BYTES
from skilltool.text.unsaved import open_file

TOO_LARGE = f"{GIVEN_UP}: it is larger than 1 MiB"


def decoded(raw: bytes | OSError) -> str:
    """Return text as Python's `read_text` does on a UTF-8 system: strict, all line ends as `\\n`.

    Raises the error that is there in place of bytes, and UnicodeDecodeError.
    """
    if isinstance(raw, OSError):
        raise raw
    return raw.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(file: Path) -> bytes:
    """Return the content of a file; raises OSError, and `Refusal` for what we do not read.

    That is what is too large, and what is neither a file nor a directory: a runtime that opens a pipe waits
    until somebody writes to it.
    """
    mode = file.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise given_up("it is not a regular file")
    with open_file(file) as content:
        raw = content.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    return raw


def bytes_of(file: Path) -> bytes | OSError:
    """Return what `read_bytes` does, or the OSError that it raises; raises `Refusal` as it does."""
    try:
        return read_bytes(file)
    except OSError as error:
        return error


def exists(path: Path) -> bool:
    """Return what `Path.exists()` returns in Python 3.13: errors other than `not there` are raised."""
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
