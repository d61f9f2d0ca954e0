"""Exchanges two files by their names: at once where the system can, else in steps that overwrite nothing."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

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
