"""Files written whole or not at all: beside their place first, then moved into it."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PREFIX = ".skilltool-"
_DESCRIPTORS = re.compile(r"/dev/fd|/proc/([0-9]+)(?:/task/[0-9]+)?/fd")
_MOST_LINKS = 40  # one after another, as Linux has it


def write_atomically(path: Path, raw: bytes) -> None:
    """Write `raw` to a file; whatever happens it is either the old one or the new one.

    The mode of a file that is there stays, its owner and group, too, where this user may give them. Where
    `path` is a link, its target is written. A pipe or a device is written to, and so is what somebody has
    open (`/dev/stdout`), behind what stands there. What a killed run left beside the file is deleted. Raises
    OSError.
    """
    place, number = _descriptor(path)
    if number is not None:
        _write_through(number, raw)
        return
    if place or (path.exists() and not path.is_file()):
        with path.open("ab" if place else "wb") as stream:
            stream.write(raw)
        return
    target = Path(os.path.realpath(path))
    for left in leftovers(target.parent, re.escape(target.name)):
        if left.is_file():
            left.unlink(missing_ok=True)
    beside = target.with_name(own_prefix() + target.name)
    try:
        with beside.open("xb") as file:
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            _make_like(beside, target.stat())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _descriptor(path: Path) -> tuple[bool, int | None]:
    """Return whether a path leads through what a process has open, and the number if it is this process."""
    path = path.absolute()
    for _ in range(_MOST_LINKS):
        found = _DESCRIPTORS.fullmatch(os.path.realpath(path.parent))
        if found and path.name.isdecimal():
            return True, int(path.name) if found[1] in (None, str(os.getpid())) else None
        if not path.is_symlink():
            break
        path = path.parent / path.readlink()
    return False, None


def _write_through(number: int, raw: bytes) -> None:
    """Write to an open file, where it stands, behind what Python still holds back for it."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    with open(os.dup(number), "wb") as opened:  # noqa: PTH123 - a file by its number
        opened.write(raw)


def _make_like(path: Path, status: os.stat_result) -> None:
    """Give a file the mode of another, its owner and its group, these as far as this user may."""
    if hasattr(os, "chown"):
        for owner, group in ((-1, status.st_gid), (status.st_uid, -1)):
            with suppress(OSError):
                os.chown(path, owner, group)
    path.chmod(status.st_mode & 0o7777)  # last: another owner takes bits away


def own_prefix() -> str:
    """Return how the names of what this process puts beside its targets begin; nothing else is named so."""
    return f"{_PREFIX}{os.getpid()}-"


def leftovers(place: Path, rest: str) -> Iterator[Path]:
    """Yield what processes that are gone left in a directory; `rest` is a pattern of the end of its name."""
    ours = re.compile(rf"{re.escape(_PREFIX)}([0-9]{{1,10}})-{rest}")
    for left in place.glob(f"{_PREFIX}*"):
        found = ours.fullmatch(left.name)
        if found and not left.is_symlink() and not _runs(int(found[1])):
            yield left


def _runs(pid: int) -> bool:
    if os.name == "nt":  # where there is no harmless signal
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
