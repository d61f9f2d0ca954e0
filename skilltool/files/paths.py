"""How a path is shown, and where it is when links are followed."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=256)
def _real_parent(directory: str) -> str:
    return os.path.realpath(directory)


def real_path(directory: str) -> str:
    """Return an absolute path without links; what is above skills is looked up once, until `forget`."""
    if Path(directory).is_symlink():
        return os.path.realpath(directory)
    parent, name = os.path.split(directory)
    return os.path.join(_real_parent(parent), name)


def forget_links() -> None:
    """Look up links anew: each run does, since a process may live on while they change."""
    _real_parent.cache_clear()


def display_path(path: Path | str) -> str:
    """Return an absolute path as reports print it: relative below the working directory, with `/`."""
    here, text = os.path.join(os.getcwd(), ""), os.fspath(path)
    return text.removeprefix(here).replace(os.sep, "/")


def without_parent_path(text: str, directory: Path) -> str:
    """Return a text in which the path of a directory is its name alone, as it is in every checkout."""
    if not directory.is_absolute() or not directory.name:
        return text
    return re.sub(rf"{re.escape(os.fspath(directory))}(?![\w.-])", lambda _: directory.name, text)
