"""Finds skills: a directory with a `SKILL.md` is one.

A path inside a skill stands for that skill, any other directory for all skills below it. The result is
sorted and has no duplicates, so it is the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from skilltool.files.paths import cached_realpath, clear_realpath_cache
from skilltool.files.repository import is_repository_root
from skilltool.skill.discovery.ignore import Ignore
from skilltool.skill.discovery.walk import Walk, is_skipped, skill_at

__all__ = ["Discovery", "discover", "is_excluded", "skill_at"]


class Discovery(NamedTuple):
    """The skill directories found, as absolute paths, and messages about what could not be read."""

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

    `exclude` are gitignore patterns relative to `base` (default: the working directory). They apply to what
    is found on the way down, as do `.gitignore` files and the built-in exclusions: templates, virtual
    environments, `SKIPPED_DIRECTORIES`. With `force_exclude` they also apply to the named paths themselves,
    as if a walk from the working directory, or else from the root of their repository, had reached them. If
    patterns match a named path, no pattern applies below it. Paths that do not exist or cannot be read are
    listed in `problems`; nothing is raised.
    """
    ignore = Ignore(tuple(exclude), Path(os.path.abspath(base or Path())), respect_gitignore)
    clear_realpath_cache()
    found: dict[str, str] = {}
    enclosing: dict[Path, list[str]] = {}
    problems: list[str] = []
    for path in paths:
        named = Path(os.path.abspath(path))
        try:
            named.lstat()
            named.is_dir()  # raises if a link leads to a directory that may not be read
        except OSError as error:
            problems.append(f"{path}: {error.strerror or 'cannot be read'}")
            continue
        covered = ignore.covers(named)
        top = _walk_start(named) if force_exclude else None
        if top and (covered or is_skipped(named, top)):
            continue
        walk = Walk(Ignore() if covered else ignore)
        for skill in _skills_of_path(named, walk, top, enclosing):
            found.setdefault(cached_realpath(skill), skill)
        problems += walk.problems
    skills = sorted(found.values(), key=lambda skill: skill.split(os.sep))
    return Discovery(tuple(map(Path, skills)), tuple(dict.fromkeys(problems)))


def _walk_start(path: Path) -> Path:
    """Return where a walk to `path` starts: at the working directory, else at the root of its repository."""
    ancestors = (path, *path.parents)
    here = Path.cwd()
    return here if here in ancestors else next(filter(is_repository_root, ancestors), path)


def is_excluded(path: Path, exclude: Iterable[str], base: Path, respect_gitignore: bool) -> bool:
    """Return whether `discover` with `force_exclude` ignores a path, which need not exist."""
    ignore = Ignore(tuple(exclude), Path(os.path.abspath(base)), respect_gitignore)
    named = Path(os.path.abspath(path))
    return ignore.covers(named) or is_skipped(named, _walk_start(named))


def _skills_of_path(path: Path, walk: Walk, top: Path | None, enclosing: dict[Path, list[str]]) -> list[str]:
    """Return the skill that encloses a named path and, for a directory, the skills at and below it.

    With `top`, only skills that a walk from there finds. `enclosing` caches the result per directory, because
    a pre-commit hook names many files.
    """
    if not path.is_dir():
        if path.parent not in enclosing:
            enclosing[path.parent] = _enclosing_skill(path.parent, walk, top)
        return enclosing[path.parent]
    below = walk.skills(os.fspath(path), os.fspath(top or path))
    return below if os.fspath(path) in below else [*_enclosing_skill(path, walk, top), *below]


def _enclosing_skill(directory: Path, walk: Walk, top: Path | None) -> list[str]:
    """Return the nearest skill at or above `directory`, inside its repository, as a list of at most one."""
    for candidate in map(os.fspath, (directory, *directory.parents)):
        try:
            name = skill_at(candidate, os.listdir(candidate))
            if name and (top is None or walk.accepts(candidate, name, os.fspath(top))):
                return [candidate]
        except OSError:
            pass
        if is_repository_root(Path(candidate)):
            break
    return []
