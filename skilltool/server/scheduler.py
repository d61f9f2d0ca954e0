"""Background work: one job at a time next to the conversation, and none for a text that was replaced."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

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
