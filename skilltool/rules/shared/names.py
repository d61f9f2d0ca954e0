"""Skill names: their kebab-case form, and names that Windows reserves."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file, checked 2026-11-21
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])", re.IGNORECASE)


def to_kebab_case(name: str) -> str:
    """Return `name` as lowercase ASCII words joined by single hyphens, accents removed; "" if nothing is left."""
    plain = "".join(each for each in normalize("NFKD", name) if not combining(each))
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])", "-", plain)
    return re.sub(r"[^a-z0-9]+", "-", spaced.lower()).strip("-")


def is_windows_device(name: str) -> bool:
    """Return whether Windows reserves `name` for a device, so that no file or directory can have it."""
    return _DEVICE.fullmatch(name) is not None
