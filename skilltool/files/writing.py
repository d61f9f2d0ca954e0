"""Writes files atomically: to a temporary file in the same directory, which is then moved into place.

No call replaces a file under a condition, so the new file and the old one are exchanged first, and what came
out is compared then. If it is not what was read, somebody has saved an edit meanwhile, and it is put back.
"""

from __future__ import annotations

import ctypes
import errno
import os
import re
import signal
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import BinaryIO, NamedTuple

Exchange = Callable[[Path, Path], None]

# The directory to which a path is relative (none: the working directory) and the name of the system's call.
# Source: renameat2(2) of Linux, with RENAME_EXCHANGE; renameatx_np(2) of macOS, with RENAME_SWAP.
_CALLS = {"linux": ("renameat2", -100), "darwin": ("renameatx_np", -2)}
_EXCHANGE = 2  # the flag, in both
# What a system call that this kernel or file system does not have answers; EPERM comes from sandboxes.
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EPERM}


def exchange(one: Path, other: Path) -> None:
    """Exchange two files; raises OSError, and `FileExistsError` as `exchange_in_steps` does."""
    try:
        _exchange_at_once(one, other)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
        exchange_in_steps(one, other)


def exchange_in_steps(one: Path, other: Path) -> None:
    """Exchange two files where there is no single call for it: for a moment `other` has no name.

    Raises `FileExistsError` where somebody creates `other` in that moment: the new one stays, and what had
    the name before is deleted, as the new one would have replaced it. Any other OSError leaves both as they
    were.
    """
    aside = one.with_name(f"{one.name}~")
    other.rename(aside)
    try:
        move_without_replacing(one, other)
    except FileExistsError:
        aside.unlink()
        raise
    except BaseException:
        move_without_replacing(aside, other)
        raise
    aside.rename(one)


def move_without_replacing(source: Path, target: Path) -> None:
    """Rename a file; raises `FileExistsError` if the new name is taken, also if it is taken meanwhile."""
    if os.name == "nt":  # renaming replaces nothing there
        source.rename(target)
        return
    try:
        if source.is_symlink():  # a hard link would be one to its target
            raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP))
        target.hardlink_to(source)
    except FileExistsError:
        raise
    except OSError:  # no hard links on this file system, or not of this kind of file
        if target.exists() or target.is_symlink():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target)) from None
        source.rename(target)
    else:
        source.unlink(missing_ok=True)


def _exchange_at_once(one: Path, other: Path) -> None:
    call, here = _system_call()
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    if call(here, os.fsencode(one), here, os.fsencode(other), _EXCHANGE):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), str(other))


@cache
def _system_call() -> tuple[Callable[..., int] | None, int]:
    """Return the call that exchanges two paths, None if there is none, and its `AT_FDCWD`."""
    name, here = _CALLS.get(sys.platform, ("", 0))
    if not name:
        return None, here
    call = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if call is not None:
        call.argtypes = [ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint]
        call.restype = ctypes.c_int
    return call, here


_PREFIX = ".skilltool-"
_DESCRIPTORS = re.compile(r"/dev/fd|/proc/([0-9]+)(?:/task/[0-9]+)?/fd")
_MAX_LINKS = 40  # in one path, as in Linux


def write_atomically(path: Path, raw: bytes) -> None:
    """Write `raw` to a file, so that the file has either the old content or the new one, whatever happens.

    An existing file keeps its mode, and its attributes, owner and group if this user may set them. If `path`
    is a link, its target is written. Pipes and devices are written to directly, and open files
    (`/dev/stdout`) are appended to. Temporary files of killed runs are deleted. Raises OSError.
    """
    is_descriptor, number = _descriptor(path)
    if number is not None:
        _write_through(number, raw)
        return
    if is_descriptor or (path.exists() and not path.is_file()):
        with path.open("ab" if is_descriptor else "wb") as stream:
            stream.write(raw)
        return
    target = Path(os.path.realpath(path))
    temporary = temporary_for(target)
    try:
        write_whole(temporary, raw, target)
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def temporary_for(target: Path) -> Path:
    """Return the path for this process's temporary file beside a file; those of killed runs are deleted."""
    for stale in stale_temporaries(target.parent, re.escape(target.name)):
        if stale.is_file():
            stale.unlink(missing_ok=True)
    return target.with_name(temporary_prefix() + target.name)


