"""Which paths that match ignore patterns git tracks: those are not ignored.

git is asked only if the index of the repository contains such a path, so most runs start no process.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from skilltool.files import git
from skilltool.files.paths import display_path
from skilltool.files.repository import is_repository_root
from skilltool.skill.skill_file import FILE_NAME

_SKILLS = f":(top,icase,glob)**/{FILE_NAME}"
_NAME = FILE_NAME.lower().encode()
# Extensions of an index that is not complete by itself.
_PARTIAL = (b"link\0", b"sdir\0")
_COMPRESSED = b"\0\0\0\4"  # version 4 cuts off what a path shares with the one before


class TrackedFiles:
    """What git tracks, in each repository of a run; `note` says why it could not be asked."""

    def __init__(self, below: Path | None = None) -> None:
        """Take the directory whose files count; without one, only each SKILL.md counts."""
        self._below = below
        self._roots: dict[str, str | None] = {}
        self._indexes: dict[str, bytes | None] = {}  # None: cannot tell
        self.note: str | None = None

    def holds(self, path: str, directory: bool) -> bool:
        """Return whether git tracks an absolute path or, for a directory, something in it that counts."""
        root = self._root(os.path.dirname(path))
        if root is None:
            return False
        name = path[len(root.rstrip(os.sep)) + 1 :].replace(os.sep, "/")
        if not self._may_hold(root, os.fsencode(name)):
            return False
        own = self._below is not None and self._below.is_relative_to(root)
        spec = (
            _literal(os.path.relpath(self._below or root, root)) if own else ":/" if self._below else _SKILLS
        )
        if name in self._listed(root, spec):
            return True
        as_file = directory and (os.path.islink(path) or is_repository_root(Path(path)))
        return as_file and name in self._listed(root, _literal(name))

    def _root(self, directory: str) -> str | None:
        if directory not in self._roots:
            parent = os.path.dirname(directory)
            found = directory if is_repository_root(Path(directory)) else None
            self._roots[directory] = found or (self._root(parent) if parent != directory else None)
        return self._roots[directory]

    def _may_hold(self, root: str, name: bytes) -> bool:
        """Return False if the index of a repository tells without git that it does not contain a path."""
        if root not in self._indexes:
            data = _read(_index_file(root))
            partial = data[4:8] == _COMPRESSED or any(mark in data for mark in _PARTIAL)
            relevant = self._below is not None or _NAME in data.lower()
            self._indexes[root] = None if partial else data if relevant else b""
        known = self._indexes[root]
        return known is None or name + b"/" in known or name + b"\0" in known

    def _listed(self, root: str, spec: str) -> frozenset[str]:
        try:
            status = _index_file(root).stat()
            return _listing(root, spec, (status.st_mtime_ns, status.st_size, status.st_ino))
        except (OSError, git.GitError) as error:
            where = display_path(root) or root
            self.note = self.note or f"{where}: only ignore files decide what is ignored: {error}"
            return frozenset()


@lru_cache(maxsize=16)
def _listing(root: str, spec: str, state: tuple[int, ...]) -> frozenset[str]:
    """Return tracked paths below `root` and the directories they are in; `state` is that of the index."""
    printed = git.read(Path(root), "ls-files", "-z", "--cached", "--", spec)
    found: set[str] = set()
    for raw in printed.split(b"\0"):
        path = os.fsdecode(raw)
        while path and path not in found:
            found.add(path)
            path = path.rpartition("/")[0]
    return frozenset(found)


def _literal(path: str) -> str:
    return f":(top,literal){path.replace(os.sep, '/')}" if path != os.curdir else ":/"


def _index_file(root: str) -> Path:
    """Return where the index of a repository is; a work tree or a submodule has a file that names it."""
    entry = Path(root, ".git")
    if not entry.is_file():
        return entry / "index"
    _, _, named = _read(entry).partition(b"gitdir:")
    return Path(root, os.fsdecode(named.strip().partition(b"\0")[0]), "index")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""
