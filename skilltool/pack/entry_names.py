"""Which paths an archive may contain: relative, portable, distinct on every file system, of a skill.

The same functions decide for an archive that is built and for one that is checked.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from typing import NamedTuple
from unicodedata import category, normalize

from skilltool.bounds.budget import Budget
from skilltool.rules.shared.names import is_windows_device

MAX_FILES = Budget().files
MAX_ENTRIES = 2 * MAX_FILES  # files and directories, also those that only a path names
MAX_DEPTH = Budget().depth  # directory levels, with the skill's own
MAX_NAME = 255  # bytes of UTF-8 in a file's name, as on Linux
MAX_PATH = 1_024  # bytes of UTF-8 in a path, as on macOS
MAX_BYTES = 100 * 1024 * 1024  # of all files together, and of each
MAX_MIB = f"{MAX_BYTES >> 20} MiB"
MAX_ARCHIVE = 2 * MAX_BYTES  # of the archive itself and of a decompressed tar: files, headers and padding
MAX_ARCHIVE_MIB = f"{MAX_ARCHIVE >> 20} MiB"
MAX_DIRECTORY = 1 << 24  # bytes of the list of entries in a zip, before it is read at all


class Limits(NamedTuple):
    """What one archive may hold: files; files and directories; bytes of its files, itself and its list."""

    files: int = MAX_FILES
    entries: int = MAX_ENTRIES
    bytes: int = MAX_BYTES
    archive: int = MAX_ARCHIVE
    directory: int = MAX_DIRECTORY


ONE_SKILL = Limits()


# Never part of a skill, even if git tracks it: histories, secrets, caches, and files of the operating system.
_EXCLUDED = (
    *(".git", "git~1", ".hg", ".svn", ".env", ".env.*"),
    *("__pycache__", "*.py[co]", "node_modules"),
    *(".venv", "venv", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".ds_store", "thumbs.db", "*.swp"),
    *(".skilltool-*", ".*.tmp"),
)
_INCLUDED = (".env.example",)
_SHOWN = 80  # characters of a path in a message


def is_excluded(name: str) -> bool:
    """Return whether no file or directory of this name belongs to an archive, in upper or lower case.

    Characters that cannot be seen do not count, since HFS+ takes no notice of them.
    """
    plain = "".join(each for each in name if category(each) != "Cf").casefold()
    return plain not in _INCLUDED and any(fnmatchcase(plain, pattern) for pattern in _EXCLUDED)


def name_problem(name: str) -> str | None:
    """Return why an archive must not contain a path, as the predicate of a sentence; None if it may."""
    parts = name.rstrip("/").split("/")
    if any(0xD800 <= ord(each) < 0xE000 for each in name):
        return "is not valid UTF-8"
    if (
        name.startswith("/")
        or "\\" in name
        or re.match(r"[A-Za-z]:", name)
        or re.search(r"[\0-\x1f\x7f]", name)
    ):
        return "is absolute, or contains a backslash, a drive letter or a control character"
    if any(part in ("", ".", "..") for part in parts):
        return "contains an empty, `.` or `..` component"
    if len(parts) > MAX_DEPTH:
        return f"is nested deeper than the {MAX_DEPTH} levels that skilltool allows"
    return _length_problem(name, parts) or next(filter(None, map(_windows_problem, parts)), None)


def _length_problem(name: str, parts: list[str]) -> str | None:
    for length, limit in (
        (len(name.encode()), MAX_PATH),
        (max(len(part.encode()) for part in parts), MAX_NAME),
    ):
        if length > limit:
            return f"is {length:,} bytes; skilltool allows {limit:,}"
    return None


def _windows_problem(part: str) -> str | None:
    """Return why Windows has no file of this name, as a predicate, or None.

    Source: https://learn.microsoft.com/windows/win32/fileio/naming-a-file.
    """
    if match := re.search(r'[<>:"|?*]', part):
        return f"contains `{match[0]}`, which Windows does not allow in a file name"
    if part.endswith((" ", ".")):
        return "contains a name that ends in a space or a dot, which Windows removes"
    if is_windows_device(part.partition(".")[0].rstrip()):
        return f"contains {shown(part)}, which Windows reserves for a device"
    return None


def shown(path: str) -> str:
    """Return a path in backticks, without its middle if it is long."""
    half = _SHOWN // 2
    return f"`{path}`" if len(path) <= _SHOWN else f"`{path[:half]}\u2026{path[-half:]}`"


class _Node:
    """A file or directory: its path as first written, and what is in it by its folded name."""

    __slots__ = ("children", "is_file", "path")

    def __init__(self, path: str, is_file: bool) -> None:
        self.path = path
        self.is_file = is_file
        self.children: dict[str, _Node] = {}


class EntryNames:
    """The paths of one archive, counted and compared as file systems do that ignore case."""

    def __init__(self, limits: Limits = ONE_SKILL) -> None:
        """Begin with no path."""
        self._limits = limits
        self._root = _Node("", is_file=False)
        self._files = 0
        self._entries = 0

    def add(self, path: str, is_file: bool = True) -> str | None:
        """Add a path; return why the archive must not contain it beside the others, as a clause, or None."""
        node, depth, parts = self._root, 0, path.split("/")
        for depth, part in enumerate(parts, start=1):
            if node.is_file:
                return f"the entry {shown(path)} cannot be unpacked: {shown(node.path)} is a file"
            key = normalize("NFC", part).casefold()
            child = node.children.get(key)
            if child is None:
                break
            if child.path.rpartition("/")[2] != part:
                both = f"{shown(child.path)} and {shown('/'.join(parts[:depth]))}"
                return f"{both} differ only in case or Unicode normalization"
            node = child
        else:
            return self._again(path, node, is_file)
        return self._insert(node, parts, depth, is_file)

    def _again(self, path: str, node: _Node, is_file: bool) -> str | None:
        """Return what is wrong with a path that exists; a directory may be named more than once."""
        if node.is_file:
            return f"the entry {shown(path)} appears twice"
        return f"the entry {shown(path)} cannot be unpacked: it is a directory" if is_file else None

    def _insert(self, node: _Node, parts: list[str], depth: int, is_file: bool) -> str | None:
        """Add the parts of a path from a depth on, under `node`; return what limit that exceeds, or None."""
        self._files += is_file
        self._entries += len(parts) - depth + 1
        if self._files > self._limits.files:
            return f"contains more than the {self._limits.files:,} files that skilltool allows"
        if self._entries > self._limits.entries:
            return (
                f"contains more than the {self._limits.entries:,} files and directories that skilltool allows"
            )
        for number in range(depth, len(parts) + 1):
            child = _Node("/".join(parts[:number]), is_file and number == len(parts))
            node.children[normalize("NFC", parts[number - 1]).casefold()] = child
            node = child
        return None
