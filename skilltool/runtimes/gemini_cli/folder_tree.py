"""The tree of a skill's folder in the answer of Gemini CLI: breadth first, up to 200 entries.

Source: utils/getFolderStructure.js of @google/gemini-cli-core 0.61.0, and its results.
"""

from __future__ import annotations

import errno
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from skilltool.emulation.icu_collation import collation_key

MOST_ENTRIES = 200
_IGNORED = frozenset({"node_modules", ".git", "dist", "__pycache__"})
_MORE = "..."
_UNREADABLE = (errno.EACCES, errno.ENOENT, errno.EPERM)


@dataclass
class _Folder:
    name: str
    path: str
    ignored: bool = False
    files: list[str] = field(default_factory=list)
    folders: list[_Folder] = field(default_factory=list)
    more_files: bool = False
    more_folders: bool = False

    @property
    def cut(self) -> bool:
        """Whether something in it, at any depth, is not shown and marked so."""
        own = self.ignored or self.more_files or self.more_folders
        return own or any(each.cut for each in self.folders)


def folder_tree(directory: str) -> str:
    """Return the tree of a directory with its heading, or the program's words for one that cannot be read."""
    top = _Folder("", directory)
    try:
        if not _fill(top):
            return f'Error: Could not read directory "{directory}". Check path and permissions.'
    except OSError as error:
        code = errno.errorcode.get(error.errno or 0, "")
        return (
            f'Error processing directory "{directory}": {code}: {(error.strerror or "").lower()}, '
            f"scandir '{error.filename}'"
        )
    summary = f"Showing up to {MOST_ENTRIES} items (files + folders)."
    if top.cut:
        summary += (
            f" Folders or files indicated with {_MORE} contain more items not shown, were ignored, or the "
            f"display limit ({MOST_ENTRIES} items) was reached."
        )
    return "\n".join([f"{summary}\n\n{directory.rstrip('/')}/", "\n".join(_lines(top, ""))])


def _fill(top: _Folder) -> bool:
    """Read folders in the order of the queue until there are enough entries; False if the top is missing."""
    waiting = deque([top])
    count = 0
    while waiting:
        folder = waiting.popleft()
        if count >= MOST_ENTRIES:
            break
        try:
            files, folders = _entries(folder.path)
        except OSError as error:
            if error.errno not in _UNREADABLE:
                raise
            if folder is top and error.errno == errno.ENOENT:
                return False
            continue
        folder.files = files[: MOST_ENTRIES - count]
        folder.more_files = len(files) > len(folder.files)
        count += len(folder.files)
        for name in folders[: MOST_ENTRIES - count]:
            inner = _Folder(name, f"{folder.path}/{name}", name in _IGNORED)
            folder.folders.append(inner)
            waiting.extend([] if inner.ignored else [inner])
        folder.more_folders = len(folders) > len(folder.folders)
        count += len(folder.folders)
    return True


def _entries(directory: str) -> tuple[list[str], list[str]]:
    """Return the names of the files and of the folders, as `localeCompare` sorts them; links are neither."""
    with os.scandir(directory) as entries:
        found = sorted(entries, key=lambda entry: (collation_key(entry.name), os.fsencode(entry.name)))
    files = [each.name for each in found if each.is_file(follow_symlinks=False)]
    return files, [each.name for each in found if each.is_dir(follow_symlinks=False)]


def _lines(folder: _Folder, indent: str) -> Iterator[str]:
    after_files = bool(folder.folders or folder.more_folders)
    for number, name in enumerate(folder.files, start=1):
        yield f"{indent}{_connector(number == len(folder.files) and not after_files)}{name}"
    if folder.more_files:
        yield f"{indent}{_connector(not after_files)}{_MORE}"
    for number, inner in enumerate(folder.folders, start=1):
        is_last = number == len(folder.folders) and not folder.more_folders
        yield f"{indent}{_connector(is_last)}{inner.name}/{_MORE if inner.ignored else ''}"
        yield from _lines(inner, indent + ("    " if is_last else "│   "))
    if folder.more_folders:
        yield f"{indent}{_connector(True)}{_MORE}"


def _connector(is_last: bool) -> str:
    return "└───" if is_last else "├───"
