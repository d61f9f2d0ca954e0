"""The lock file of the installer `skills`: what does it say is installed, and is that what lies there?

Source: skills 1.5.18, runs; the hash was computed again from the same files.
"""

from __future__ import annotations

import os
import posixpath
import stat
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from skilltool.emulation.icu_collation import collation_key
from skilltool.files.reading import MEBIBYTE, read_bounded
from skilltool.packages.installer import directory_name, table
from skilltool.packages.manifest import Manifest
from skilltool.packages.offers import is_directory, leads_out
from skilltool.skill.skill_file import FILE_NAME

_PASSED_OVER = (".git", "node_modules")
_MAX_FILES, _MAX_BYTES = 10_000, 64 * MEBIBYTE


def copies(manifest: Manifest, name: str) -> Iterator[str]:
    """Yield the directories (absolute, with `/`) in which a locked skill is installed, links left out."""
    for project in dict.fromkeys((table()["shared"], *(each["project"] for each in table()["agents"]))):
        directory = f"{manifest.top}/{project}/{directory_name(name)}"
        real = is_directory(directory) and os.path.lexists(f"{directory}/{FILE_NAME}")
        if real and not leads_out(directory, manifest.top):
            yield directory


def content_hash(directory: str) -> str | None:
    """Return the installer's hash of a skill's files; None for what cannot be read, or is over a bound.

    It is the SHA-256 of the path and the bytes of each regular file, in the order of `localeCompare`, without
    anything between.
    """
    hashed = sha256()
    total = 0
    try:
        for name in sorted(_files(directory), key=collation_key):
            raw = read_bounded(Path(directory, name), _MAX_BYTES)
            total += len(raw)
            if total > _MAX_BYTES:
                return None
            hashed.update(name.encode("utf-8", "surrogateescape") + raw)
    except OSError:
        return None
    return hashed.hexdigest()


def _files(top: str) -> list[str]:
    """Return the regular files below a directory; raises OSError, also for more than `_MAX_FILES`."""
    found: list[str] = []
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        with os.scandir(posixpath.join(top, folder)) as entries:
            for entry in entries:
                path = posixpath.join(folder, entry.name)
                mode = entry.stat(follow_symlinks=False).st_mode
                if stat.S_ISDIR(mode) and entry.name not in _PASSED_OVER:
                    waiting.append(path)
                elif stat.S_ISREG(mode):
                    found.append(path)
        if len(found) + len(waiting) > _MAX_FILES:
            raise OSError("too many files")
    return found
