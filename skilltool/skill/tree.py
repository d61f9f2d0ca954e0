"""Lists a directory: its files, its directories and its links, which are not followed."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from skilltool.bounds.budget import Budget, too_large
from skilltool.files.reading import read_bounded
from skilltool.skill.skill_file import MAX_BYTES

MAX_FILES, MAX_DEPTH = Budget().files, Budget().depth
# Files of tools and of other people.
SKIPPED_DIRECTORIES = frozenset({".git", ".hg", ".svn", "__pycache__", "node_modules"})
VIRTUAL_ENVIRONMENT = "pyvenv.cfg"  # PEP 405: the file that makes a directory a virtual environment


class Link(NamedTuple):
    """A symbolic link: its path under the directory, and its target as written.

    `escapes` says whether it leads outside, `dangles` whether there is nothing where it leads.
    """

    path: str
    target: str
    escapes: bool
    dangles: bool = False


class Tree(NamedTuple):
    """The content of a directory, as relative paths with `/`.

    `complete` is False if a limit was reached, a directory could not be read, or one of `SKIPPED_DIRECTORIES`
    or a virtual environment was skipped. `excess` says which limit was reached, as the reason of an
    `OverBudgetError`: `MAX_FILES` files and links, as many directories, or `MAX_DEPTH` of them nested.
    """

    files: frozenset[str]
    directories: frozenset[str]
    links: tuple[Link, ...]
    complete: bool
    excess: str | None = None


def read(top: Path) -> Tree:
    """List the directory `top`, a real path. Never raises."""
    files: list[str] = []
    directories: list[str] = []
    links: list[Link] = []
    complete, excess = True, None
    pending = [("", os.fspath(top), 0)]
    while pending:
        prefix, directory, depth = pending.pop()
        entries = entries_of(directory, MAX_FILES * 2 + 1)
        if entries is None or (prefix and any(entry.name == VIRTUAL_ENVIRONMENT for entry in entries)):
            complete = False
            continue
        for entry in entries:
            path = prefix + entry.name
            if entry.is_symlink():
                links.append(_link(top, path))
            elif not entry.is_dir(follow_symlinks=False):
                files.append(path)
            elif entry.name in SKIPPED_DIRECTORIES:
                complete = False
            elif depth == MAX_DEPTH:
                excess = too_large(f"{MAX_DEPTH} nested directories")
            else:
                directories.append(path)
                pending.append((f"{path}/", entry.path, depth + 1))
        if len(files) + len(links) > MAX_FILES or len(directories) > MAX_FILES:
            what = "files" if len(directories) <= MAX_FILES else "directories"
            excess = too_large(f"{MAX_FILES:,} {what}")
            break
    links.sort(key=lambda link: link.path)
    complete = complete and excess is None
    return Tree(frozenset(files), frozenset(directories), tuple(links), complete, excess)


def entries_of(directory: str, most: int) -> list[os.DirEntry[str]] | None:
    """Return at most so many entries of a directory; None if it cannot be listed."""
    try:
        with os.scandir(directory) as entries:
            return list(islice(entries, most))
    except OSError:
        return None


def _link(top: Path, path: str) -> Link:
    try:
        target = str((top / path).readlink())
        real = os.path.realpath(top / path)
    except OSError:
        return Link(path, "", escapes=True)
    dangles = not os.path.lexists(real) or os.path.islink(real)  # noqa: PTH114 - the latter is a loop of links
    return Link(path, target, escapes=not Path(real).is_relative_to(top), dangles=dangles)


def is_copied_repository(directory: Path, tree: Tree) -> bool:
    """Return whether a directory is a copy of a repository without its `.git`, such as an unpacked archive.

    False for a skill in a collection (`skills/NAME`, `skills/AUTHOR/NAME`), which may have a README and a
    license of its own.
    """
    names = {name.lower().partition(".")[0] for name in tree.files if "/" not in name}
    typical = "license" in names or ".gitignore" in tree.files or ".github" in tree.directories
    return (
        "readme" in names
        and typical
        and "skills" not in (directory.parent.name, directory.parent.parent.name)
    )


def bytes_of(path: Path) -> bytes | None:
    """Return what a regular file holds; None if there is none, or if it is larger than skilltool reads."""
    try:
        return read_bounded(path, MAX_BYTES)
    except (OSError, ValueError):
        return None


def digest_of(raw: bytes | None) -> str | None:
    """Return a digest of what a file holds, None for no file."""
    if raw is None:
        return None
    from hashlib import blake2b

    return blake2b(raw, digest_size=16).hexdigest()
