"""From paths to skill directories: a directory with a `SKILL.md` is a skill.

A path inside a skill stands for that skill; any other directory for all the skills below it.
The result is sorted and free of repetition, the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from skilltool.files.paths import forget_links, real_path
from skilltool.files.repository import is_repository_root
from skilltool.skill.discovery.ignore import Ignore
from skilltool.skill.discovery.walk import Walk, passed_over, skill_at

__all__ = ["Discovery", "discover", "passes_over", "skill_at"]


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
    directory). They, `.gitignore` files, and that templates, virtual environments and the like are
    passed over hold for what is found on the way; for named paths only with `force_exclude`, as if a
    walk down from the working directory, or else from the root of their repository, had come to
    them. Below a named path that patterns match, these say nothing. What does not exist or cannot be
    read is said in `problems`, and the rest goes on. Nothing is raised.
    """
    ignore = Ignore(tuple(exclude), Path(os.path.abspath(base or Path())), respect_gitignore)
    forget_links()
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
        top = _top(named) if force_exclude else None
        if top and (covered or passed_over(named, top)):
            continue
        walk = Walk(Ignore() if covered else ignore)
        for skill in _named(named, walk, top, around):
            found.setdefault(real_path(skill), skill)
        problems += walk.problems
    skills = sorted(found.values(), key=lambda skill: skill.split(os.sep))
    return Discovery(tuple(map(Path, skills)), tuple(dict.fromkeys(problems)))


def _top(path: Path) -> Path:
    """Return the directory from which a walk would come to `path`."""
    above = (path, *path.parents)
    here = Path.cwd()
    return here if here in above else next((way for way in above if is_repository_root(way)), path)


def passes_over(path: Path, exclude: Iterable[str], base: Path, respect_gitignore: bool) -> bool:
    """Return whether `discover` with `force_exclude` passes over a path, which need not exist."""
    ignore = Ignore(tuple(exclude), Path(os.path.abspath(base)), respect_gitignore)
    named = Path(os.path.abspath(path))
    return ignore.covers(named) or passed_over(named, _top(named))


def _named(path: Path, walk: Walk, top: Path | None, around: dict[Path, list[str]]) -> list[str]:
    """Return the skill around a named path, and, if it is a directory, those at and below it.

    With `top`, only what a walk down from there finds. `around` remembers where files of the same
    directory belong: a hook names very many.
    """
    if not path.is_dir():
        if path.parent not in around:
            around[path.parent] = _around(path.parent, walk, top)
        return around[path.parent]
    below = walk.skills(os.fspath(path), os.fspath(top or path))
    return below if os.fspath(path) in below else [*_around(path, walk, top), *below]


def _around(directory: Path, walk: Walk, top: Path | None) -> list[str]:
    """Return the nearest skill at or above `directory`, inside its repository, as a list of at most one."""
    for candidate in map(os.fspath, (directory, *directory.parents)):
        try:
            name = skill_at(candidate, os.listdir(candidate))
            if name and (top is None or walk.takes(candidate, name, os.fspath(top))):
                return [candidate]
        except OSError:
            pass
        if is_repository_root(Path(candidate)):
            break
    return []
