"""Runs the server on this machine until Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import uvicorn

from skilltool.errors import SkilltoolError
from skilltool.preview.app import application
from skilltool.preview.connections import MOST_HEAD_BYTES, Connection
from skilltool.preview.live import Live
from skilltool.preview.model import Project
from skilltool.preview.worker import Worker

HOST = "127.0.0.1"
USUAL_PORT = 7455


class _Server(uvicorn.Server):
    """Lets go of the pages that wait for news when it is told to end."""

    def __init__(self, config: uvicorn.Config, live: Live) -> None:
        super().__init__(config)
        self._live = live

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._live.close()
        super().handle_exit(sig, frame)


def bound(port: int | None) -> socket.socket:
    """Return a socket on this machine: on `port`, else on the usual one or, where that is taken, any.

    Raises `SkilltoolError` if the port is taken.
    """
    for each in [USUAL_PORT, 0] if port is None else [port]:
        found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((HOST, each))
        except OSError as error:
            found.close()
            if port is not None:
                why = "is in use" if error.errno == errno.EADDRINUSE else f"cannot be used: {error.strerror}"
                raise SkilltoolError(f"port {port} {why}; choose another one with --port") from None
        else:
            return found
    raise SkilltoolError("no port is free; choose one with --port")


def serve(
    worker: Worker,
    project: Project,
    where: socket.socket,
    watched: tuple[Sequence[Path], Sequence[Path], Path | None],
    report: Callable[[Project | str], None],
    began: Callable[[], None],
    routed: Path | None = None,
) -> None:
    """Answer requests at a socket until Ctrl-C; `began` is called when requests are answered.

    `watched` are directories and files in which a change counts, and a directory in which none does. `routed`
    is a file with a result of `route`.
    """

    async def run() -> None:
        live = Live(worker, project, report)
        config = uvicorn.Config(
            application(live, worker, routed),
            log_level="critical",
            access_log=False,
            server_header=False,
            lifespan="off",
            ws="none",
            http=Connection,
            h11_max_incomplete_event_size=MOST_HEAD_BYTES,
            timeout_graceful_shutdown=2,
        )
        server = _Server(config, live)
        following = asyncio.ensure_future(live.follow(*watched))
        asyncio.get_running_loop().call_soon(began)
        try:
            await server.serve(sockets=[where])
        finally:
            live.close()
            following.cancel()

    asyncio.run(run())
