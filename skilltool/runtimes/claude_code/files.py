"""Which files of a place are skills or commands, and what does Claude Code log about the others?"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from skilltool.bounds import gate
from skilltool.bounds.raised import clause_about_reading
from skilltool.emulation.icu_collation import collation_key
from skilltool.runtimes.claude_code.places import Place
from skilltool.runtimes.loading import is_directory_here, is_file_here, is_link_here
from skilltool.runtimes.values import NOT_READ, SILENTLY, Log, Refused
from skilltool.skill import schema
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.unsaved import open_buffer_or_file

LARGEST: int = schema.load("claude-code")["x-max-bytes"]


class Found(NamedTuple):
    """A file that is a skill or a command: its key before any prefix, its path, its bytes, its inode."""

    key: str
    file: Path
    raw: bytes
    inode: tuple[int, int]


class Missed(NamedTuple):
    """A directory that is not loaded, and what is logged about it."""

    refused: Refused
    logs: tuple[Log, ...] = ()


def in_order(directory: Path) -> list[str]:
    """Return the names in a directory as JavaScript's `localeCompare` sorts them; none if it has none."""
    try:
        return sorted(sorted(os.listdir(directory), key=os.fsencode), key=collation_key)
    except OSError:
        return []


def skills(place: Place) -> Iterator[Found | Missed]:
    """Yield what becomes of each directory, or link, directly in a place of skills."""
    try:
        with os.scandir(place.path) as entries:
            names = [each.name for each in entries if each.is_symlink() or each.is_dir()]
    except OSError:
        return
    for name in sorted(sorted(names, key=os.fsencode), key=collation_key):
        yield skill(place.path / name, place.role, name)


def skill(directory: Path, role: str, key: str | None = None) -> Found | Missed:
    """Return what becomes of one directory: its SKILL.md, in this spelling."""
    file = directory / FILE_NAME
    try:
        status = file.stat()
    except OSError as error:
        return _unread(directory, file, error, role)
    if not stat.S_ISREG(status.st_mode):
        message = f"[skills] skipping {file}: not a regular file, or refused for where it leads"
        return Missed(
            Refused(directory, message, f"{FILE_NAME} is not a regular file", role), _warning(message)
        )
    if status.st_size > LARGEST:
        message = f"[skills] skipping {file}: {status.st_size} bytes exceeds {LARGEST} byte limit"
        return Missed(
            Refused(directory, message, f"{FILE_NAME} is larger than 1,000,000 bytes", role),
            _warning(message),
        )
    try:
        return Found(key or directory.name, file, content(file), (status.st_dev, status.st_ino))
    except OSError as error:
        return _unread(directory, file, error, role)


def _unread(directory: Path, file: Path, error: OSError, role: str) -> Missed:
    if error.errno == errno.ELOOP:
        loop = "ELOOP: too many symbolic links encountered"
        text = f"[skills] failed to read {file}: Error: {loop}, lstat '{file}'"
        watcher = f"[skills] watcher error: {loop}, stat '{directory}'"
        refused = Refused(directory, text, "it is a link that leads to itself", role)
        return Missed(refused, (*_warning(text), *_warning(watcher)))
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return Missed(Refused(directory, None, f"it has no {FILE_NAME} {SILENTLY}", role))
    what = NOT_READ if error.errno == errno.ETIMEDOUT else f"{FILE_NAME} cannot be read"
    return Missed(Refused(directory, None, f"{what}: {error.strerror}", role))


def _warning(message: str) -> tuple[Log, ...]:
    return (Log("WARNING", "skills", message),)


def content(file: Path) -> bytes:
    """Return the bytes of a skill's or a command's file; raises OSError, also where reading was ended."""
    if reason := gate.enter(file.parent):
        raise OSError(errno.ETIMEDOUT, clause_about_reading(reason))
    if not stat.S_ISREG(file.stat().st_mode):  # a pipe would be waited for
        raise OSError(errno.EINVAL, "it is not a regular file")
    with open_buffer_or_file(file) as opened:
        raw: bytes = opened.read(LARGEST + 1)
        return raw


def commands(top: Path) -> list[Found]:
    """Return the commands below a directory, sorted by key: every `.md` file, at any depth.

    A directory with a SKILL.md is one command, and its other files are none.
    """
    found: list[Found] = []
    waiting = [(top, "")]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        directory, prefix = waiting.pop()
        names = in_order(directory)
        has_skill = FILE_NAME in names and is_file_here(directory / FILE_NAME)
        for name in names:
            path = directory / name
            if is_directory_here(path):
                waiting += [] if is_link_here(path) else [(path, f"{prefix}{name}:")]
            elif name == FILE_NAME:
                found += _command(prefix.removesuffix(":") or top.name, path)
            elif name.endswith(".md") and not has_skill:
                found += _command(prefix + name.removesuffix(".md"), path)
    return sorted(found, key=lambda each: collation_key(each.key))


def _command(key: str, file: Path) -> list[Found]:
    try:
        status = file.stat()
        if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST:
            return []
        return [Found(key, file, content(file), (status.st_dev, status.st_ino))]
    except OSError:
        return []
