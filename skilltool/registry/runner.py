"""What an executor calls with a shard, whatever process or thread that is in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress

from skilltool.bounds.pool import read, write
from skilltool.errors import SkilltoolError
from skilltool.registry.shards import Partition, Shard, check_shard

# No process can be forked beside other threads, and no skill may hang one: a thread has a process of its own.
_PROGRAM = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from skilltool.registry.runner import serve
serve()
"""


class WorkerDiedError(Exception):
    """The process in which a shard was checked has ended before it had a result."""


class _Child:
    """A process that checks shards for one thread."""

    def __init__(self) -> None:
        command = [sys.executable, "-I", "-c", _PROGRAM, json.dumps(sys.path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def check(self, shard: Shard) -> Partition:
        """Return the partition of a shard; raises `WorkerDiedError`, and what `check_shard` raises."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            write(self._process.stdin.fileno(), shard)
            kind, value = read(self._process.stdout.fileno())
        except (OSError, EOFError) as error:
            self.end()
            raise WorkerDiedError(
                f"the process that checked it has ended ({self._process.returncode})"
            ) from error
        if kind == "error":
            raise value
        partition: Partition = value
        return partition

    def end(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if stream is not None:
                    stream.close()

    def __del__(self) -> None:
        self.end()


_of_thread = threading.local()


def run_shard(shard: Shard) -> Partition:
    """Check a shard: here, if this process has nothing else to do, else in a process of this thread's own."""
    if threading.active_count() == 1:
        return check_shard(shard)
    child: _Child | None = getattr(_of_thread, "child", None)
    child = child or _Child()
    _of_thread.child = None
    partition = child.check(shard)
    _of_thread.child = child
    return partition


def serve() -> None:
    """Check the shards that come from standard input until it ends; the results go to standard output."""
    results = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with suppress(EOFError, BrokenPipeError):  # who asked is gone
        while True:
            shard = read(0)
            message: tuple[str, object]
            try:
                message = "done", check_shard(shard)
            except SkilltoolError as error:
                message = "error", SkilltoolError(str(error))
            except Exception as error:
                message = "error", RuntimeError(repr(error))
            write(results, message)
