"""What may the clients of the server keep: connections, and turns of the process that reads skills?

A client that is slow, or does not read, takes nothing from the others: it is let go of after some seconds.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from uvicorn.protocols.http.h11_impl import H11Protocol

from skilltool.errors import SkilltoolError

HEAD_SECONDS = 10.0  # until the lines of a request are whole
DRAIN_SECONDS = 30.0  # until a client on this machine has read an answer
MOST_CONNECTIONS = 256
MOST_HEAD_BYTES = 32 << 10
MOST_WAITING = 16  # requests that wait for the process that reads skills

T = TypeVar("T")


class Connection(H11Protocol):
    """A connection of which the time for a request, and for reading its answer, is limited.

    Of more than `MOST_CONNECTIONS` the oldest is ended on which nothing is answered; else the new one.
    """

    _deadline: asyncio.TimerHandle | None = None
    _drain: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._waiting_since = self.loop.time()
        self._wait_for_head()
        if len(self.connections) > MOST_CONNECTIONS:
            # The other protocols of the server are made by this class, too.
            idle = [each for each in self.connections if isinstance(each, Connection) and not each.is_busy]
            oldest = min(idle, key=lambda each: each._waiting_since, default=self)
            oldest.transport.abort()

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete

    def data_received(self, data: bytes) -> None:
        """Take a part of a request; what comes in small pieces gets no more time for it."""
        super().data_received(data)
        if self.is_busy:
            self._forget(self._deadline)
            self._deadline = None
        else:
            self._wait_for_head()

    def pause_writing(self) -> None:
        """Begin to wait for a client that does not read."""
        super().pause_writing()
        self._drain = self._drain or self.loop.call_later(DRAIN_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on: the client has read."""
        super().resume_writing()
        self._forget(self._drain)
        self._drain = None

    def connection_lost(self, exc: Exception | None) -> None:
        """End both timers."""
        super().connection_lost(exc)
        self._forget(self._deadline)
        self._forget(self._drain)

    def _wait_for_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(HEAD_SECONDS, self._end_if_idle)

    def _end_if_idle(self) -> None:
        self._deadline = None
        if not self.is_busy:
            self.transport.abort()

    @staticmethod
    def _forget(timer: asyncio.TimerHandle | None) -> None:
        if timer is not None:
            timer.cancel()


class Turns:
    """Turns of the process that reads skills, which answers one question at a time: the newest comes next.

    So somebody who asks for one page waits for one other, however many were asked for before.
    """

    def __init__(self) -> None:
        """Start with nobody waiting."""
        self._waiting: deque[asyncio.Future[bool]] = deque()
        self._is_taken = False

    async def ask(self, function: Callable[..., T], *arguments: Any) -> T:
        """Return what a function returns, called on another thread.

        Raises `SkilltoolError` if `MOST_WAITING` have come since, and what the function raises.
        """
        if self._is_taken:
            mine = asyncio.get_running_loop().create_future()
            self._waiting.append(mine)
            if len(self._waiting) > MOST_WAITING:
                self._waiting.popleft().set_result(False)
            if not await mine:
                raise SkilltoolError("too many requests at once; load the page again")
        self._is_taken = True
        try:
            return await asyncio.to_thread(function, *arguments)
        finally:
            while self._waiting and self._waiting[-1].done():  # its request was cancelled
                self._waiting.pop()
            if self._waiting:
                self._waiting.pop().set_result(True)
            else:
                self._is_taken = False
