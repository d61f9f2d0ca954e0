"""Resolves paths, and formats them for reports."""

from __future__ import annotations

import os
import re
from pathlib import Path

from skilltool.files.one_run import once_a_run


@once_a_run(256)
def _real_parent(directory: str) -> str:
    return os.path.realpath(directory)


def cached_realpath(directory: str) -> str:
    """Resolve all links of an absolute path; the parent is looked up once a run."""
    if os.path.islink(directory):
        return os.path.realpath(directory)
    parent, name = os.path.split(directory)
    return os.path.join(_real_parent(parent), name)


def display_path(path: Path | str) -> str:
    """Return a path as reports print it: with `/`, and relative to the working directory if under it."""
    here, text = os.path.join(os.getcwd(), ""), os.fspath(path)
    return text.removeprefix(here).replace(os.sep, "/")


def written_as_path(path: Path | str) -> str:
    """Return an absolute path as `display_path` does, but so that it cannot be taken for a name."""
    shown = display_path(path)
    return shown if "/" in shown else f"./{shown}"


def shorten_directory_path(text: str, directory: Path) -> str:
    """Replace the path of `directory` in `text` by its name, which is the same in every checkout."""
    if not directory.is_absolute() or not directory.name:
        return text
    return re.sub(rf"{re.escape(os.fspath(directory))}(?![\w.-])", lambda _: directory.name, text)
