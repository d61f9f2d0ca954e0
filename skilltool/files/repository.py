"""Finds the roots of repositories, and files that escape them through a link.

Reading may follow a link out of a repository; writing may not.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def is_repository_root(directory: Path) -> bool:
    """Return whether `directory` is the root of a git repository or work tree; False if it cannot be read."""
    return os.path.exists(directory / ".git")


def up_to_repository(project: Path) -> list[Path]:
    """Return a directory and those above it up to the root of its repository; only itself without one."""
    top = Path(os.path.abspath(project))
    paths = [top]
    for directory in (top, *top.parents):
        paths = [*paths, directory] if directory != top else paths
        if is_repository_root(directory):
            return paths
    return [top]


def escaped_directory(file: Path, named: Sequence[Path]) -> Path | None:
    """Return the directory that `file`, an absolute path, escapes through a link; None if it escapes none.

    The real path of `file` must be inside every repository above `file`. Without a repository, it must be
    inside the nearest directory of `named`, the paths that the user gave.
    """
    enclosing = [directory for directory in file.parents if is_repository_root(directory)]
    if not enclosing:
        absolute = {Path(os.path.abspath(path)) for path in named}
        enclosing = [directory for directory in file.parents if directory in absolute][:1]
    real = Path(os.path.realpath(file))
    escaped = (path for path in enclosing if not real.is_relative_to(os.path.realpath(path)))
    return next(escaped, None)
