"""Follows the changes of a project: reads it again after each, and tells every open page."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from threading import Thread

from skilltool.errors import SkilltoolError
from skilltool.lint import watching
from skilltool.preview.model import Project
from skilltool.preview.worker import Worker

_ALIVE = 15.0  # seconds after which a line is sent that says nothing, to notice readers who are gone


class Live:
    """The project as it was last read; use it on the thread of one event loop.

    `version` changes with every reading, `problem` says why the last one failed, empty if it did not.
    """

    def __init__(self, worker: Worker, project: Project, report: Callable[[Project | str], None]) -> None:
        """Take what was read at first; `report` is called with each later reading, or with its problem."""
        self.project = project
        self.problem = ""
        self.version = 1
        self._worker = worker
        self._report = report
        self._changed = asyncio.Event()
        self._next = asyncio.Event()
        self._is_closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    async def follow(self, paths: Iterable[Path], files: Iterable[Path], cache: Path | None) -> None:
        """Read the project again after each change below `paths` or of `files`; returns when closed."""
        self._loop = asyncio.get_running_loop()
        Thread(target=self._watch, args=([*paths], [*files], cache), daemon=True).start()
        while not self._is_closed:
            await self._changed.wait()
            self._changed.clear()
            if not self._is_closed:
                await self._read()

    async def versions(self) -> AsyncIterator[str]:
        """Yield server-sent events: the version now, and each one after it."""
        while not self._is_closed:
            news = self._next
            yield f"event: change\ndata: {self.version}\n\n"
            while not news.is_set() and not self._is_closed:
                try:
                    await asyncio.wait_for(news.wait(), _ALIVE)
                except TimeoutError:
                    yield ": waiting\n\n"

    def close(self) -> None:
        """End all of it; may be called in a signal handler."""
        self._is_closed = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._next.set()

    async def _read(self) -> None:
        before = self.project
        try:
            self.project = await asyncio.to_thread(self._worker.refresh)
            self.problem = ""
        except SkilltoolError as error:
            self.problem = str(error)
        self.version += 1
        if self.version > 2 or self.problem or self.project != before:
            self._report(self.problem or self.project)
        self._next.set()
        self._next = asyncio.Event()

    def _watch(self, paths: list[Path], files: list[Path], cache: Path | None) -> None:
        try:
            steps = watching.changes(paths, lambda: files, cache, lambda: not self._is_closed)
            for _ in steps:  # the first one is now: something may have changed before it was watched
                self._tell()
        except (SkilltoolError, OSError) as error:
            self.problem = str(error)
            self._tell()

    def _tell(self) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._changed.set)
