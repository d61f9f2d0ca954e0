"""Every folder of a root that could be a skill, at any depth, links followed.

A folder that several paths reach is found once, by the shortest one without a link if there is one; opencode
reads it by all of them, and which one stays is chance. A link may lead to the whole disk, so the walk ends
after so many folders.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.runtimes.loading import is_directory_here
from skilltool.runtimes.values import NOT_READ
from skilltool.skill.skill_file import FILE_NAME

_MOST_FOLDERS = 10_000
_TOO_MANY = f"{NOT_READ}: with its links, the root has more than {_MOST_FOLDERS:,} folders"


class Found(NamedTuple):
    """A folder with a SKILL.md; `why` says why it is not offered after all, or why the walk ended here."""

    directory: Path
    why: str | None = None


class _Folder(NamedTuple):
    path: str
    top: str
    dotted: str | None = None  # the first folder on its path whose name begins with a dot


def walk(root: Path, dotted: bool) -> Iterator[Found]:
    """Yield the folders in a root, `dotted` with those below a folder whose name begins with a dot."""
    tops: dict[str, bool] = {}
    seen: set[str] = set()
    waiting, links = deque([_Folder(str(root), "")]), deque[_Folder]()
    while waiting or links:
        folder = waiting.popleft() if waiting else links.popleft()
        real = os.path.realpath(folder.path)
        try:
            with os.scandir(folder.path) as entries:
                children = sorted(entries, key=lambda entry: os.fsencode(entry.name))
        except OSError:
            continue
        if real in seen:
            tops[folder.top] = True
            continue
        seen.add(real)
        if len(seen) > _MOST_FOLDERS:
            yield Found(root, _TOO_MANY)
            return
        for child in children:
            if child.name.lower() == FILE_NAME.lower() and (found := _file(folder, child, dotted)):
                tops[folder.top] = True
                yield found
            is_link = child.is_symlink()
            if not is_link and not child.is_dir():
                continue
            top = folder.top or child.name
            tops.setdefault(top, False)
            first = folder.dotted or (child.name if child.name.startswith(".") else None)
            (links if is_link else waiting).append(_Folder(child.path, top, first))
    for top, has_file in tops.items():
        if top and top != FILE_NAME and not has_file:
            yield Found(root / top, f"it has no {FILE_NAME} at any depth")


def _file(folder: _Folder, file: os.DirEntry[str], dotted: bool) -> Found | None:
    """Return what a file is that is named like a SKILL.md."""
    directory = Path(folder.path)
    if file.name != FILE_NAME:
        has_both = os.path.lexists(f"{folder.path}/{FILE_NAME}")
        return None if has_both else Found(directory, f"its file is named {file.name}, not {FILE_NAME}")
    if is_directory_here(Path(file.path)):  # a loop of links is none
        return Found(directory, f"{FILE_NAME} is a directory")
    if folder.dotted is not None and not dotted:
        return Found(directory, f"the name of `{folder.dotted}` begins with a dot")
    return Found(directory)
