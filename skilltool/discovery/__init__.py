"""From paths to skill directories: a directory with a `SKILL.md` is a skill.

A path inside a skill stands for that skill; any other directory for all the skills below it.
The result is sorted and free of repetition, the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from skilltool.discovery.ignore import Ignore
from skilltool.discovery.walk import Walk, skill_at
from skilltool.landmarks import forget, is_repository_root, real

__all__ = ["Discovery", "discover", "skill_at"]


class Discovery(NamedTuple):
    """The skill directories found, as absolute paths, and what could not be read, in words for a user."""

    skills: tuple[Path, ...]
    problems: tuple[str, ...]


def discover(
    paths: Iterable[Path],
    *,
    exclude: Iterable[str] = (),
    base: Path | None = None,
    respect_gitignore: bool = True,
    force_exclude: bool = False,
) -> Discovery:
    """Find the skills that `paths` (files or directories) stand for.

    `exclude` are patterns as in a `.gitignore` in the directory `base` (default: the working
    directory). They and `.gitignore` files hold for what is found on the way; for the named
    paths themselves only with `force_exclude`; below a named path that they match they say nothing.
    What does not exist or cannot be read is said in `problems`, and the rest goes on. Nothing is
    raised.
    """
    ignore = Ignore(tuple(exclude), Path(os.path.abspath(base or Path())), respect_gitignore)
    forget()
    found: dict[str, str] = {}
    around: dict[Path, list[str]] = {}
    problems: list[str] = []
    for path in paths:
        named = Path(os.path.abspath(path))
        try:
            named.lstat()
            named.is_dir()  # raises where a link leads to what must not be looked at
        except OSError as error:
            problems.append(f"{path}: {error.strerror or 'cannot be read'}")
            continue
        covered = ignore.covers(named)
        if not covered or not force_exclude:
            walk = Walk(Ignore() if covered else ignore)
            for skill in _named(named, walk, around):
                found.setdefault(real(skill), skill)
            problems += walk.problems
    skills = sorted(found.values(), key=lambda skill: skill.split(os.sep))
    return Discovery(tuple(map(Path, skills)), tuple(dict.fromkeys(problems)))


def _named(path: Path, walk: Walk, around: dict[Path, list[str]]) -> list[str]:
    """Return the skill around a named path, and, if it is a directory, those at and below it.

    `around` remembers where files of the same directory belong: a hook names very many.
    """
    if not path.is_dir():
        if path.parent not in around:
            around[path.parent] = _around(path.parent)
        return around[path.parent]
    below = walk.skills(os.fspath(path))
    return below if os.fspath(path) in below else [*_around(path), *below]


def _around(directory: Path) -> list[str]:
    """Return the nearest skill at or above `directory`, inside its repository, as a list of at most one."""
    for candidate in (directory, *directory.parents):
        try:
            if skill_at(os.fspath(candidate), os.listdir(candidate)):
                return [os.fspath(candidate)]
        except OSError:
            pass
        if is_repository_root(candidate):
            break
    return []
