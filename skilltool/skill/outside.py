"""Reads files outside a skill on which a result depends, and says whether they are still the same."""

from __future__ import annotations

import stat
from pathlib import Path

from skilltool.skill.read_file import MAX_BYTES


def bytes_of(path: Path) -> bytes | None:
    """Return what a regular file holds; None if there is none, or if it is larger than skilltool reads."""
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
            return None
        return path.read_bytes()
    except (OSError, ValueError):
        return None


def digest_of(raw: bytes | None) -> str | None:
    """Return a digest of what a file holds, None for no file."""
    if raw is None:
        return None
    from hashlib import blake2b

    return blake2b(raw, digest_size=16).hexdigest()
