"""The conversation on standard input and output, which nothing else may write to."""

from __future__ import annotations

import logging
import os
import sys
from typing import BinaryIO

from skilltool.report.printable import printable
from skilltool.server.handlers import register
from skilltool.server.server import Server


class _Printable(logging.Formatter):
    """Log records in which no line can move a cursor: they may hold text of a skill."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(printable, super().format(record).split("\n")))


def serve() -> int:
    """Talk to one client until it says `exit` or goes away; return 0 if it said `shutdown` before, else 1.

    Source of the status: Language Server Protocol 3.17, "Exit Notification".
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Printable("skilltool: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
    # What it has to say of an error comes to the server, too, which says it in one line.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    server = Server()
    register(server)
    server.start_io(*_streams())
    server.work.end()
    return 0 if server.asked_to_stop else 1


def _streams() -> tuple[BinaryIO, BinaryIO]:
    """Return standard input and output, and leave in their places nothing and standard error.

    A stray `print`, or a program that is started, can then not break the conversation.
    """
    streams = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - a device, by its number
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    return streams
