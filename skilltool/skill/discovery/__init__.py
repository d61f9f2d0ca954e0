"""Finds skills: a directory with a `SKILL.md` is one.

A path inside a skill stands for that skill, any other directory for all skills under it. The result is
sorted and has no duplicates, so it is the same on every machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from skilltool.files.paths import cached_realpath
from skilltool.files.repository import is_repository_root
from skilltool.skill.discovery.ignore import Ignore, TrackedFiles, Verdict
from skilltool.skill.discovery.walk import Walk, is_skipped, skill_at

__all__ = ["Discovery", "discover", "is_excluded", "skill_at"]


class Discovery(NamedTuple):
    """The skill directories found, as absolute paths, and messages about what could not be read.

    `ignored` is the number of skills seen that git ignores, `notes` are messages about what was not asked.
    `files` are those that were asked for by name, as absolute paths.
    """

    skills: tuple[Path, ...]
    problems: tuple[str, ...]
    ignored: int = 0
    notes: tuple[str, ...] = ()
    files: tuple[Path, ...] = ()


def discover(
    paths: Iterable[Path],
    *,
    exclude: Iterable[str] = (),
    base: Path | None = None,
    respect_gitignore: bool = True,
    force_exclude: bool = False,
    wanted: frozenset[str] = frozenset(),
) -> Discovery:
    """Find the skills that `paths` (files or directories) stand for.

    `exclude` are gitignore patterns relative to `base` (default: the working directory). They apply to what
    is found on the way down, as do `.gitignore` files and the built-in exclusions: templates, virtual
    environments, `SKIPPED_DIRECTORIES`. With `force_exclude` they also apply to the named paths themselves,
    as if a walk from the working directory, or else from the root of their repository, had reached them. If
    patterns match a named path, no pattern applies under it. What git tracks is not ignored.
    Files with a name in `wanted` are found, too. Unreadable paths are in `problems`; nothing is raised.
    """
    ignore = _patterns(exclude, base or Path(), respect_gitignore)
    found: dict[str, str] = {}
    enclosing: dict[Path, list[str]] = {}
    problems: list[str] = []
    ignored, files = set[str](), set[Path]()
    for path in paths:
        named = Path(os.path.abspath(path))
        if reason := _unreadable(named):
            problems.append(f"{path}: {reason}")
            continue
        covered = ignore.covers(named)
        top = _walk_start(named) if force_exclude else None
        if top and (covered.drops or is_skipped(named, top)):
            continue
        walk = Walk(ignore if top or covered is Verdict.KEPT else Ignore(), wanted)
        for skill in _skills_of_path(named, walk, top, enclosing, covered is Verdict.TRACKED):
            found.setdefault(cached_realpath(skill), skill)
        files.update(Path(each) for each in (*walk.files, *_wanted_file(named, wanted)))
        problems += walk.problems
        ignored |= walk.ignored
    return _sorted(found.values(), problems, ignored, ignore.note)._replace(files=tuple(sorted(files)))


def _wanted_file(path: Path, wanted: frozenset[str]) -> list[str]:
    return [os.fspath(path)] if path.name in wanted and path.is_file() else []


def _sorted(found: Iterable[str], problems: list[str], ignored: set[str], note: str | None) -> Discovery:
    """Return the result in the order of paths, each problem once."""
    skills = sorted(found, key=lambda skill: skill.split(os.sep))
    count, notes = len(ignored.difference(skills)), (note,) if note else ()
    return Discovery(tuple(map(Path, skills)), tuple(dict.fromkeys(problems)), count, notes)


def _unreadable(path: Path) -> str | None:
    try:
        path.lstat()
        path.is_dir()  # raises if a link leads to a directory that may not be read
    except OSError as error:
        return error.strerror or "cannot be read"
    return None


def _patterns(exclude: Iterable[str], base: Path, respect_gitignore: bool) -> Ignore:
    tracked = TrackedFiles() if respect_gitignore else None
    return Ignore(tuple(exclude), Path(os.path.abspath(base)), respect_gitignore, tracked)


def _walk_start(path: Path) -> Path:
    """Return where a walk to `path` starts: at the working directory, else at the root of its repository."""
    ancestors = (path, *path.parents)
    here = Path.cwd()
    return here if here in ancestors else next(filter(is_repository_root, ancestors), path)


def is_excluded(path: Path, exclude: Iterable[str], base: Path, respect_gitignore: bool) -> bool:
    """Return whether `discover` with `force_exclude` ignores a path, which need not exist."""
    ignore = _patterns(exclude, base, respect_gitignore)
    named = Path(os.path.abspath(path))
    return ignore.covers(named).drops or is_skipped(named, _walk_start(named))


def _skills_of_path(
    path: Path, walk: Walk, top: Path | None, enclosing: dict[Path, list[str]], inside: bool
) -> list[str]:
    """Return the skill that encloses a named path and, for a directory, the skills at and under it.

    With `top`, only skills that a walk from there finds; `inside` tells that it would reach the path in an
    ignored directory. `enclosing` caches the result per directory, because a hook names many files.
    """
    if not path.is_dir():
        if path.parent not in enclosing:
            enclosing[path.parent] = _enclosing_skill(path.parent, walk, top, inside)
        return enclosing[path.parent]
    below = walk.skills(os.fspath(path), os.fspath(top or path), inside and top is not None)
    return below if os.fspath(path) in below else [*_enclosing_skill(path, walk, top, inside), *below]


def _enclosing_skill(directory: Path, walk: Walk, top: Path | None, inside: bool) -> list[str]:
    """Return the nearest skill at or above `directory`, inside its repository, as a list of at most one."""
    for candidate in map(os.fspath, (directory, *directory.parents)):
        try:
            name = skill_at(candidate, os.listdir(candidate))
            if name and (top is None or walk.accepts(candidate, name, os.fspath(top), inside=inside)):
                return [candidate]
        except OSError:
            pass
        if is_repository_root(Path(candidate)):
            break
    return []
