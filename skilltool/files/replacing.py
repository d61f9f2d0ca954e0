"""Replaces the content of a file only if it is still what was read, so that no edit made meanwhile is lost.

No call replaces a file under a condition, so the new file and the old one are exchanged first, and what came
out is compared then. If it is not what was read, somebody has saved an edit meanwhile, and it is put back.
"""

from __future__ import annotations

import errno
import os
import signal
import stat
import sys
from pathlib import Path
from typing import BinaryIO, NamedTuple

from skilltool.files.exchanging import Exchange, exchange, move_without_replacing
from skilltool.files.writing import temporary_for, write_whole

_TURNS = 50  # each needs another edit within some microseconds
_LARGEST = 1 << 24  # bytes; what is larger is compared by size and time only
_CHANGED = "it has changed since it was read"


class _Seen(NamedTuple):
    """What identifies one state of a file; `content` is None for what `_content` does not read."""

    device: int
    inode: int
    size: int
    modified: int  # ns
    content: bytes | None


def replace_if_unchanged(path: Path, old: bytes, new: bytes, exchanged: Exchange = exchange) -> None:
    """Replace the content `old` of a file with `new`, atomically; raises OSError and leaves the file.

    If the file has other content by then, or some program has it open for writing, the error is EBUSY and the
    file is as that program left it. Mode, owner and links are treated as by `write_atomically`.
    """
    target = Path(os.path.realpath(path))
    temporary = temporary_for(target)
    try:
        write_whole(temporary, new, target)
        placed = _seen(temporary)
        exchanged(temporary, target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, FileExistsError | FileNotFoundError):
            raise OSError(errno.EBUSY, _CHANGED) from None
        raise
    if _content(temporary) != old:
        _put_back(temporary, target, placed, exchanged)
        raise OSError(errno.EBUSY, _CHANGED)
    temporary.unlink()


def _put_back(temporary: Path, target: Path, placed: _Seen, exchanged: Exchange) -> None:
    """Exchange the files until what comes out is what was put in: the newest content is in place then.

    Deletes what came out. Raises OSError, and says where the other content is, if there is no end to it.
    """
    for _ in range(_TURNS):
        try:
            putting = _seen(temporary)
            exchanged(temporary, target)
            if _seen(temporary) == placed:
                temporary.unlink()
                return
        except FileExistsError:  # saved once more, over what would have been put back
            temporary.unlink(missing_ok=True)
            return
        except FileNotFoundError:  # deleted or renamed, perhaps to be written under its name at once
            try:
                move_without_replacing(temporary, target)
            except FileExistsError:
                continue
            return
        placed = putting
    kept = target.with_name(f"{temporary.name}~")
    temporary.rename(kept)
    raise OSError(errno.EBUSY, f"it is being changed all the time, and `{kept.name}` has a version of it")


def _seen(path: Path) -> _Seen:
    status = path.lstat()
    content = _content(path)
    return _Seen(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, content)


def _content(path: Path) -> bytes | None:
    """Return the content of a regular file; None if it is another kind, too large, or still being written."""
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
        return None
    with path.open("rb") as file:
        return file.read(_LARGEST) if _is_at_rest(file) else None


def _is_at_rest(file: BinaryIO) -> bool:
    """Return whether no program has the file open for writing, as far as the system can tell.

    Linux gives a lease for reading only then. Where there are no leases, the answer is yes.
    """
    if sys.platform != "linux":
        return True
    import fcntl

    try:
        # A program that opens the file now would be reported with SIGIO, which ends this one.
        fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except OSError as error:
        return error.errno != errno.EAGAIN
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return True
