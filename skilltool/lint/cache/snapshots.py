"""Detects whether a skill's directory has changed.

As in git, a signature of stat data (names, sizes, times, inodes) stands for the content, unless a file is so
fresh that another change could leave the same times.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from skilltool.skill.skill_file import MAX_BYTES
from skilltool.skill.surroundings import FRESH, stamp
from skilltool.skill.tree import MAX_DEPTH, SKIPPED_DIRECTORIES

_MAX_ENTRIES = 2_000  # a larger skill is not cached
_MAX_SIGNATURE = 2_048  # bytes; a longer signature is stored as a digest


class Snapshot(NamedTuple):
    """A directory at one time.

    `signature` stands for its stat data, unless it is `fresh`. `names` holds the relative path of every
    entry, directories with a final `/`, separated by NUL; after two NULs, of each file that may be executed.
    """

    signature: bytes
    names: bytes
    fresh: bool

    def differs_from(self, later: Snapshot | None) -> bool:
        """Return whether the directory has changed since; to be no longer fresh does not count."""
        return later is None or (self.signature, self.names) != (later.signature, later.names)


def snapshot(directory: Path) -> Snapshot | None:
    """Take a snapshot of a skill's directory; None if the skill must not be cached.

    That is so if it contains a link, which can lead anywhere, a special file, something unreadable, or too
    many or too deeply nested entries.
    """
    entries, executable = list[str](), list[str]()
    newest = 0
    pending = [("", os.fspath(directory), 0)]
    now = time.time_ns()
    try:
        while pending:
            prefix, folder, depth = pending.pop()
            with os.scandir(folder) as scanned:
                for entry in scanned:
                    name = prefix + entry.name
                    status = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(status.st_mode):
                        entries.append(f"{name}/")
                        if entry.name not in SKIPPED_DIRECTORIES:
                            pending.append((f"{name}/", entry.path, depth + 1))
                        continue
                    if not stat.S_ISREG(status.st_mode):
                        return None
                    text, changed = stamp(name, status)
                    newest = max(newest, changed)
                    if status.st_mode & 0o111:
                        executable.append(name)
                    entries.append(text)
            if depth > MAX_DEPTH or len(entries) > _MAX_ENTRIES:
                return None
    except OSError:
        return None
    entries.sort()
    names = "\0\0".join(["\0".join(entry.partition("\0")[0] for entry in entries), *sorted(executable)])
    signature = os.fsencode("\0\0".join(entries))
    return Snapshot(_shortened(signature), os.fsencode(names), fresh=newest >= now - FRESH)


def content_digest(directory: Path, names: bytes, files: Iterable[str]) -> bytes | None:
    """Return a digest of the names in a directory and the content of `files`; None if one is unreadable.

    Of a large file only what a check may have read counts, and its size.
    """
    from hashlib import blake2b

    digest = blake2b(names, digest_size=16)
    for name in sorted(files):
        try:
            with (directory / name).open("rb") as file:
                raw = file.read(MAX_BYTES + 1)
                size = len(raw) if len(raw) <= MAX_BYTES else file.seek(0, os.SEEK_END)
        except OSError:
            return None
        digest.update(b"\0%d\0" % size)
        digest.update(raw)
    return digest.digest()


def existence_unchanged(paths: Mapping[str, bool]) -> bool:
    """Return whether each absolute path still exists (True) or still does not (False)."""
    return all(os.path.exists(path) is existed for path, existed in paths.items())


def _shortened(signature: bytes) -> bytes:
    if len(signature) <= _MAX_SIGNATURE:
        return signature
    from hashlib import blake2b

    return blake2b(signature).digest()
