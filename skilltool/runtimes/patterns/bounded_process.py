"""How is work on untrusted data bounded? In another process, with 1 GiB of memory and a time limit.

The system ends it after a minute of processor time, in case the process that started it is gone.
"""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO, Any

_SECONDS_TO_START = 30.0

_FRAME = """
import sys
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
except Exception:
    pass
exec(sys.argv[1], {"__name__": "__main__"})
"""


class NotStartedError(Exception):
    """The process could not be started, or ended before it had read the request."""


class OutOfTimeError(Exception):
    """The process took too long for one answer and was killed."""


def answers(program: str, request: Any, seconds: float) -> Iterator[Any]:
    """Yield the answers that a program prints, one JSON value per line, until it ends.

    `program` is Python source that sees only the standard library. It must read `request` as JSON from
    standard input, print `null` once it has done so, then print one line of JSON per answer. Raises
    `NotStartedError`, and `OutOfTimeError` if one answer takes longer than `seconds` of wall time; the
    process is killed in any case.
    """
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    try:
        process: subprocess.Popen[str] = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _FRAME, program],
            encoding="ascii",
            **quiet,  # type: ignore[call-overload]
        )
    except OSError as error:
        raise NotStartedError from error
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    threading.Thread(target=_write, args=(process.stdin, request), daemon=True).start()
    try:
        if lines.get(timeout=_SECONDS_TO_START) is None:
            raise NotStartedError
        while (line := lines.get(timeout=seconds)) is not None:
            yield json.loads(line)
    except queue.Empty:
        raise OutOfTimeError from None
    finally:
        process.kill()
        process.wait()


def _read(stream: IO[str], lines: queue.SimpleQueue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)


def _write(stream: IO[str], request: Any) -> None:
    try:
        with stream:
            json.dump(request, stream)
    except OSError:  # the process has ended
        pass
