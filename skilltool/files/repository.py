"""Finds the roots of repositories, and files that escape them through a link.

Reading may follow a link out of a repository; writing may not.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from skilltool.files.one_run import once_a_run
from skilltool.files.reading import MEBIBYTE, read_bounded


def is_repository_root(directory: Path) -> bool:
    """Return whether `directory` is the root of a git repository or work tree; False if it cannot be read."""
    return _has_git(os.fspath(directory))


@once_a_run()
def _has_git(directory: str) -> bool:
    return os.path.exists(f"{directory}/.git")


@once_a_run()
def up_to_repository(project: Path) -> Sequence[Path]:
    """Return a directory and those above it up to the root of its repository; only itself without one."""
    top = Path(os.path.abspath(project))
    paths = []
    for directory in (top, *top.parents):
        paths.append(directory)
        if is_repository_root(directory):
            return tuple(paths)
    return (top,)


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


def is_in_submodule(path: str) -> bool:
    """Return whether an absolute path is a git submodule, or in one, by the `.gitmodules` of its repository.

    In a clone without submodules their directories are empty.
    """
    top = up_to_repository(Path(path).parent)[-1]
    try:
        raw = read_bounded(top / ".gitmodules", MEBIBYTE)
    except OSError:
        return False
    below = Path(path).relative_to(top)
    listed = re.findall(_SUBMODULE_PATH, raw.decode("utf-8", "replace"), re.MULTILINE)
    return any(below.is_relative_to(each.strip('"')) for each in listed)


# https://git-scm.com/docs/gitmodules
_SUBMODULE_PATH = r"^[ \t]*path[ \t]*=[ \t]*(\S[^\r\n]*?)[ \t]*$"
