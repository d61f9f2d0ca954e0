"""What do runtimes share while they load: opening files, listing directories, roots, which copy wins?

Files are opened as `pathlib` of CPython 3.13 does, within skilltool's bounds; bytes are read the same way for
runtimes in other languages. A runtime whose steps have another order has a loop of its own.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from skilltool.bounds import current_skill
from skilltool.bounds.budget import clause_about_reading
from skilltool.runtimes.base import Session
from skilltool.runtimes.values import (
    NOT_READ,
    LoadedSkill,
    Refusal,
    Refused,
    Shadowed,
    beyond_bound,
    not_read,
    unlistable_root,
)
from skilltool.skill.skill_file import FILE_NAME, MAX_BYTES
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.unsaved import already_read, open_buffer_or_file

TOO_LARGE = f"{NOT_READ}: it is larger than 1 MiB"
HALF = lazy_pattern("[\ud800-\udfff]")
NOT_SENT = "an unpaired surrogate, which UTF-8 cannot encode, so no request is sent"


def decoded(raw: bytes | OSError) -> str:
    """Return text as Python's `read_text` does on a UTF-8 system: strict, every line end as `\\n`.

    Raises the error given in place of bytes, and `UnicodeDecodeError`.
    """
    if isinstance(raw, OSError):
        raise raw
    return raw.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(file: Path) -> bytes:
    """Return the content of a skill's file; raises OSError, and `Refusal` for what skilltool does not read.

    That is what `bytes_beside_skills` does not read, and a file of a skill that was given up.
    """
    if reason := current_skill.enter(file.parent):
        raise not_read(clause_about_reading(reason))
    return bytes_beside_skills(file)


def bytes_beside_skills(file: Path) -> bytes:
    """Return the content of a file that is not a skill's own, such as settings; raises as `read_bytes` does.

    Not read is a file larger than 1 MiB, and anything that is neither a file nor a directory: a runtime that
    opens a pipe waits until somebody writes to it.
    """
    known = already_read(file)
    if known is not None:
        return known
    status = file.stat()
    mode = status.st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise not_read("it is not a regular file")
    with open_buffer_or_file(file) as content:
        # Python allocates what is asked for, and a megabyte for each file costs more than reading it.
        raw = content.read(min(status.st_size, MAX_BYTES) + 1)
        if len(raw) > status.st_size:  # an unsaved buffer, or a file that has grown
            raw += content.read(MAX_BYTES + 1 - len(raw))
    if len(raw) > MAX_BYTES:
        raise Refusal(None, TOO_LARGE)
    return raw


def bytes_of(file: Path) -> bytes | OSError:
    """Return what `read_bytes` returns, or the OSError that it raises; raises `Refusal` as it does."""
    try:
        return read_bytes(file)
    except OSError as error:
        return error


def exists(path: Path) -> bool:
    """Return what `Path.exists()` returns in Python 3.13: raises OSError unless nothing is there."""
    return _status(path) is not None


def is_directory(path: Path) -> bool:
    """Return what `Path.is_dir()` returns in Python 3.13; raises OSError as `exists` does."""
    status = _status(path)
    return status is not None and stat.S_ISDIR(status.st_mode)


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError as error:
        if error.errno not in {errno.ENOENT, errno.ENOTDIR, errno.EBADF, errno.ELOOP}:
            raise
    except ValueError:  # a null character in the path
        pass
    return None


def names(directory: Path) -> list[str]:
    """Return the names in a directory in the byte order of their encoding; raises OSError.

    That is the order of Go's `os.ReadDir`. It also stands in for the file system's own order if a runtime
    does not sort.
    """
    return sorted(os.listdir(directory), key=os.fsencode)


def children(directory: Path) -> list[Path]:
    """Return the path of every entry of a directory, in the order of `names`; raises OSError."""
    return [directory / name for name in names(directory)]


def identity(path: str | Path) -> tuple[int, int] | str:
    """Return what two paths of one directory have in common: its numbers, or the path if it cannot be asked.

    To resolve the links of a path costs its depth each time: for a deep tree the square of it.
    """
    try:
        status = os.stat(path)  # noqa: PTH116 - of many, and `Path` takes as long again
    except (OSError, ValueError):
        return os.path.realpath(path)
    return (status.st_dev, status.st_ino) if status.st_ino else os.path.realpath(path)


def is_real_directory(path: Path) -> bool:
    """Return whether `path` is a directory itself, not a link to one."""
    return _is_directory(path, follow_links=False)


def is_directory_entry(path: Path) -> bool:
    """Return whether `path` is a directory or a link to one."""
    return _is_directory(path, follow_links=True)


def is_here(path: Path) -> bool:
    """Return whether something is at `path`; False also where that may not be asked."""
    return os.path.exists(path)


def is_file_here(path: Path) -> bool:
    """Return whether a regular file is at `path`; False also where that may not be asked."""
    return os.path.isfile(path)


def is_directory_here(path: Path) -> bool:
    """Return whether a directory is at `path`; False also where that may not be asked."""
    return os.path.isdir(path)


def is_link_here(path: Path) -> bool:
    """Return whether a symbolic link is at `path`; False also where that may not be asked."""
    return os.path.islink(path)  # noqa: PTH114 - as above


def _is_directory(path: Path, follow_links: bool) -> bool:
    """Answer as a directory listing does: it knows the type of an entry without opening it."""
    try:
        status = path.stat() if follow_links else path.lstat()
        return stat.S_ISDIR(status.st_mode)
    except PermissionError:
        with suppress(OSError), os.scandir(path.parent) as entries:
            return any(entry.name == path.name and entry.is_dir(follow_symlinks=False) for entry in entries)
    except (OSError, ValueError):
        pass
    return False


def files_below(
    top: Path, name: str, any_case: bool = False
) -> tuple[list[Path], list[tuple[Path, OSError]]]:
    """Return everything named `name` at any depth under `top`, as Python's `sorted(rglob(name))` does.

    With `any_case` also what differs from it in case only.
    Linked directories are not entered. A file may be a link, even a broken one, and a directory of that name
    counts, too. Directories under `top` that cannot be listed are skipped, and returned with the error.
    """
    paths: list[Path] = []
    unlistable: list[tuple[Path, OSError]] = []
    waiting = [os.fspath(top)]
    while waiting:  # a loop: a tree may be deeper than Python's recursion limit
        directory = waiting.pop()
        try:
            with os.scandir(directory) as entries:
                for entry in entries:
                    if entry.name == name or (any_case and entry.name.lower() == name.lower()):
                        paths.append(Path(entry.path))
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except OSError as error:
            if directory != os.fspath(top):
                unlistable.append((Path(directory), error))
    return sorted(paths), sorted(unlistable, key=lambda each: each[0])


def first_wins(session: Session, winner: LoadedSkill, loser: LoadedSkill) -> Shadowed:
    """Return the outcome for a copy that comes after the winner."""
    why = f"the first copy wins, and {copy_name(session, winner)} comes before this one"
    return Shadowed(loser, winner, why)


def last_wins(session: Session, winner: LoadedSkill, loser: LoadedSkill) -> Shadowed:
    """Return the outcome for a copy that comes before the winner."""
    why = f"the last copy wins, and {copy_name(session, winner)} comes after this one"
    return Shadowed(loser, winner, why)


def copy_name(session: Session, skill: LoadedSkill) -> str:
    """Return the path of a copy for people, and the role of its root."""
    return f"`{display_path(session, skill.directory)}` ({skill.role})"


def display_path(session: Session, path: Path) -> str:
    """Return a path for people: relative to the project, with `~` for the home directory, else absolute."""
    if path == session.shown_from:
        return f"../{path.name}"
    if path.is_relative_to(session.shown_from):
        return path.relative_to(session.shown_from).as_posix()
    if path.is_relative_to(session.home):
        return f"~/{path.relative_to(session.home).as_posix()}"
    return str(path)


Loader = Callable[[Path], LoadedSkill | Refused]
Finder = Callable[[Path], list[Path]]
_MOST_ENTRIES = 20_000


class TooManyError(Exception):
    """A root has more under it than skilltool reads, `most` entries."""

    def __init__(self, most: int) -> None:
        """Keep the bound."""
        super().__init__(most)
        self.most = most


def directly_in(root: Path) -> list[Path]:
    """Return the directories in a root, links to some included; raises OSError."""
    return list(filter(is_directory_entry, children(root)))


def skills_directly_in(root: Path) -> list[Path]:
    """Return the directories in a root that have a SKILL.md: what is answered where the rest is too much.

    Of a link to the whole disk nobody wants the first thousand skills, but the skills beside that link.
    """
    return [path for path in directly_in(root) if is_file_here(path / FILE_NAME)]


def anywhere_in(root: Path, passed_over: frozenset[str] = frozenset()) -> list[Path]:
    """Return the root and the directories under it that have a SKILL.md, links followed; raises OSError.

    So are those with a file of that name in another case, for the loader to refuse. Each real directory comes
    once, after the directory it is in, in the byte order of names; directories with a name of `passed_over`
    are not entered. Raises `TooManyError` beyond 20,000 entries.
    """
    paths: list[Path] = []
    visited: set[tuple[int, int] | str] = set()
    entries = 0
    waiting = [root]
    while waiting:
        directory = waiting.pop()
        real = identity(directory)
        if real in visited:
            continue
        if entries > _MOST_ENTRIES:
            raise TooManyError(_MOST_ENTRIES)
        visited.add(real)
        try:
            listed = names(directory)
        except OSError:
            if directory == root:
                raise
            continue
        entries += len(listed)
        if FILE_NAME.lower() in map(str.lower, listed) and not is_directory_here(directory / FILE_NAME):
            paths.append(directory)
        below = [directory / name for name in listed if name not in passed_over]
        waiting += reversed([path for path in below if is_directory_here(path)])
    return paths


def skills_in_roots(session: Session, load: Loader, find: Finder) -> Iterator[LoadedSkill]:
    """Yield the skills of each root of a session, in order; what is refused is noted in the session."""
    for root in session.roots:
        try:
            directories = find(root.path) if root.exists else []
        except OSError as error:
            session.skipped.append(unlistable_root(root, error))
            continue
        except TooManyError as error:
            session.skipped.append(beyond_bound(root.path, error.most, "entries", root.role))
            directories = skills_directly_in(root.path)
        for directory in directories:
            found = load(directory)
            if isinstance(found, Refused):
                session.skipped.append(found._replace(role=root.role))
            else:
                yield found._replace(role=root.role)


def scan_roots(session: Session, load: Loader, find: Finder = directly_in) -> None:
    """Fill a session in which the first copy of a key wins."""
    for skill in skills_in_roots(session, load, find):
        first = session.find(skill.key)
        if first is None:
            session.skills.append(skill)
        else:
            session.shadowed.append(first_wins(session, first, skill))


def unsendable(skill: LoadedSkill, texts: Iterable[str]) -> str | None:
    """Return why a program in Python sends no request whose list has these texts of a skill; None if it does.

    The clients of model servers write a request in UTF-8, which has no half of a character.
    """
    if any(map(HALF.search, texts)):
        return f"UnicodeEncodeError: `{skill.path}` contains {NOT_SENT}"
    return None
