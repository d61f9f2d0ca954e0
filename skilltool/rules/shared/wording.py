"""The author's text in messages, and names as they ought to be."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file, checked 2026-11-21
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)

# Why there is no fix where a value would be written anew.
COMMENTED = "no fix is offered, because it would delete a comment"


def backticked(value: object, limit: int = 60) -> str:
    """Return the author's text in backticks for a message, cut to `limit` characters; other data as JSON."""
    if not isinstance(value, str):
        import json

        value = json.dumps(value, ensure_ascii=False)
    text = " ".join(value.split())
    text = text if len(text) <= limit else text[: limit - 1] + "\u2026"
    return f"`{text}`"


def kebab(name: str) -> str:
    """Return `name` as lowercase ASCII words joined by single hyphens, without accents; empty where none is left."""
    plain = "".join(each for each in normalize("NFKD", name) if not combining(each))
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", "-", plain)
    return re.sub(r"[^a-z0-9]+", "-", spaced.lower()).strip("-")


def is_device(name: str) -> bool:
    """Return whether Windows keeps a name for a device, so that no file or directory can have it."""
    return _DEVICE.fullmatch(name) is not None
