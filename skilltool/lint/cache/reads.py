"""Which files and directories a function looks at, and whether all of them are still as they were.

Python's audit events name what is opened and listed. `os.stat` and its like raise none, so they note their
path while a function is recorded. What the function asks other programs or the network cannot be named: its
result is then not kept.
"""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple, TypeVar

from skilltool.files.one_run import one_run
from skilltool.skill.surroundings import FRESH, stamp
from skilltool.skill.tree import bytes_of, digest_of

Result = TypeVar("Result")

_MOST = 50_000  # paths; a result that depends on more is not kept
_LISTED = frozenset({"os.listdir", "os.scandir"})  # audit events, whose first argument is a directory
_ELSEWHERE = ("subprocess.", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.system", "socket.")
_LOOKS = ("stat", "lstat", "readlink", "access")  # functions of `os` that raise no audit event

# For each kind of look and each path [stamp, content], the stamp "" where it proves nothing.
State = dict[str, dict[str, list[str | None]]]


def recorded(function: Callable[..., Result], *arguments: Any) -> tuple[Result, State | None]:
    """Call a function as a run of its own; return its result, and the state of everything that it read.

    The state is plain data for JSON, None if it cannot be known or has changed meanwhile.
    """
    with one_run(), _recording() as reads:
        result = function(*arguments)
    return result, reads.state()


def current(state: State) -> State | None:
    """Return a state with the stamps of now; None if anything is not as it was."""
    now: State = {}
    for kind, paths in state.items():
        content_of = _KINDS[kind]
        now[kind] = {}
        for path, (known, content) in paths.items():
            mark = _mark(path) if known is not None else None
            if not mark or mark != known:
                if content_of(path) != content:
                    return None
                mark = mark if known is None or _is_settled(path, kind) else ""
            now[kind][path] = [mark, content]
    return now


class _Reads:
    """The absolute paths that a function looked at, by the kind of look, each with its stamp of then."""

    def __init__(self) -> None:
        self.seen: dict[str, dict[str, str]] = {kind: {} for kind in _KINDS}
        self.is_unknown = False

    def note(self, kind: str, path: Any) -> None:
        """Note a path as it was given; a descriptor was noted when it was opened."""
        if isinstance(path, int) or path is None:
            self.is_unknown |= path is None or kind == "listed"
            return
        name = os.path.abspath(os.fsdecode(path)) if path else os.getcwd()
        if name not in self.seen[kind]:
            self.seen[kind][name] = _mark(name)

    def state(self) -> State | None:
        """Return what was noted, with contents; None if that cannot be known or has changed since."""
        if self.is_unknown or sum(map(len, self.seen.values())) > _MOST:
            return None
        found: State = {}
        for kind, paths in self.seen.items():
            found[kind] = {}
            for path, mark in paths.items():
                content = _KINDS[kind](path)
                if kind == "looked at":
                    found[kind][path] = [None, content]
                    continue
                if _mark(path) != mark:
                    return None
                found[kind][path] = [mark if _is_settled(path, kind) else "", content]
        return found


class _Fact(NamedTuple):
    """What of a status can decide an answer: no time, and nothing that differs by machine."""

    mode: int
    size: int
    links: int

    @classmethod
    def of(cls, status: os.stat_result) -> _Fact:
        is_file = stat.S_ISREG(status.st_mode)
        return cls(status.st_mode, status.st_size if is_file else 0, status.st_nlink if is_file else 0)


def _looked_at(path: str) -> str | None:
    """Return what there is at a path, without what it holds; None if there is nothing."""
    try:
        status = _LSTAT(path)
    except (OSError, ValueError):
        return None
    facts = [str(_Fact.of(status))]
    if stat.S_ISLNK(status.st_mode):
        with suppress(OSError):
            facts.append(_READLINK(path))
        with suppress(OSError):
            facts.append(str(_Fact.of(_STAT(path))))
    return "\0".join(facts)


def _held(path: str) -> str | None:
    """Return a digest of what a file holds; None if it cannot be read."""
    from pathlib import Path

    return digest_of(bytes_of(Path(path)))


def _listed(path: str) -> str | None:
    """Return a digest of the names in a directory and what they stand for; None if it cannot be listed."""
    try:
        with os.scandir(path) as entries:
            lines = sorted(
                f"{entry.name}\0{entry.is_dir()}\0{entry.is_file()}\0{entry.is_symlink()}"
                for entry in entries
            )
    except (OSError, ValueError):
        return None
    return digest_of("\0\0".join(lines).encode("utf-8", "surrogateescape"))


_KINDS: dict[str, Callable[[str], str | None]] = {"looked at": _looked_at, "held": _held, "listed": _listed}
_STAT, _LSTAT, _READLINK = os.stat, os.lstat, os.readlink


def _mark(path: str) -> str:
    """Return what tells a file or directory from one that has changed; empty if there is none."""
    try:
        status = _STAT(path)
    except (OSError, ValueError):
        return ""
    return stamp(str(status.st_mode), status)[0]


def _is_settled(path: str, kind: str) -> bool:
    """Return whether a later change would show in the stamp: not if the last one was a moment ago.

    Nor does it show in a directory when the target of a link in it changes.
    """
    try:
        newest = stamp("", _STAT(path))[1]
        if newest >= time.time_ns() - FRESH:
            return False
        if kind == "listed":
            with os.scandir(path) as entries:
                return not any(entry.is_symlink() for entry in entries)
    except (OSError, ValueError):
        return False
    return True


_reads: list[_Reads] = []  # of the recording in progress
_hooks: list[Callable[..., None]] = []  # an audit hook cannot be removed, so one is added once


def _hear(event: str, arguments: tuple[Any, ...]) -> None:
    """Note what an audit event names; a compiled module is the program's own."""
    if not _reads:
        return
    if event == "open":
        path = arguments[0]
        if not (isinstance(path, str) and path.endswith(".pyc")):
            _reads[-1].note("held", path)
    elif event in _LISTED:
        _reads[-1].note("listed", arguments[0])
    elif event.startswith(_ELSEWHERE):
        _reads[-1].is_unknown = True


@contextmanager
def _recording() -> Iterator[_Reads]:
    """Note in this context what is read of the file system."""
    if not _hooks:
        _hooks.append(_hear)
        sys.addaudithook(_hear)
    reads = _Reads()
    replaced = {name: getattr(os, name) for name in _LOOKS}
    for name, function in replaced.items():
        setattr(os, name, _noting(function, reads))
    _reads.append(reads)
    try:
        yield reads
    finally:
        _reads.pop()
        for name, function in replaced.items():
            setattr(os, name, function)


def _noting(function: Callable[..., Any], reads: _Reads) -> Callable[..., Any]:
    def noting(path: Any, *arguments: Any, **named: Any) -> Any:
        reads.note("looked at", path)
        return function(path, *arguments, **named)

    return noting
