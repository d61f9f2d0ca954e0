"""Resolves paths, and formats them for reports."""

from __future__ import annotations

import os
import re
from pathlib import Path

from skilltool.files.one_run import once_a_run


@once_a_run(256)
def _real_parent(directory: str) -> str:
    return os.path.realpath(directory)


def absolute(path: Path | str) -> Path:
    """Return `Path(os.path.abspath(path))`, which nearly always is the path itself."""
    if os.name == "posix" and isinstance(path, Path) and path.is_absolute() and ".." not in path.parts:
        return path
    return Path(os.path.abspath(path))


@once_a_run(1_000)
def path_once(text: str) -> Path:
    """Return `Path(text)`, made once a run: many runtimes look in the same directories."""
    return Path(text)


@once_a_run(1_000)
def cached_realpath(directory: str) -> str:
    """Resolve all links of an absolute path, once a run, and those of its parent once for all in it."""
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
