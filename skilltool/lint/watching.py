"""Waits for changes under some paths, to their configuration, and to the paths themselves.

Directories are watched one by one and links are not followed, so a watch never leaves the tree; only a linked
skill is watched where it is. Paths may vanish and come back.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skilltool.errors import SkilltoolError
from skilltool.files.repository import is_repository_root
from skilltool.lint.config import FILE_NAMES
from skilltool.skill.discovery import discover
from skilltool.skill.discovery.walk import MAX_DIRECTORIES, MAX_ENTRIES
from skilltool.skill.tree import SKIPPED_DIRECTORIES

if TYPE_CHECKING:
    from watchfiles.main import FileChange

# Files that mark a directory as a cache (https://bford.info/cachedir/) or a virtual environment.
_SKIP_MARKERS = frozenset({"CACHEDIR.TAG", "pyvenv.cfg"})
# Files in parent directories that decide about a path: configuration, what git ignores, and whose it is.
_PARENT_FILES = (*FILE_NAMES, ".gitignore", ".git", "README.md", "CLAUDE.md", "AGENTS.md")
# Milliseconds. Changes within _PAUSE of each other, such as those of one save, are reported together.
_PAUSE, _MAX_DELAY, _TICK = 60, 400, 100
_ATTEMPTS = 3  # listings of the directories until two in a row are equal


@dataclass(frozen=True, slots=True)
class WatchedPaths:
    """What is watched, as absolute paths.

    Every entry of the directories in `trees` counts, except `output`; `single` are paths that count by
    themselves and need not exist, since their directories are watched.
    """

    trees: frozenset[Path]
    single: frozenset[Path]
    output: Path | None = None

    def directories(self) -> frozenset[Path]:
        """Return the existing directories to watch."""
        above = {path.parent for path in self.single}
        return self.trees | {directory for directory in above if directory.is_dir()}

    def include(self, path: Path) -> bool:
        """Return whether a change to `path` counts."""
        in_tree = path.parent in self.trees and path != self.output
        return in_tree or path in self.trees or path in self.single


def changes(
    paths: Iterable[Path],
    files: Callable[[], Iterable[Path]],
    output: Path | None = None,
    keep_going: Callable[[], bool] = lambda: True,
    pause: int = _PAUSE,
) -> Iterator[frozenset[Path]]:
    """Yield at once, and again after every change; changes while the caller works are not missed.

    `paths` are the files and directories to watch; `files` is called each time for further files that count.
    `output` is the directory that the caller itself writes to, which does not count. The iterator ends soon
    after `keep_going` returns False. Changes within `pause` milliseconds are reported together. What it
    yields are the absolute paths that changed, none where others may have changed, too. Raises
    `SkilltoolError` if nothing can be watched.
    """
    tops = [Path(os.path.abspath(path)) for path in paths]
    current: _Watch | None = None
    known: frozenset[Path] = frozenset()
    changed: frozenset[Path] = frozenset()
    while keep_going():
        wanted = frozenset(files())
        if current is None or wanted != known or _moves_watches(changed, current.paths):
            before, current = current, _settled(current, partial(_watched_paths, tops, wanted, output), pause)
            if current is None:  # directories keep coming and going: check what exists now, and list again
                yield frozenset()
                continue
            known = wanted
            changed = changed if current is before else frozenset()
        yield changed
        try:
            changed = _next_change(current.stream, current.paths, keep_going)
        except RuntimeError:  # of watchfiles: a name that is not UTF-8 has come, and its watch has ended
            current, changed = None, frozenset()
            continue
        if not changed.isdisjoint(current.directories):
            current = None  # a directory was replaced, and the watch is on the deleted one
            changed = frozenset()


class _Watch(NamedTuple):
    """A running watch: for which paths, on which directories as they were when it began."""

    paths: WatchedPaths
    directories: frozenset[Path]
    stream: Iterator[set[FileChange]]


def _settled(current: _Watch | None, listed: Callable[[], WatchedPaths], pause: int) -> _Watch | None:
    """Return a watch on what is `listed`, `current` if that is one, None if that does not stay the same.

    A directory created between the listing and the watch would be missed, so list again.
    """
    for _ in range(_ATTEMPTS):
        paths = listed()
        if current is not None and paths == current.paths:
            return current
        directories = paths.directories()
        stream = _start(directories, pause)
        current = current if stream is None else _Watch(paths, directories, stream)
    return None


def _moves_watches(changed: Iterable[Path], watched: WatchedPaths) -> bool:
    """Return whether other directories may have to be watched; regular files bring none."""
    return any(path in watched.single or (os.path.lexists(path) and not _is_file(path)) for path in changed)


def _is_file(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _watched_paths(tops: Iterable[Path], files: Iterable[Path], output: Path | None) -> WatchedPaths:
    trees: set[Path] = set()
    single = {Path(os.path.abspath(path)) for path in files}
    for top in tops:
        skills = discover([top], base=top, respect_gitignore=False).skills
        for start in {top, *(Path(os.path.realpath(skill)) for skill in skills)}:
            trees.update(directories_below(start))
        in_repository = True
        for directory in (top, *top.parents):
            single.add(directory)
            single |= {directory / name for name in _PARENT_FILES if in_repository}
            in_repository = in_repository and not is_repository_root(directory)
    if output is not None:
        trees = {tree for tree in trees if not tree.is_relative_to(output)}
    return WatchedPaths(frozenset(trees), frozenset(single), output)


def directories_below(top: Path) -> Iterator[Path]:
    """Yield `top` and the directories under it that can belong to a skill; nothing if `top` is a file.

    It ends where discovery ends, which tells the user: those near the top first.
    """
    pending = deque([top])
    left = MAX_ENTRIES
    for _ in range(MAX_DIRECTORIES):
        if not pending or left <= 0:
            break
        directory = pending.popleft()
        try:
            with os.scandir(directory) as entries:
                listed = list(islice(entries, left))
        except OSError:
            continue
        left -= len(listed)
        if directory != top and any(entry.name in _SKIP_MARKERS for entry in listed):
            continue
        yield directory
        pending += [
            directory / entry.name
            for entry in listed
            if entry.name not in SKIPPED_DIRECTORIES and entry.is_dir(follow_symlinks=False)
        ]


def _next_change(
    stream: Iterator[set[FileChange]], watched: WatchedPaths, keep_going: Callable[[], bool]
) -> frozenset[Path]:
    """Wait for a change that counts; return the changed paths, none if the caller does not want to go on."""
    for changes in stream:
        if not keep_going():
            return frozenset()
        if changed := frozenset(path for _, name in changes if watched.include(path := Path(name))):
            return changed
    raise SkilltoolError("stopped watching for changes unexpectedly")


def _start(directories: Iterable[Path], pause: int) -> Iterator[set[FileChange]] | None:
    """Return a running stream of changes; None if a directory vanished in the meantime."""
    named: list[Path] = []
    others: list[Path] = []
    for directory in sorted(directories):
        (named if _is_utf8(directory) else others).append(directory)
    stream = _start_named(named, pause) if named else _ticks()
    return _with_others(stream, others) if stream is not None and others else stream


def _is_utf8(directory: Path) -> bool:
    """Return whether watchfiles can watch a directory: its path and the names in it are text to it."""
    try:
        str(directory).encode()
        with os.scandir(directory) as entries:
            "".join(entry.name for entry in islice(entries, MAX_ENTRIES)).encode()
    except UnicodeEncodeError:
        return False
    except OSError:
        return True
    return True


def _ticks() -> Iterator[set[FileChange]]:
    while True:
        yield set()
        time.sleep(_TICK / 1000)


def _with_others(stream: Iterator[set[FileChange]], directories: Sequence[Path]) -> Iterator[set[FileChange]]:
    """Return the changes of a stream, and those in directories that are looked at with each tick."""
    return _noticed(stream, directories, {directory: _entries(directory) for directory in directories})


def _noticed(
    stream: Iterator[set[FileChange]], directories: Sequence[Path], before: dict[Path, _Entries]
) -> Iterator[set[FileChange]]:
    from watchfiles import Change

    for changes in stream:
        now = {directory: _entries(directory) for directory in directories}
        differing = (
            (directory, name) for directory in directories for name, _ in now[directory] ^ before[directory]
        )
        yield changes | {(Change.modified, str(directory / name)) for directory, name in differing}
        before = now


_Entries = frozenset[tuple[str, tuple[int, int]]]


def _entries(directory: Path) -> _Entries:
    """Return the entries of a directory by name, each with its size and time; none if it cannot be listed."""
    found = set()
    with suppress(OSError), os.scandir(directory) as entries:
        for entry in islice(entries, MAX_ENTRIES):
            with suppress(OSError):
                status = entry.stat(follow_symlinks=False)
                found.add((entry.name, (status.st_size, status.st_mtime_ns)))
    return frozenset(found)


def _start_named(directories: Iterable[Path], pause: int) -> Iterator[set[FileChange]] | None:
    from watchfiles import watch

    for polling in (None, True):  # polling also works when the system has no watches left
        stream = watch(
            *sorted(directories),
            watch_filter=None,
            debounce=_MAX_DELAY,
            step=pause,
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
            return _prepend(first, stream)
    raise SkilltoolError(f"cannot watch for changes: {reason}")


def _prepend(first: set[FileChange], stream: Iterator[set[FileChange]]) -> Iterator[set[FileChange]]:
    yield first
    yield from stream
