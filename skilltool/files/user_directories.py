"""Where does this user keep caches and state of programs?

On Linux that is found as the XDG Base Directory Specification says, without `platformdirs`: its import takes
a tenth of a small command.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

_PROGRAM = "skilltool"
_LACKING = (
    AttributeError,
    ImportError,
    OSError,
    RuntimeError,
)  # of a system without what `platformdirs` asks


def cache_directory() -> Path | None:
    """Return skilltool's directory of caches, which need not exist; None if there is no home directory."""
    if sys.platform == "linux":
        return _of_variable("XDG_CACHE_HOME", ".cache")
    try:
        from platformdirs import user_cache_path

        return user_cache_path(_PROGRAM, appauthor=False)
    except _LACKING:
        return None


def state_directory() -> Path | None:
    """Return skilltool's directory of what it remembers; None if there is no home directory."""
    if sys.platform == "linux":
        return _of_variable("XDG_STATE_HOME", ".local/state")
    try:
        from platformdirs import user_state_path

        return user_state_path(_PROGRAM, appauthor=False)
    except _LACKING:
        return None


def _of_variable(name: str, default: str) -> Path | None:
    given = os.environ.get(name, "").strip()
    try:
        return (Path(given) if given else Path.home() / default) / _PROGRAM
    except RuntimeError:
        return None
