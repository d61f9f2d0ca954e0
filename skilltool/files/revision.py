"""Lays parts of a git revision into a directory, so that they can be read as files; nothing of it is run.

A tree may be made to do harm: its names are checked, links are made last, and none leads out.
"""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from skilltool.files import git
from skilltool.files.reading import MEBIBYTE

_TREE, _LINK, _FILES = "40000", "120000", ("100644", "100755", "100664")
_MAX_ENTRIES, _MAX_DEPTH, _MAX_ROUNDS = 20_000, 32, 8
_MAX_FILE, _MAX_GROUP, _MAX_IN_ALL = MEBIBYTE, 16 * MEBIBYTE, 256 * MEBIBYTE
_HASH_LENGTHS = {40: 20, 64: 32}  # in hexadecimal: in bytes


class _Entry(NamedTuple):
    """A file, link or directory of a tree: its path from the root, its mode, and the name of its object."""

    path: str
    mode: str
    object: str


class _Store:
    """The objects of one repository, bounded in number and size."""

    def __init__(self, repository: Path) -> None:
        self._repository = repository
        self._entries = self._bytes = 0

    def root(self, revision: str) -> str:
        """Return the name of a revision's tree; raises `GitError`."""
        if not revision or revision.startswith("-") or any(ord(each) < 32 for each in revision):
            raise git.GitError("not a revision")
        commit = git.read(self._repository, "cat-file", "commit", revision)
        name = commit.split(b"\n", 1)[0].removeprefix(b"tree ").decode("ascii", "replace")
        if len(name) not in _HASH_LENGTHS:
            raise git.GitError("not a commit")
        return name

    def contents(self, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        """Yield objects with their contents, without those that are missing or too large.

        Raises `GitError` if all that was read is more than skilltool reads.
        """
        group: list[str] = []
        size = 0
        for name, more in self._sizes(names):
            self._bytes += more
            if self._bytes > _MAX_IN_ALL:
                raise git.GitError(f"more than {_MAX_IN_ALL >> 20} MiB of files")
            if size + more > _MAX_GROUP:
                yield from self._batch(group)
                group, size = [], 0
            group.append(name)
            size += more
        yield from self._batch(group)

    def _sizes(self, names: Iterable[str]) -> Iterator[tuple[str, int]]:
        listed = git.read(self._repository, "cat-file", "--batch-check", given=_lines(names))
        for line in listed.decode("ascii", "replace").splitlines():
            name, _, rest = line.partition(" ")
            size = rest.rpartition(" ")[2]
            if size.isdecimal() and int(size) <= _MAX_FILE:
                yield name, int(size)

    def _batch(self, names: list[str]) -> Iterator[tuple[str, bytes]]:
        """Yield the objects that `cat-file --batch` prints: a line `NAME TYPE SIZE`, then the content."""
        raw = git.read(self._repository, "cat-file", "--batch", given=_lines(names)) if names else b""
        at = 0
        while (end := raw.find(b"\n", at)) != -1:
            name, _, size = raw[at:end].decode("ascii", "replace").split(" ")
            yield name, raw[end + 1 : end + 1 + int(size)]
            at = end + 2 + int(size)

    def entries(self, root: str, wanted: Iterable[str]) -> Iterator[_Entry]:
        """Yield the files and links of a tree at and below the paths `wanted`, and what leads to them."""
        prefixes = tuple(dict.fromkeys(wanted))
        pending = {"": root}
        for _ in range(_MAX_DEPTH):
            trees = dict(self.contents(pending.values()))
            below: dict[str, str] = {}
            for path, name in pending.items():
                for entry in _parsed(path, trees.get(name, b""), len(root)):
                    if not _is_wanted(entry.path, prefixes):
                        continue
                    self._entries += 1
                    if self._entries > _MAX_ENTRIES:
                        raise git.GitError(f"more than {_MAX_ENTRIES:,} files")
                    if entry.mode == _TREE:
                        below[entry.path] = entry.object
                    else:
                        yield entry
            pending = below
            if not pending:
                return


def lay(repository: Path, revision: str, wanted: Iterable[str], target: Path) -> None:
    """Write what a revision has at and below the relative paths `wanted` to the directory `target`.

    Files of more than 1 MiB, submodules, and links that lead out are left out. Raises `git.GitError` if the
    repository has no such revision, or it has too many files, or too large ones together.
    """
    store = _Store(repository)
    root = store.root(revision)
    prefixes = dict.fromkeys(wanted)
    for _ in range(_MAX_ROUNDS):
        entries = list(store.entries(root, prefixes))
        texts = dict(store.contents(entry.object for entry in entries if entry.mode == _LINK))
        links = dict(_links(entries, texts))
        if not (more := {goal for _, goal in links.values()} - prefixes.keys()):
            break
        prefixes |= dict.fromkeys(sorted(more))
    paths: dict[str, list[str]] = {}
    for entry in entries:
        if entry.mode in _FILES:
            paths.setdefault(entry.object, []).append(entry.path)
    for name, content in store.contents(paths):
        for path in paths[name]:
            _write(target / path, content)
    _make_links({target / path: text for path, (text, _) in links.items()}, target)


def _lines(names: Iterable[str]) -> bytes:
    return "".join(f"{name}\n" for name in dict.fromkeys(names)).encode()


def _is_wanted(path: str, prefixes: tuple[str, ...]) -> bool:
    return any(
        prefix in ("", path) or path.startswith(f"{prefix}/") or prefix.startswith(f"{path}/")
        for prefix in prefixes
    )


def _parsed(path: str, raw: bytes, length: int) -> Iterator[_Entry]:
    """Yield the entries of a tree object: `MODE NAME`, NUL, and the bytes of a hash."""
    size = _HASH_LENGTHS[length]
    at = 0
    while (end := raw.find(b"\0", at)) != -1 and end + 1 + size <= len(raw):
        mode, _, name = raw[at:end].partition(b" ")
        at = end + 1 + size
        text = os.fsdecode(name)
        if text not in ("", ".", "..") and "/" not in text and text.lower() != ".git" and "\\" not in text:
            yield _Entry(posixpath.join(path, text), mode.decode("ascii", "replace"), raw[end + 1 : at].hex())


def _links(entries: Iterable[_Entry], contents: Mapping[str, bytes]) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the path of each link that stays inside, with its text and the path that it leads to."""
    for entry in entries:
        if entry.mode == _LINK and entry.object in contents:
            text = os.fsdecode(contents[entry.object])
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(entry.path), text))
            if "\0" not in text and not text.startswith("/") and goal.split("/")[0] != "..":
                yield entry.path, (text, goal)


def _write(path: Path, raw: bytes) -> None:
    with suppress(OSError):  # a name that is a file and a directory, or that this system does not allow
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(raw)


def _make_links(links: Mapping[Path, str], top: Path) -> None:
    """Make symbolic links, and remove those that lead out of `top` by way of others."""
    for path, text in links.items():
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(text)
    real = os.path.realpath(top)
    while outside := [path for path in links if path.is_symlink() and not _is_inside(path, real)]:
        for path in outside:
            path.unlink()


def _is_inside(path: Path, top: str) -> bool:
    return Path(os.path.realpath(path)).is_relative_to(top)
