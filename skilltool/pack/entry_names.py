"""Which paths an archive may contain: relative, portable, and distinct on every file system."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import normalize

from skilltool.pack.limits import MAX_DEPTH


def name_conflict(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two paths, or parents of paths, that differ only in case or Unicode normalization; else None."""
    seen: dict[str, str] = {}
    for name in names:
        parts = name.split("/")
        for depth in range(1, len(parts) + 1):
            path = "/".join(parts[:depth])
            other = seen.setdefault(normalize("NFC", path).casefold(), path)
            if other != path:
                return other, path
    return None


def name_problem(name: str) -> str | None:
    """Return why an archive must not contain a path, as the predicate of a sentence; None if it may."""
    parts = name.rstrip("/").split("/")
    if any(0xD800 <= ord(each) < 0xE000 for each in name):
        return "is not valid UTF-8"
    if name.startswith("/") or "\\" in name or ":" in parts[0] or any(ord(each) < 32 for each in name):
        return "is absolute, or contains a backslash, a drive or a control character"
    if any(part in ("", ".", "..") for part in parts):
        return "contains an empty, `.` or `..` component"
    if len(parts) > MAX_DEPTH:
        return f"is nested deeper than the {MAX_DEPTH} levels that skilltool allows"
    return None
