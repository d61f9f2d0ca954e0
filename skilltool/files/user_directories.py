"""Where does this user keep caches and state of programs?

On Linux that is found as the XDG Base Directory Specification says, without `platformdirs`: its import takes
a tenth of a small command.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PROGRAM = "skilltool"


def cache_directory() -> Path | None:
    """Return skilltool's directory of caches, which need not exist; None if there is no home directory."""
    return _directory("cache", "XDG_CACHE_HOME", ".cache")


def state_directory() -> Path | None:
    """Return skilltool's directory of what it remembers; None if there is no home directory."""
    return _directory("state", "XDG_STATE_HOME", ".local/state")


def _directory(kind: str, variable: str, default: str) -> Path | None:
    if sys.platform == "linux":
        return _of_variable(variable, default)
    try:
        from platformdirs import PlatformDirs

        found: Path = getattr(PlatformDirs(_PROGRAM, appauthor=False), f"user_{kind}_path")
    except (AttributeError, ImportError, OSError, RuntimeError):  # of a system without what is asked
        return None
    return found


def _of_variable(name: str, default: str) -> Path | None:
    given = os.environ.get(name, "").strip()
    try:
        return (Path(given) if given else Path.home() / default) / _PROGRAM
    except RuntimeError:
        return None
