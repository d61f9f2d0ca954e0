"""A process that has imported what commands import, and forks for each: as real as a new one, and sooner.

`python -m tests.support.warm N` serves on the socket with descriptor N.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_LENGTH = struct.Struct("!I")
_NOT_WARM = (
    "skilltool.preview",
    "skilltool.registry",
    "skilltool.route.ask",
    "skilltool.route.run",
    "skilltool.server",
    "skilltool.__main__",
)  # with modules that only an extra brings


class Warm:
    """The process; it also ends when the one that started it does."""

    def __init__(self) -> None:
        """Start it."""
        self._socket, theirs = socket.socketpair()
        command = [sys.executable, "-m", "tests.support.warm", str(theirs.fileno())]
        self._process = subprocess.Popen(  # its streams are pipes, as those of a forked process will be
            command,
            cwd=ROOT,
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        theirs.close()

    def end(self) -> None:
        """End it."""
        self._socket.close()
        self._process.communicate()

    def run(
        self, arguments: Sequence[str], cwd: Path, environment: Mapping[str, str], timeout: float
    ) -> subprocess.CompletedProcess[str]:
        """Run the command with these arguments; raises `subprocess.TimeoutExpired`."""
        out, their_out = os.pipe()
        err, their_err = os.pipe()
        try:
            request = json.dumps([[*arguments], os.fspath(cwd), {**environment}]).encode()
            socket.send_fds(self._socket, [_LENGTH.pack(len(request))], [their_out, their_err])
            self._socket.sendall(request)
        finally:
            os.close(their_out)
            os.close(their_err)
        (child,) = _LENGTH.unpack(_exactly(self._socket, _LENGTH.size))
        try:
            texts = _read_all([out, err], timeout)
        except TimeoutError:
            os.kill(child, signal.SIGKILL)
            raise subprocess.TimeoutExpired(["skilltool", *arguments], timeout) from None
        finally:
            os.close(out)
            os.close(err)
            (status,) = struct.unpack("!i", _exactly(self._socket, 4))
        stdout, stderr = (text.decode().replace("\r\n", "\n").replace("\r", "\n") for text in texts)
        return subprocess.CompletedProcess(["skilltool", *arguments], status, stdout, stderr)


_LONGEST = 180 if os.environ.get("FULL") else 60  # seconds; with FULL a test tries three times as much


def run_command(arguments: Sequence[str], cwd: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a process of its own, with further variables; return what it printed.

    A variable that means something to Python itself takes a new interpreter.
    """
    variables = {**os.environ, **environment}
    if sys.platform == "linux" and not any(
        name.startswith(("PYTHON", "LC_", "LANG")) for name in environment
    ):
        return _shared().run(arguments, cwd, variables, timeout=_LONGEST)
    return subprocess.run(
        [sys.executable, "-m", "skilltool", *arguments],
        cwd=cwd,
        env=variables,
        capture_output=True,
        encoding="utf-8",
        timeout=_LONGEST,
        check=False,
    )


@cache
def _shared() -> Warm:
    warm = Warm()
    atexit.register(warm.end)
    return warm


def _read_all(pipes: Sequence[int], timeout: float) -> list[bytes]:
    texts = dict.fromkeys(pipes, b"")
    left = set(pipes)
    end = time.monotonic() + timeout
    while left:
        ready = select.select(left, [], [], max(end - time.monotonic(), 0))[0]
        if not ready:
            raise TimeoutError
        for pipe in ready:
            part = os.read(pipe, 1 << 16)
            texts[pipe] += part
            if not part:
                left.discard(pipe)
    return list(texts.values())


def _exactly(connection: socket.socket, length: int) -> bytes:
    raw = b""
    while len(raw) < length:
        part = connection.recv(length - len(raw))
        if not part:
            raise EOFError
        raw += part
    return raw


def _serve(connection: socket.socket) -> None:
    """Fork for each request; only the forked process returns."""
    while True:
        head, descriptors, _, _ = socket.recv_fds(connection, _LENGTH.size, 2)
        if not head:
            sys.exit()
        arguments, cwd, environment = json.loads(_exactly(connection, *_LENGTH.unpack(head)))
        child = os.fork()
        if not child:
            connection.close()
            _become(arguments, cwd, environment, *descriptors)
            return
        for descriptor in descriptors:
            os.close(descriptor)
        connection.sendall(_LENGTH.pack(child))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(struct.pack("!i", status))


def _become(arguments: list[str], cwd: str, environment: dict[str, str], out: int, err: int) -> None:
    """Be the process that was asked for: its directory, environment, arguments and streams."""
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [import_module("skilltool.__main__").__file__ or "", *arguments]
    os.dup2(out, 1)
    os.dup2(err, 2)
    os.close(out)
    os.close(err)
    time.tzset()


def _import_all() -> None:
    for name in ("cookiecutter.main", "jsonschema", "rich.progress"):
        import_module(name)
    package = import_module("skilltool")
    for module in pkgutil.walk_packages(package.__path__, "skilltool."):
        if not module.name.startswith(_NOT_WARM):
            with suppress(ImportError):  # what another system has
                import_module(module.name)


if __name__ == "__main__":
    _import_all()
    gc.freeze()
    _serve(socket.socket(fileno=int(sys.argv[1])))
    from skilltool.__main__ import main

    try:
        main()
    except SystemExit as ended:
        # What an interpreter does after this takes longer than most commands here.
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(ended.code if isinstance(ended.code, int) else 0)
