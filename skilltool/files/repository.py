"""Where a repository begins, and which files a link leads out of it.

A link may lead reading out of a repository, never writing.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def is_repository_root(directory: Path) -> bool:
    """Return whether `directory` is the root of a git repository or work tree."""
    try:
        return (directory / ".git").exists()
    except OSError:
        return False


def left_directory(file: Path, named: Sequence[Path]) -> Path | None:
    """Return the directory that `file`, an absolute path, leaves through a link; None where it stays.

    Links followed, it must lie in each repository around it as its path is written, so that no link of a
    repository leads out of it; where there is none, in the directory of `named` through which it was found.
    """
    around = [place for place in file.parents if is_repository_root(place)]
    if not around:
        wholes = {Path(os.path.abspath(path)) for path in named}
        around = [place for place in file.parents if place in wholes][:1]
    real = Path(os.path.realpath(file))
    return next((place for place in around if not real.is_relative_to(os.path.realpath(place))), None)
