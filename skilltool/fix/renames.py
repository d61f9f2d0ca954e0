"""Files and directories of skills that get another name: in which order, and where each path is then."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from skilltool.fix.name_conflicts import Claim, conflicting


def resolve_name(directory: Path, name: str) -> Path:
    """Return the path that a fix means by a name: in the skill's directory, or with `../` that directory."""
    return directory.parent / name[3:] if name.startswith("../") else directory / name


def check_rename(directory: Path, rename: tuple[str, str]) -> tuple[Path, Path]:
    """Return from where to where a fix renames; raises OSError where something else is there already."""
    source, target = (resolve_name(directory, name) for name in rename)
    if target.exists() and not target.samefile(source):
        raise OSError(errno.EEXIST, f"`{target.name}` is there already")
    return source, target


def rename_order(moves: Mapping[Path, Path]) -> list[Path]:
    """Return which directories can be renamed, in the order in which that goes; `moves` are from and to.

    What is in another one comes before it, and who leaves a name before who gets it. Left out is whoever
    would get the name of what stays, the same name as another, or a name in a circle.
    """
    claims = [
        Claim(source, frozenset({str(source.parent)}), source.name, target.name)
        for source, target in moves.items()
    ]
    lost = conflicting([*claims, *_beside(moves)])
    left = {source: target for source, target in moves.items() if source not in lost}
    done: list[Path] = []
    while ready := [source for source, target in left.items() if target not in left]:
        done += ready
        for source in ready:
            del left[source]
    return sorted(done, key=lambda path: -len(path.parts))


def _beside(moves: Mapping[Path, Path]) -> Iterator[Claim]:
    for parent in {source.parent for source in moves}:
        for name in os.listdir(parent):
            if parent / name not in moves:
                yield Claim(parent / name, frozenset({str(parent)}), name, name)


def path_after(path: Path, moves: Iterable[tuple[Path, Path]]) -> Path:
    """Return where a path is after renames that are made one after another."""
    for source, target in moves:
        if path == source or source in path.parents:
            path = target / path.relative_to(source)
    return path


def files_below(directory: Path) -> Iterator[Path]:
    """Yield the files and links in a directory that git would know of."""
    for where, folders, names in os.walk(directory):
        folders[:] = sorted(name for name in folders if name != ".git")
        links = [name for name in folders if Path(where, name).is_symlink()]
        for name in sorted([*links, *names]):
            path = Path(where, name)
            if path.is_symlink() or path.is_file():
                yield path
