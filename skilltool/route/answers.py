"""Where answers of models are kept between runs, and how they are deleted."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from skilltool.text.lazy_pattern import lazy_pattern

_FILE = lazy_pattern(r"[0-9a-f]{64}\.json(?!\n)")


def directory_of_answers(cache: Path) -> Path:
    """Return the directory of the answers, below that of the cache."""
    return cache.absolute() / "route"


def remove(cache: Path) -> int:
    """Delete all answers below the directory of a cache, return their size in bytes; raises OSError."""
    folder = directory_of_answers(cache)
    size = 0
    for path in sorted(folder.glob("*.json")):
        if _FILE.fullmatch(path.name):
            with suppress(FileNotFoundError):
                length = path.lstat().st_size
                path.unlink()
                size += length
    with suppress(OSError):
        folder.rmdir()  # which is still there if somebody else has put something into it
    return size
