"""The conversation on standard input and output, which nothing else may read or write."""

from __future__ import annotations

import logging
import os
import signal
import sys
from types import FrameType
from typing import BinaryIO

from skilltool.server.handlers import register
from skilltool.server.server import Server
from skilltool.text.printable import safe_text


class _PrintableFormatter(logging.Formatter):
    """Formats log records, which may hold text of a skill, so that no line can move a terminal's cursor.

    Further lines of a record, such as a traceback, are indented: none begins with text of a skill.
    """

    def format(self, record: logging.LogRecord) -> str:
        return safe_text(super().format(record).replace("\n", "\n  "))


def serve() -> int:
    """Serve one client until it sends `exit` or disconnects; return 0 if it sent `shutdown` first, else 1.

    Ctrl-C ends the process with status 130. Source of the others: Language Server Protocol 3.17, "Exit
    Notification".
    """
    # A thread waits for the next line of input, and Python would wait for that thread before it exits.
    signal.signal(signal.SIGINT, _exit_at_once)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_PrintableFormatter("skilltool: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    # pygls passes its errors to the server, too, which logs each in one line.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = Server()
    register(server)
    server.start_io(*_streams())
    server.scheduler.shutdown()
    server.worker.stop()
    return 0 if server.shutdown_requested else 1


def _exit_at_once(number: int, frame: FrameType | None) -> None:
    """End the process without waiting for its threads; the server has no files to clean up."""
    os._exit(130)


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return standard input and output, and replace them: input by nothing, output by standard error.

    So neither a stray `print` nor a child process can corrupt the conversation.
    """
    streams = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, by its number
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return streams