def write_whole(temporary: Path, raw: bytes, target: Path) -> None:
    """Write a new file to disk, with what `target` has beside its content if that exists; raises OSError.

    That is its mode and owner, and on Linux its extended attributes, some of which say who may read it.
    """
    with temporary.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    if target.exists():
        _copy_attributes(target, temporary)
        _copy_ownership(temporary, target.stat())


def _descriptor(path: Path) -> tuple[bool, int | None]:
    """Return whether a path is a file descriptor, and its number if it is one of this process."""
    path = path.absolute()
    for _ in range(_MAX_LINKS):
        match = _DESCRIPTORS.fullmatch(os.path.realpath(path.parent))
        if match and path.name.isdecimal():
            return True, int(path.name) if match[1] in (None, str(os.getpid())) else None
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return False, None


def _write_through(number: int, raw: bytes) -> None:
    """Write to an open file descriptor at its current position, after flushing what Python has buffered."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with open(os.dup(number), "wb") as opened:  # noqa: PTH123 - a descriptor, not a path
        opened.write(raw)


def _copy_attributes(source: Path, target: Path) -> None:
    """Give a file the extended attributes of another, as far as this user and the file system may."""
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for name in os.listxattr(source):
                with suppress(OSError):
                    os.setxattr(target, name, os.getxattr(source, name))


def _copy_ownership(path: Path, status: os.stat_result) -> None:
    """Give a file the mode in `status`, and its owner and group if this user may."""
    if hasattr(os, "chown"):
        for owner, group in ((-1, status.st_gid), (status.st_uid, -1)):
            with suppress(OSError):
                os.chown(path, owner, group)
    path.chmod(status.st_mode & 0o7777)  # last: changing the owner clears the set-user-ID bits


def temporary_prefix() -> str:
    """Return the prefix for names of this process's temporary files and directories: `.skilltool-PID-`."""
    return f"{_PREFIX}{os.getpid()}-"


def stale_temporaries(directory: Path, rest: str) -> Iterator[Path]:
    """Yield temporary files and directories of ended processes; `rest` is a regex for the end of the name."""
    pattern = re.compile(rf"{re.escape(_PREFIX)}([0-9]{{1,10}})-{rest}")
    for path in directory.glob(f"{_PREFIX}*"):
        match = pattern.fullmatch(path.name)
        if match and not path.is_symlink() and not _is_running(int(match[1])):
            yield path


def _is_running(pid: int) -> bool:
    if os.name == "nt":  # Windows has no signal that only asks
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


_TURNS = 50  # each needs another edit within some microseconds
_LARGEST = 1 << 24  # bytes; what is larger is compared by size and time only
_CHANGED = "it has changed since it was read"
_OPEN = f"a program has it open for writing, or {_CHANGED}"


class _Seen(NamedTuple):
    """What identifies one state of a file; `content` is None for what `_content` does not read."""

    device: int
    inode: int
    size: int
    modified: int  # ns
    content: bytes | None


def replace_if_unchanged(path: Path, old: bytes, new: bytes, exchanged: Exchange = exchange) -> None:
    """Replace the content `old` of a file with `new`, atomically; raises OSError and leaves the file.

    A file that this user may not write is left, too, although its directory would allow to replace it.
    If the file has other content by then, or some program has it open for writing, the error is EBUSY and the
    file is as that program left it. Mode, owner and links are treated as by `write_atomically`.
    """
    target = Path(os.path.realpath(path))
    if not os.access(target, os.W_OK):
        target.open("r+b").close()  # raises, and says why
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
    if (found := _content(temporary)) != old:
        _put_back(temporary, target, placed, exchanged)
        raise OSError(errno.EBUSY, _OPEN if found is None else _CHANGED)
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
    raise OSError(errno.EBUSY, f"it keeps changing; `{kept.name}` contains a version of it")


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
