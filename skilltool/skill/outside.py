"""Reads files outside a skill on which a result depends, and says whether they are still the same."""

from __future__ import annotations

from pathlib import Path

from skilltool.files.reading import read_bounded
from skilltool.skill.read_file import MAX_BYTES


def bytes_of(path: Path) -> bytes | None:
    """Return what a regular file holds; None if there is none, or if it is larger than skilltool reads."""
    try:
        return read_bounded(path, MAX_BYTES)
    except (OSError, ValueError):
        return None


def digest_of(raw: bytes | None) -> str | None:
    """Return a digest of what a file holds, None for no file."""
    if raw is None:
        return None
    from hashlib import blake2b

    return blake2b(raw, digest_size=16).hexdigest()
