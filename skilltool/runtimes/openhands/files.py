"""Which files below a root are skills for OpenHands: packages, and every other Markdown file?"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

from skilltool.runtimes.loading import children, is_directory_here, is_file_here, is_here
from skilltool.runtimes.openhands.entry import THIRD_PARTY
from skilltool.skill.skill_file import FILE_NAME

_README = "README.md"
_SUFFIX = ".md"
# Of the project, when it is searched for files with instructions of other clients.
_MOST_ENTRIES, _DEEPEST = 10_000, 32


def packages(root: Path) -> Iterator[tuple[Path, Path | None]]:
    """Yield each directory of a root, or link, with its SKILL.md in any case, or None; raises OSError."""
    for path in children(root):
        if is_directory_here(path):
            yield path, skill_file(path)
        elif path.is_symlink() and not is_here(path):
            yield path, None


def skill_file(directory: Path) -> Path | None:
    """Return the file of a package: of several that differ in case, the first in byte order."""
    wanted = FILE_NAME.lower()
    return next(
        (path for path in children(directory) if path.name.lower() == wanted and is_file_here(path)), None
    )


def single_files(root: Path, without: Collection[Path]) -> list[Path]:
    """Return every other Markdown file at any depth, sorted by the parts of its path.

    Directories in `without` are not entered, nor are links; what is named as a file may be a directory.
    """
    found: list[Path] = []
    waiting = [root]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    path = Path(entry.path)
                    if entry.is_dir(follow_symlinks=False) and path not in without:
                        waiting.append(path)
                    if _is_single(entry.name) and path not in without:
                        found.append(path)
        except OSError:
            continue
    return sorted(found, key=lambda path: path.parts)


def _is_single(name: str) -> bool:
    return name.endswith(_SUFFIX) and name != _README and name.lower() != FILE_NAME.lower()


def third_party(directory: Path) -> Iterator[Path]:
    """Yield the files with instructions of other clients in a directory, each real file once."""
    seen: set[object] = set()
    try:
        paths = children(directory)
    except OSError:
        return
    for path in paths:
        name = path.name.lower()
        if name in THIRD_PARTY and is_file_here(path) and not {name, real := path.resolve()} & seen:
            seen |= {name, real}
            yield path


def nested_third_party(project: Path) -> list[Path]:
    """Return such files below a project, not in it, sorted by directory; hidden directories are left out.

    Within bounds of ours: 10,000 entries and 32 levels.
    """
    found: list[Path] = []
    seen: set[Path] = set()
    count = 0
    for top, directories, names in os.walk(project):
        here = Path(top)
        below = len(here.relative_to(project).parts)
        kept = [name for name in directories if not name.startswith(".") and name != "node_modules"]
        directories[:] = sorted(kept) if below < _DEEPEST else []
        count += len(names) + len(directories)
        if count > _MOST_ENTRIES:
            break
        for name in sorted(names) if below else ():
            path = here / name
            if name.lower() in THIRD_PARTY and is_file_here(path) and path.resolve() not in seen:
                seen.add(path.resolve())
                found.append(path)
    return sorted(found, key=lambda path: path.parent.as_posix())
