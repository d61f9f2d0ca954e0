"""Calls a function on untrusted data in a process of its own, with limits of time and memory.

The limit is of processor time, so that a busy machine refuses nothing, and thirty times as much of wall time.
Windows has the wall time only, and macOS does not enforce the limit of memory. The process is killed in any
case, also when this one is interrupted.
"""

from __future__ import annotations

import json
import queue
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import IO, Any

SECONDS = 20.0
MEMORY = 1 << 30  # bytes of address space
_PATIENCE = 30  # seconds of wall time for each that is allowed
_SECONDS_TO_START = 60.0
_SECONDS_PER_WAIT = 0.1
_MAX_ANSWER = 1 << 27  # characters of JSON

# Standard output carries the answers, so whatever else prints there is discarded.
_FRAME = """
import json, math, os, sys, time
sys.path[:] = json.loads(sys.argv[1])
module, _, name = sys.argv[2].partition(":")
seconds, memory = map(float, sys.argv[3:])
answers = os.fdopen(os.dup(1), "w", encoding="ascii")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
import importlib
function = getattr(importlib.import_module(module), name)
try:
    import resource
except ImportError:
    resource = None
seconds = math.ceil(time.process_time() + seconds)
for kind, value in (("RLIMIT_AS", int(memory)), ("RLIMIT_CPU", seconds), ("RLIMIT_CORE", 0)):
    try:
        number = getattr(resource, kind)
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (value, hard))
    except (AttributeError, OSError, ValueError):
        pass
print("null", file=answers, flush=True)
for line in sys.stdin:
    try:
        answer = json.dumps([function(json.loads(line))])
    except MemoryError:
        answer = "[]"
    print(answer, file=answers, flush=True)
"""


class LimitedProcessError(Exception):
    """A limit was exceeded, or the process ended; the text is the predicate of a sentence about the data."""


class LimitedProcess:
    """A process that answers requests with one function; it is started by the first request.

    Time is counted for all answers together, without what lies between them, and without the start.
    """

    def __init__(self, function: str, seconds: float = SECONDS, memory: int = MEMORY) -> None:
        """Name the `function`, as `module:name`, which takes and returns JSON data.

        `seconds` are of processor time, `memory` is in bytes of address space.
        """
        self._function = function
        self._too_long = f"takes more than the {seconds:g} seconds that skilltool allows"
        self._seconds = seconds
        self._left = seconds * _PATIENCE
        self._memory = memory
        self._process: subprocess.Popen[str] | None = None

    def ask(self, request: Any) -> Any:
        """Return what the function returns for a request; raises `LimitedProcessError`."""
        try:
            if self._process is None:
                self._process = self._start()
            answer = self._exchange(self._process, json.dumps(request))
        except BaseException:
            self.close()
            raise
        if not answer:
            self.close()
            gib = f"{self._memory / (1 << 30):g} GiB"
            raise LimitedProcessError(f"needs more than the {gib} of memory that skilltool allows")
        return answer[0]

    def close(self) -> None:
        """End the process if it runs, and wait until it has ended: it writes no file from then on."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                _close(stream)
        self._process = None

    def _start(self) -> subprocess.Popen[str]:
        limits = [str(self._seconds), str(self._memory)]
        command = [sys.executable, "-I", "-c", _FRAME, json.dumps(sys.path), self._function, *limits]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="ascii",
            )
        except OSError as error:
            raise LimitedProcessError(f"cannot be read: no process can be started: {error}") from None
        self._process = process
        _answer(process, _SECONDS_TO_START, "cannot be read: the process that reads it could not be started")
        return process

    def _exchange(self, process: subprocess.Popen[str], request: str) -> Any:
        """Send a request and return the answer as a list: empty if the memory was exceeded."""
        started = time.monotonic()
        assert process.stdin is not None
        with suppress(OSError):  # it has ended, which the answer says
            process.stdin.write(request + "\n")
            process.stdin.flush()
        answer = _answer(process, max(self._left, 0.0), self._too_long)
        self._left -= time.monotonic() - started
        return answer


def call_limited(function: str, request: Any, seconds: float = SECONDS, memory: int = MEMORY) -> Any:
    """Return what `function`, a `module:name`, returns for JSON data; raises `LimitedProcessError`.

    The function runs in another process, for at most `seconds` of processor time and with `memory` bytes.
    """
    process = LimitedProcess(function, seconds, memory)
    try:
        return process.ask(request)
    finally:
        process.close()


def _answer(process: subprocess.Popen[str], seconds: float, too_long: str) -> Any:
    """Return the next line of a process as JSON data; kill the process if that takes too long."""
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(process.stdout, lines), daemon=True).start()
    deadline = time.monotonic() + seconds
    late, line = False, None
    while line is None:
        try:  # a signal that comes just before a wait does not end it, but is handled after it
            line = lines.get(timeout=_SECONDS_PER_WAIT)
        except queue.Empty:
            if time.monotonic() > deadline:
                late = True
                process.kill()
    if line.endswith("\n"):
        return json.loads(line)
    if not line:  # it has ended, or will at once
        with suppress(subprocess.TimeoutExpired):
            process.wait(1)
    late = late or process.returncode == -getattr(signal, "SIGXCPU", 0)
    raise LimitedProcessError(too_long if late else "crashes the process that reads it")


def _read(stream: IO[str], lines: queue.SimpleQueue[str]) -> None:
    try:
        lines.put(stream.readline(_MAX_ANSWER))
    except (OSError, ValueError):  # it was closed, or what it says is not ASCII
        lines.put("")


def _close(stream: Any) -> None:
    with suppress(OSError):  # what is buffered has no reader
        stream.close()
