"""The process in which skills are read for pages: it keeps the sessions, and can be ended at any time.

Beside it there is one that finds what the rules about many skills say, which takes seconds for hundreds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import NamedTuple, TypeVar

from skilltool.bounds.budget import Allowance, InternalError, OverBudgetError
from skilltool.bounds.pool import Process, Report, WorkerPool
from skilltool.errors import SkilltoolError
from skilltool.files.one_run import one_run
from skilltool.files.reading import read_bounded
from skilltool.preview.edits import edited, is_same
from skilltool.preview.model import Page, Project
from skilltool.preview.overview import Checked, State, checked, overview
from skilltool.preview.page import exact, page
from skilltool.preview.sessions import Source
from skilltool.skill.model import load_skill

Answer = TypeVar("Answer")
MAX_FILE = 16 << 20  # bytes of a file of a skill that is shown
_state: list[State] = []  # in the process: the last one


class Where(NamedTuple):
    """What a process reads: a source, and the working directory, which may be deleted and come back."""

    source: Source
    here: str


class _Processes(WorkerPool):
    """Starts a process beside other threads, too, where it cannot be forked."""

    def start(self, spawned: bool = False) -> Process | None:
        return super().start(spawned=True)


class Worker:
    """Asks questions in other processes, each one at a time; it may be used on several threads."""

    def __init__(self, where: Where) -> None:
        """Take what is read; nothing is started yet."""
        self._where = where
        self._pool, self._lock = _Processes(), Lock()
        self._beside = _Processes(), Lock()
        self._skills = 0  # that the project had when it was last read

    def refresh(self, report: Report | None = None) -> Project:
        """Read the project again; raises `SkilltoolError`. `report` is called again and again until then."""
        return self._ask(_refreshed, report=report)

    def edited(self, paths: Sequence[Path]) -> Project | None:
        """Read again the one skill in which these paths changed; None if all has to be read."""
        return self._ask(_edited, paths)

    def check(self) -> Checked:
        """Return the findings of all skills; pages need not wait for it, as another process finds them."""
        return self._ask(checked, beside=True)

    def confirm(self, found: Checked | None) -> Project | None:
        """Read the project again, but for the findings; None if nothing differs from what is known."""
        return self._ask(_confirmed, found)

    def page(self, name: str, arguments: str = "", compared: tuple[str, str] | None = None) -> Page | None:
        """Return the page of a skill as the project was when it was last read; raises `SkilltoolError`."""
        return self._ask(_page, name, arguments, compared)

    def text(self, name: str, runtime: str, part: str, arguments: str) -> str | None:
        """Return one text of a skill, see `page.exact`; raises `SkilltoolError`."""
        return self._ask(_text, name, runtime, part, arguments)

    def file(self, name: str, path: str) -> bytes | None:
        """Return a file of a skill; None if there is none, or a link leads to it; raises `SkilltoolError`."""
        return self._ask(_file, name, path)

    def end(self) -> None:
        """End the processes."""
        for pool in (self._pool, self._beside[0]):
            pool.__exit__(None, None, None)

    def _ask(
        self,
        function: Callable[..., Answer],
        *arguments: object,
        beside: bool = False,
        report: Report | None = None,
    ) -> Answer:
        pool, lock = self._beside if beside else (self._pool, self._lock)
        with lock:
            pool.allowance, pool.report = Allowance(), report
            seconds = pool.allowance.budget.of_many(self._skills)
            try:
                project = pool.call_watched(seconds, _here, function, self._where, *arguments)
            except OverBudgetError as error:
                raise SkilltoolError(f"gave up: reading the skills {error.with_way_out}") from None
            except InternalError as error:
                raise SkilltoolError(error.reason) from None
            except OSError as error:
                raise SkilltoolError(f"{error.filename or self._where.here}: {error.strerror}") from None
        if isinstance(project, Project):
            self._skills = len(project.rows)
        answer: Answer = project
        return answer


def _here(function: Callable[..., Answer], where: Where, *arguments: object) -> Answer:
    """Return the answer of a function that is called in the working directory of the command."""
    os.chdir(where.here)  # a directory that was deleted and created again is not the one we are in
    with one_run():
        return function(where.source, *arguments)


def _refreshed(source: Source, found: Checked | None = None) -> Project:
    _state.clear()
    _state.append(overview(source, found))
    return _shown(source, _state[0])


def _shown(source: Source, state: State) -> Project:
    """Return what pages show, which say whether somebody has chosen the clients."""
    return state.project._replace(is_selected=bool(source.runtimes()))


def _edited(source: Source, paths: Sequence[Path]) -> Project | None:
    state = edited(source, _state[0], paths) if _state else None
    if state is None:
        return None
    _state[:] = [state]
    return _shown(source, state)


def _confirmed(source: Source, found: Checked | None) -> Project | None:
    before = _state[0] if _state else None
    now = _refreshed(source, found)
    return None if before is not None and is_same(before, _state[0]) else now


def _current(source: Source) -> State:
    if not _state:  # the process is a new one
        _refreshed(source)
    return _state[0]


def _page(source: Source, name: str, arguments: str, compared: tuple[str, str] | None) -> Page | None:
    return page(source, _current(source), name, arguments, compared)


def _text(source: Source, name: str, runtime: str, part: str, arguments: str) -> str | None:
    return exact(_current(source), name, runtime, part, arguments)


def _file(source: Source, name: str, path: str) -> bytes | None:
    found = _current(source).found.get(name)
    if found is None:
        return None
    try:
        skill = load_skill(Path(found.copy.directory))
        file = skill.file(path) if path in skill.tree.files else None
        return None if file is None else read_bounded(file, MAX_FILE)
    except (OSError, ValueError):
        return None
