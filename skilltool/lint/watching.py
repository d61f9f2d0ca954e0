"""Waiting for changes: of files below some paths, of their configuration, and of the paths themselves.

Directories are watched one by one and no link is followed, so a watch never leaves the tree; only a skill
that a link leads to is watched where it is. Paths may vanish and come back.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from skilltool.errors import SkilltoolError
from skilltool.files.repository import is_repository_root
from skilltool.lint.config import FILE_NAMES
from skilltool.skill.discovery import discover
from skilltool.skill.tree import SKIPPED_DIRECTORIES

if TYPE_CHECKING:
    from watchfiles.main import FileChange

# A directory with one of these files holds a cache (https://bford.info/cachedir/) or a virtual environment.
_TAGS = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})
# What is looked for above a path: settings, and what git ignores.
_ABOVE = (*FILE_NAMES, ".gitignore", ".git")
# Milliseconds: an editor's save is several changes, together if each follows the one before within _PAUSE.
_PAUSE, _AT_MOST, _TICK = 60, 400, 100
_PATIENCE = 3  # times that directories are listed for them to be the same twice


@dataclass(frozen=True, slots=True)
class Places:
    """What is watched: `trees` are directories of which every entry but `ours` counts, `single` single paths.

    All are absolute. A path need not exist; what is watched of it then is the nearest directory above.
    """

    trees: frozenset[Path]
    single: frozenset[Path]
    ours: Path | None = None

    def directories(self) -> frozenset[Path]:
        """Return the directories to watch that are there."""
        above = {path.parent for path in self.single}
        return self.trees | {directory for directory in above if directory.is_dir()}

    def concern(self, path: Path) -> bool:
        """Return whether a change of `path` counts."""
        in_tree = path.parent in self.trees and path != self.ours
        return in_tree or path in self.trees or path in self.single


def changes(
    paths: Iterable[Path],
    files: Callable[[], Iterable[Path]],
    ours: Path | None = None,
    wanted: Callable[[], bool] = lambda: True,
) -> Iterator[None]:
    """Yield at once, and again after every change; whatever changes while the caller works is not missed.

    `paths` are the files and directories to watch, `files` returns other files that count, asked each time;
    `ours` is the directory that the caller itself writes to, which does not count. It ends soon after
    `wanted` has said that nobody waits for more. Raises `SkilltoolError` where nothing can be watched.
    """
    tops = [Path(os.path.abspath(path)) for path in paths]
    places: Places | None = None
    watched: frozenset[Path] = frozenset()
    stream: Iterator[set[FileChange]] = iter(())
    while wanted():
        # What appears after it has been listed and before it is watched would be missed: list once more.
        for _ in range(_PATIENCE):
            if (now := _places(tops, files(), ours)) == places:
                break
            watched = now.directories()
            started = _started(watched)
            if started is not None:
                places, stream = now, started
        else:  # directories come and go all the time: check what there is, and list again
            yield
            continue
        yield
        changed = _first_that_counts(stream, now, wanted)
        if not changed.isdisjoint(watched):
            places = None  # a directory was replaced: the watch is on the one that is gone


def _places(tops: Iterable[Path], files: Iterable[Path], ours: Path | None) -> Places:
    trees: set[Path] = set()
    single = {Path(os.path.abspath(path)) for path in files}
    for top in tops:
        skills = discover([top], base=top, respect_gitignore=False).skills
        for start in {top, *(Path(os.path.realpath(skill)) for skill in skills)}:
            trees.update(_tree(start))
        inside = True
        for above in (top, *top.parents):
            single.add(above)
            single |= {above / name for name in _ABOVE if inside}
            inside = inside and not is_repository_root(above)
    if ours is not None:
        trees = {tree for tree in trees if not tree.is_relative_to(ours)}
    return Places(frozenset(trees), frozenset(single), ours)


def _tree(top: Path) -> Iterator[Path]:
    """Yield `top` and the directories below it that can hold something of a skill; nothing of a file."""
    pending = [top]
    while pending:
        directory = pending.pop()
        try:
            with os.scandir(directory) as entries:
                listed = list(entries)
        except OSError:
            continue
        if directory != top and any(entry.name in _TAGS for entry in listed):
            continue
        yield directory
        pending += [
            directory / entry.name
            for entry in listed
            if entry.name not in SKIPPED_DIRECTORIES and entry.is_dir(follow_symlinks=False)
        ]


def _first_that_counts(
    stream: Iterator[set[FileChange]], places: Places, wanted: Callable[[], bool]
) -> set[Path]:
    for changes in stream:
        if not wanted():
            return set()
        if found := {path for _, name in changes if places.concern(path := Path(name))}:
            return found
    raise SkilltoolError("the watch for changes has ended")


def _started(directories: Iterable[Path]) -> Iterator[set[FileChange]] | None:
    """Return a stream of changes that has begun; None where a directory vanished in the meantime."""
    from watchfiles import watch

    for polling in (None, True):  # where the system's own watches are used up, looking again and again works
        stream = watch(
            *sorted(directories),
            watch_filter=None,
            debounce=_AT_MOST,
            step=_PAUSE,
            rust_timeout=_TICK,
            yield_on_timeout=True,
            force_polling=polling,
            recursive=False,
            ignore_permission_denied=True,
        )
        try:
            first = next(stream)
        except FileNotFoundError:
            return None
        except (OSError, RuntimeError) as error:
            reason = str(error)
        else:
            return _with(first, stream)
    raise SkilltoolError(f"cannot watch for changes: {reason}")


def _with(first: set[FileChange], stream: Iterator[set[FileChange]]) -> Iterator[set[FileChange]]:
    yield first
    yield from stream
