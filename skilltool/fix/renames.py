"""In which order can files and directories of skills be renamed, and where is each path afterwards?"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from skilltool.fix.name_conflicts import Claim, conflicting


def resolve_name(directory: Path, name: str) -> Path:
    """Return the path that a fix calls `name`: a file in the skill, or with `../` the skill's directory."""
    return directory.parent / name[3:] if name.startswith("../") else directory / name


def check_rename(directory: Path, rename: tuple[str, str]) -> tuple[Path, Path]:
    """Return the paths before and after a rename; raises OSError where the new one is taken."""
    source, target = (resolve_name(directory, name) for name in rename)
    if target.exists() and not target.samefile(source):
        raise OSError(errno.EEXIST, f"`{target.name}` already exists")
    return source, target


def rename_order(moves: Mapping[Path, Path]) -> list[Path]:
    """Return the directories that can be renamed, in a working order; `moves` are from and to.

    Nested directories come before those around them, and a directory that gives up a name before the one that
    gets it. Left out is what would get a name that is taken, a name that another gets, or a name in a cycle.
    """
    claims = [
        Claim(source, frozenset({str(source.parent)}), source.name, target.name)
        for source, target in moves.items()
    ]
    lost = conflicting([*claims, *_siblings(moves)])
    waiting = {source: target for source, target in moves.items() if source not in lost}
    done: list[Path] = []
    while ready := [source for source, target in waiting.items() if target not in waiting]:
        done += ready
        for source in ready:
            del waiting[source]
    return sorted(done, key=lambda path: -len(path.parts))


def _siblings(moves: Mapping[Path, Path]) -> Iterator[Claim]:
    for parent in {source.parent for source in moves}:
        for name in os.listdir(parent):
            if parent / name not in moves:
                yield Claim(parent / name, frozenset({str(parent)}), name, name)


def path_after(path: Path, moves: Iterable[tuple[Path, Path]]) -> Path:
    """Return where a path is after renames that are made one after the other."""
    for source, target in moves:
        if path == source or source in path.parents:
            path = target / path.relative_to(source)
    return path


def files_below(directory: Path) -> Iterator[Path]:
    """Yield the files and links below a directory, as git would list them."""
    for where, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name != ".git")
        links = [name for name in folders if Path(where, name).is_symlink()]
        for name in sorted([*links, *names]):
            path = Path(where, name)
            if path.is_symlink() or path.is_file():
                yield path
