"""Reads files that others wrote, such as configuration: regular files only, and never more than a limit."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

MEBIBYTE = 1024 * 1024  # bytes


def read_bounded(path: Path, most: int, pipe: bool = False) -> bytes:
    """Return the content of a regular file of at most `most` bytes, a multiple of a mebibyte.

    With `pipe`, for what the user of the command line names, also that of a pipe, `<(...)` in a shell.

    Raises OSError, whose `strerror` says so where the file is a device or a pipe, which could have no end, or
    is larger.
    """
    # Opening a pipe without a writer would wait for one.
    wait = 0 if pipe and stat.S_ISFIFO(path.stat().st_mode) else getattr(os, "O_NONBLOCK", 0)
    descriptor = os.open(path, os.O_RDONLY | wait | getattr(os, "O_BINARY", 0))
    status = os.fstat(descriptor)
    if stat.S_ISDIR(status.st_mode):  # of which Python would not close the descriptor
        os.close(descriptor)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor, not a path
        if not stat.S_ISREG(status.st_mode) and not (pipe and stat.S_ISFIFO(status.st_mode)):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        # A file can grow, and some in /proc say that they are empty.
        raw = b"" if status.st_size > most else file.read(most + 1)
    if status.st_size > most or len(raw) > most:
        raise OSError(errno.EFBIG, f"larger than {most // MEBIBYTE} MiB", os.fspath(path))
    return raw
