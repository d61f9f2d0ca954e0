"""Writes files atomically: to a temporary file in the same directory, which is then moved into place."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PREFIX = ".skilltool-"
_DESCRIPTORS = re.compile(r"/dev/fd|/proc/([0-9]+)(?:/task/[0-9]+)?/fd")
_MAX_LINKS = 40  # in one path, as in Linux


def write_atomically(path: Path, raw: bytes) -> None:
    """Write `raw` to a file, so that the file has either the old content or the new one, whatever happens.

    An existing file keeps its mode, and its owner and group if this user may set them. If `path` is a link,
    its target is written. Pipes and devices are written to directly, and open files (`/dev/stdout`) are
    appended to. Temporary files of killed runs are deleted. Raises OSError.
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
    """Write a new file to disk, with the mode and ownership of `target` if that exists; raises OSError."""
    with temporary.open("xb") as file:
        file.write(raw)
        file.flush()
        os.fsync(file.fileno())
    if target.exists():
        _copy_ownership(temporary, target.stat())


def _descriptor(path: Path) -> tuple[bool, int | None]:
    """Return whether a path is a file descriptor, and its number if it is one of this process."""
    path = path.absolute()
    for _ in range(_MAX_LINKS):
        found = _DESCRIPTORS.fullmatch(os.path.realpath(path.parent))
        if found and path.name.isdecimal():
            return True, int(path.name) if found[1] in (None, str(os.getpid())) else None
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
        found = pattern.fullmatch(path.name)
        if found and not path.is_symlink() and not _is_running(int(found[1])):
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
