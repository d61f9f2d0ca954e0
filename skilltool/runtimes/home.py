"""Where is the home directory of the user, in which runtimes look for personal skills?"""

from __future__ import annotations

from pathlib import Path

from skilltool.errors import PathError


def user_home_or_none() -> Path | None:
    """Return the user's home directory; None if there is none."""
    try:
        return user_home()
    except PathError:
        return None


def holds_home(directory: Path) -> bool:
    """Return whether the user's home is `directory` or under it, so that it is too much to search."""
    home = user_home_or_none()
    return home is not None and home.is_relative_to(directory)


def user_home() -> Path:
    """Return the user's home directory; raises `PathError` if there is none."""
    try:
        return Path.home()
    except RuntimeError:
        raise PathError("cannot determine your home directory; set HOME") from None
