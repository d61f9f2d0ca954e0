"""The bounds of an archive, in either direction (design: 10,000 files, 32 levels), and names that clash."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

MAX_FILES = 10_000
MAX_DEPTH = 32
MAX_BYTES = 100 * 1024 * 1024


def clash(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two paths that are one on a file system without case or with other Unicode forms; else None."""
    seen: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        for depth in range(1, len(parts) + 1):
            way = "/".join(parts[:depth])
            other = seen.setdefault(normalize("NFC", way).casefold(), way)
            if other != way:
                return other, way
    return None


def name_problem(name: str) -> str | None:
    """Return why a path must not be in an archive, None where it may."""
    parts = name.rstrip("/").split("/")
    if any(0xD800 <= ord(each) < 0xE000 for each in name):
        return "is no UTF-8"
    if name.startswith("/") or "\\" in name or ":" in parts[0] or any(ord(each) < 32 for each in name):
        return "is absolute, or no plain path"
    if any(part in ("", ".", "..") for part in parts):
        return "leads out of the archive"
    if len(parts) > MAX_DEPTH:
        return f"lies more than {MAX_DEPTH} levels deep"
    return None
