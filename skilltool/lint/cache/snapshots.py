"""What a skill's directory looks like now, and whether it is what it was.

A signature of stat data (names, sizes, times, inodes) stands for the content unless it is so fresh that
another change could have the same times, as git does it.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from skilltool.skill.tree import MAX_DEPTH, SKIPPED_DIRECTORIES

_FRESH = 2_000_000_000  # ns: the coarsest clock of a file system in use, FAT's
_MANY = 2_000  # entries; a larger skill is not kept
_LONG = 2_048  # bytes of a signature; a longer one is kept as a digest


class Snapshot(NamedTuple):
    """`stat` is a signature, `names` lists every entry with its kind; a `fresh` signature is not kept."""

    stat: bytes
    names: bytes
    fresh: bool


def snapshot(directory: Path) -> Snapshot | None:
    """Return what lies in a skill's directory now; None where that is no basis to keep anything on.

    That is where a link lies in it, since it leads anywhere, too much, or something unreadable.
    """
    entries: list[str] = []
    newest = 0
    pending = [("", os.fspath(directory), 0)]
    now = time.time_ns()
    try:
        while pending:
            prefix, place, depth = pending.pop()
            with os.scandir(place) as found:
                for entry in found:
                    name = prefix + entry.name
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        entries.append(f"{name}/")
                        if entry.name not in SKIPPED_DIRECTORIES:
                            pending.append((f"{name}/", entry.path, depth + 1))
                        continue
                    if not stat.S_ISREG(status.st_mode):
                        return None
                    changed = max(status.st_mtime_ns, status.st_ctime_ns)
                    newest = max(newest, changed)
                    entries.append(
                        f"{name}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ctime_ns}\0{status.st_ino}"
                    )
            if depth > MAX_DEPTH or len(entries) > _MANY:
                return None
    except OSError:
        return None
    entries.sort()
    names = "\0".join(entry.partition("\0")[0] for entry in entries)
    signature = os.fsencode("\0\0".join(entries))
    return Snapshot(_short(signature), os.fsencode(names), fresh=newest >= now - _FRESH)


def content(directory: Path, names: bytes, files: Iterable[str]) -> bytes | None:
    """Return a digest of the names in a directory and the bytes of some files; None if one is unreadable."""
    from hashlib import blake2b

    digest = blake2b(names, digest_size=16)
    for name in sorted(files):
        try:
            raw = (directory / name).read_bytes()
        except OSError:
            return None
        digest.update(b"\0%d\0" % len(raw))
        digest.update(raw)
    return digest.digest()


def still_so(places: Mapping[str, bool]) -> bool:
    """Return whether each path (absolute) exists, or does not, as it did."""
    return all(Path(place).exists() is there for place, there in places.items())


def _short(signature: bytes) -> bytes:
    if len(signature) <= _LONG:
        return signature
    from hashlib import blake2b

    return blake2b(signature).digest()
