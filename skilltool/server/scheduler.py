"""Work that takes a while: one thing at a time beside the conversation, and never for a text that is gone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


class Work:
    """One thread for everything that reads and checks, and at most one task that waits per key.

    A new task of a key takes the place of the one that waits. What is running is not stopped, its result is
    dropped: so there is never more than one check running and one waiting for a document.
    """

    def __init__(self, failed: Callable[[BaseException], None]) -> None:
        """Take the function that says what went wrong in a task, which nobody waits for."""
        self._failed = failed
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="skilltool")
        self._tasks: dict[Hashable, asyncio.Task[None]] = {}

    async def on_thread(self, job: Callable[[], Result]) -> Result:
        """Return what `job` returns; it waits for its turn on the thread, and can be cancelled until then."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    def later(self, key: Hashable, seconds: float, task: Callable[[], Awaitable[None]]) -> None:
        """Run a task of `key` after a pause of some seconds, unless another of that key comes before."""
        self.forget(key)
        self._tasks[key] = asyncio.get_running_loop().create_task(self._after(seconds, task))
        self._tasks[key].add_done_callback(self._done)

    def forget(self, key: Hashable) -> None:
        """Cancel the task of `key`, if there is one."""
        if (waiting := self._tasks.pop(key, None)) is not None:
            waiting.cancel()

    def end(self) -> None:
        """Cancel everything that waits."""
        for key in list(self._tasks):
            self.forget(key)
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _after(self, seconds: float, task: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(seconds)
        await task()

    def _done(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed(error)
