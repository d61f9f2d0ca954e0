"""Follows the changes of a project: reads again what changed, and tells every open page.

After a save in one skill only that skill is read at first, however many others there are. They are read when
nothing has changed for a while, since rules about many skills may then say other things of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from pathlib import Path
from threading import Thread

from skilltool.errors import SkilltoolError
from skilltool.lint import watching
from skilltool.preview.model import Project
from skilltool.preview.worker import Worker

PAUSE = 20  # milliseconds; what is written within them belongs to one save
_CALM = 0.5  # seconds without a change after which all is read that a save may have changed
MOST_STREAMS = 64  # of news at once: of tabs that are seen, and of clients that do not go
_ALIVE = 15.0  # seconds after which a line is sent that says nothing, to notice readers who are gone


class Live:
    """The project as it was last read; use it on the thread of one event loop.

    `version` changes with everything that pages may show. `problem` says why the last reading failed, empty
    if it did not.
    """

    def __init__(self, worker: Worker, project: Project, report: Callable[[Project | str], None]) -> None:
        """Take what was read at first; `report` is called with each later reading, or with its problem."""
        self.project = project
        self.problem = ""
        self.version = 1
        self._worker = worker
        self._report = report
        self._changed = asyncio.Event()
        self._paths: set[Path] = set()  # changed since the last reading
        self._is_unknown = False  # whether others may have changed, too
        self._is_partial = False  # whether only the skill that changed was read
        self._readings = 0
        self._confirming: asyncio.Task[None] | None = None
        self._listening: list[asyncio.Event] = []  # one for each stream of news
        self._is_closed = False
        self._loop: asyncio.AbstractEventLoop | None = None

    async def follow(self, paths: Iterable[Path], files: Iterable[Path], cache: Path | None) -> None:
        """Read the project again after each change under `paths` or of `files`; returns when closed."""
        self._loop = asyncio.get_running_loop()
        Thread(target=self._watch, args=([*paths], [*files], cache), daemon=True).start()
        while not self._is_closed:
            try:
                await asyncio.wait_for(self._changed.wait(), _CALM if self._is_partial else None)
            except TimeoutError:
                if self._confirming is None or self._confirming.done():
                    self._confirming = asyncio.ensure_future(self._confirm(self._readings))
                continue
            self._changed.clear()
            if not self._is_closed:
                await self._follow_up()

    async def versions(self) -> AsyncIterator[str]:
        """Yield server-sent events: the version now, and each one after it.

        Of more than `MOST_STREAMS` the oldest ends; a browser that still listens then opens another one.
        """
        news = asyncio.Event()
        self._listening.append(news)
        if len(self._listening) > MOST_STREAMS:
            self._listening.pop(0).set()
        try:
            while not self._is_closed and news in self._listening:
                news.clear()
                yield f"event: change\ndata: {self.version}\n\n"
                while not news.is_set():
                    try:
                        await asyncio.wait_for(news.wait(), _ALIVE)
                    except TimeoutError:
                        yield ": waiting\n\n"
        finally:
            if news in self._listening:
                self._listening.remove(news)

    def close(self) -> None:
        """End all of it; may be called in a signal handler."""
        self._is_closed = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        self._changed.set()
        self._tell_pages()

    def _tell_pages(self) -> None:
        for news in self._listening:
            news.set()

    async def _follow_up(self) -> None:
        """Read what has changed since the last time: one skill, or all."""
        paths, self._paths = self._paths, set()
        is_whole, self._is_unknown = self._is_unknown, False
        self._readings += 1
        if not is_whole and await self._read(lambda: self._worker.edited(sorted(paths))):
            self._is_partial = True
        else:
            await self._read(self._worker.refresh)
            self._is_partial = False

    async def _confirm(self, readings: int) -> None:
        """Read all again, unless another save comes meanwhile: the long part of it keeps no page waiting."""
        try:
            checked = await asyncio.to_thread(self._worker.check)
        except SkilltoolError:
            checked = None
        if self._readings == readings and not self._changed.is_set():
            self._is_partial = False
            await self._read(lambda: self._worker.confirm(checked))

    async def _read(self, read: Callable[[], Project | None]) -> bool:
        """Tell every page what was read; return whether anything was."""
        before = self.project
        try:
            project = await asyncio.to_thread(read)
            if project is None:
                return False
            self.project, self.problem = project, ""
        except SkilltoolError as error:
            self.problem = str(error)
        self.version += 1
        if self.version > 2 or self.problem or self.project != before:
            self._report(self.problem or self.project)
        self._tell_pages()
        return True

    def _watch(self, paths: list[Path], files: list[Path], cache: Path | None) -> None:
        try:
            steps = watching.changes(paths, lambda: files, cache, lambda: not self._is_closed, PAUSE)
            for changed in steps:  # the first one is now: something may have changed before it was watched
                self._tell(changed)
        except (SkilltoolError, OSError) as error:
            self.problem = str(error)
            self._tell(frozenset())

    def _tell(self, changed: frozenset[Path]) -> None:
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._note, changed)

    def _note(self, changed: frozenset[Path]) -> None:
        self._paths |= changed
        self._is_unknown = self._is_unknown or not changed
        self._changed.set()
