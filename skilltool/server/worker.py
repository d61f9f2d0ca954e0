"""Answers questions about documents in another process, which is ended when a document takes too long.

So the conversation never waits for a skill, and what a text costs ends with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from skilltool.bounds.budget import Budget, OverBudgetError, out_of_time
from skilltool.bounds.clock import Stopwatch
from skilltool.bounds.pool import KILLED, Message, Spawned, Task, await_message, value_of
from skilltool.bounds.timer import OutOfTimeError
from skilltool.server.analysis import Analysis, Editor, Kept, leave_deleted_directory
from skilltool.server.document import Document

_GRACE = 1.0  # seconds more than the check in the process has, which can often end itself and go on
_TO_START = 30.0  # seconds
_last: list[tuple[tuple[str, int, Editor], Analysis]] = []  # in the process: the last analysis
_kept = [Kept()]  # in the process: what is known of the files on disk


class Question(NamedTuple):
    """A function of a module, what it is asked about, and its other arguments.

    `state` is a number for the text of the document and the files around it, which changes with them, `disk`
    one for the files alone.
    """

    document: Document
    state: int
    disk: int
    editor: Editor
    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()


class Worker:
    """The process of a session with one client; use it on one thread only."""

    def __init__(self, budget: Budget | None = None) -> None:
        """Take the budget of each document; nothing is started yet."""
        self._budget = budget or Budget.of_environment()
        self._process: Spawned | None = None
        self._slow: dict[str, int] = {}

    def start(self) -> None:
        """Start the process and let it import what it needs."""
        if self._process is None:
            leave_deleted_directory()
            self._process = Spawned(self._budget)
            self._process.submit(Task(_prepare, (), seconds=_TO_START))
            self._receive(_TO_START)

    def ask(self, question: Question) -> Any:
        """Return the answer; None if the document is not a skill, nor a manifest.

        Raises `OverBudgetError` if it takes too long, `SkilltoolError`, and `InternalError`. A document that
        took too long has less time from then on, until it is done in time.
        """
        self.start()
        uri = question.document.uri
        if self._slow.get(uri) == question.state:
            raise OverBudgetError(self._out_of_time())
        seconds = self._budget.share if uri in self._slow else self._budget.seconds
        if self._process is not None:
            self._process.submit(Task(_answer, question, seconds=seconds + _GRACE))
        try:
            message = self._receive(seconds + _GRACE)
        except OverBudgetError:
            self._slow[uri] = question.state
            raise
        self._slow.pop(uri, None)
        return value_of(message)

    def _receive(self, seconds: float) -> Message:
        """Return the message of the process, which may work so many seconds for it."""
        process = self._process
        if process is None:
            raise OverBudgetError(KILLED)
        try:
            await_message(process, Stopwatch(process.pid), seconds)
        except OutOfTimeError as error:
            self.end()
            raise OverBudgetError(error.reason or self._out_of_time()) from None
        message = process.receive()
        if message is None:
            self.end()
            raise OverBudgetError(KILLED)
        return message

    def _out_of_time(self) -> str:
        return out_of_time(self._budget.seconds)

    def stop(self) -> None:
        """Stop the process, on any thread; a question that waits is not answered."""
        if self._process is not None:
            self._process.stop()

    def close(self, uri: str) -> None:
        """Take notice that a document is closed: whether it was slow is no longer of interest."""
        self._slow.pop(uri, None)

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._process is not None:
            self._process.end()
            self._process = None


def _prepare() -> None:
    """Import what questions need."""
    from skilltool.server import diagnostics, document_links, hover  # noqa: F401


def _answer(
    document: Document,
    state: int,
    disk: int,
    editor: Editor,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
) -> Any:
    """Return the answer to a question in the process that was started for it."""
    key = (document.uri, state, editor)
    if not _kept[0].is_of(disk):
        _kept[0] = Kept(disk)
    if not _last or _last[0][0] != key:
        _last[:] = [(key, Analysis(document, editor, _kept[0]))]
    analysis = _last[0][1]
    with analysis.using_editor_text():
        return function(analysis, *arguments) if analysis.is_checked else None


Result = TypeVar("Result")


class Scheduler:
    """Runs everything that reads and checks on one thread, and keeps at most one pending task per key.

    A new task replaces the pending one of its key. A running job is not stopped, its result is dropped: a
    document never has more than one check running and one pending.
    """

    def __init__(self, on_error: Callable[[BaseException], None]) -> None:
        """Take the function that reports the exception of a scheduled task, which nobody awaits."""
        self._on_error = on_error
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="skilltool")
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    async def run_on_thread(self, job: Callable[[], Result]) -> Result:
        """Return what `job` returns; it waits for its turn, and can be cancelled until then."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    def submit(self, job: Callable[[], None]) -> None:
        """Let `job` run when it is its turn; nobody waits for it, and its exception is dropped."""
        self._thread.submit(job)

    def schedule(self, key: Hashable, seconds: float, task: Callable[[], Awaitable[None]]) -> None:
        """Run a task after some seconds, unless another one is scheduled for `key` before that."""
        self.cancel(key)
        self._tasks[key] = asyncio.get_running_loop().create_task(self._after(seconds, task))
        self._tasks[key].add_done_callback(self._done)

    def cancel(self, key: Hashable) -> None:
        """Cancel the task of `key`, if there is one."""
        if (pending := self._tasks.pop(key, None)) is not None:
            pending.cancel()

    def shutdown(self) -> None:
        """Cancel every pending task and release the thread, without waiting for a running job."""
        for key in list(self._tasks):
            self.cancel(key)
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _after(self, seconds: float, task: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(seconds)
        await task()

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._on_error(error)
