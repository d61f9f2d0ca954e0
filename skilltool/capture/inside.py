"""The process that starts a client: with a model server on the loopback interface, and nothing else to reach.

`python -m skilltool.capture.inside` reads a `Job` as JSON from standard input and writes an `Outcome` as JSON
to standard output. It is a process of its own since a network namespace belongs to a process, and since what
outlives a client becomes its child. It imports the standard library only.

Everything that a client starts is ended: its process group, whatever has left that and become our child, and
what has the private home directory in its environment.
"""

from __future__ import annotations

import ctypes
import gzip
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.capture import protocols
from skilltool.capture.protocols import Call

BASE = "{base}"  # stands for the address of the model server in arguments, variables and files
EXITED, SILENT, TIMED_OUT, IDLE, MISSING = "exited", "silent", "timed out", "idle", "missing"

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000  # CLONE_NEWUSER and CLONE_NEWNET of sched.h
_SET_SUBREAPER, _SET_DEATH_SIGNAL = 36, 1  # of prctl(2)
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 1  # SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP
_LARGEST = 1 << 26  # bytes of a request's body
_MOST_OUTPUT = 1 << 16  # bytes of what the client prints
_SECONDS_PER_WAIT = 0.05
_SECONDS_TO_END = 2.0
_SWEEPS = 40


class Job(NamedTuple):
    """What is to be started: the command, its environment and directory, and the files it needs before.

    `calls` are made in the first request that offers the tool, all in one turn. `first` are the seconds
    within which the first request must come, `idle` those after the last, `seconds` all. Without `isolate`
    the network of the machine is there. `home` is the private home directory.
    """

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: str
    home: str
    files: Mapping[str, str]
    calls: Sequence[Sequence[Any]]
    seconds: float
    first: float
    idle: float
    isolate: bool


class Outcome(NamedTuple):
    """What came of it.

    `requests` are pairs of path and body (as text); `how` says how the client ended: `exited` (with
    `status`), `silent` (no request in time, and ended by us), `timed out`, `idle` (it had all answers and did
    not end), or `missing` (it could not be started, and `stderr` says why). `left` names the processes
    that outlived the client, `isolated` says whether it was in a network namespace, `cpu` are seconds of
    processor time.
    """

    requests: list[list[str]]
    how: str
    status: int | None
    stdout: str
    stderr: str
    seconds: float
    cpu: float
    isolated: bool
    left: list[str]


class _Server(ThreadingHTTPServer):
    """The model: it makes the calls once, and else answers with a text."""

    daemon_threads = True

    def __init__(self, calls: Sequence[Call]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[list[str]] = []
        self.last = 0.0
        self._calls = calls
        self._lock = threading.Lock()

    @property
    def base(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.server_port}"

    def reply_to(self, path: str, raw: bytes) -> protocols.Reply | None:
        """Note a request, and return the reply to it; None if it asks no model."""
        text = raw.decode("utf-8", "replace")
        with self._lock:
            self.requests.append([path, text])
            self.last = time.monotonic()
            if protocols.protocol_of(path) is None:
                return protocols.counted(path)
            try:
                body = json.loads(text)
            except (ValueError, RecursionError):
                body = {}
            calls: Sequence[Call] = ()
            offered = {protocols.name_of(tool) for tool in protocols.tools(body)}
            if self._calls and {call.tool for call in self._calls} <= offered:
                calls, self._calls = self._calls, ()
            return protocols.answer(path, body if isinstance(body, dict) else {}, calls)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a client that has gone away."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, *arguments: object) -> None:
        """Say nothing of requests."""

    def do_GET(self) -> None:
        self._send(protocols.counted(self.path))

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        self._send(self.server.reply_to(self.path, self._decoded(self._body())))

    def _body(self) -> bytes:
        if "chunked" not in self.headers.get("transfer-encoding", ""):
            return self.rfile.read(min(int(self.headers.get("content-length") or 0), _LARGEST))
        raw = b""
        while (size := int(self.rfile.readline(1024).split(b";")[0] or b"0", 16)) and len(raw) < _LARGEST:
            raw += self.rfile.read(size)
            self.rfile.readline(1024)
        self.rfile.readline(1024)
        return raw

    def _decoded(self, raw: bytes) -> bytes:
        encoding = self.headers.get("content-encoding", "")
        with suppress(OSError, zlib.error):
            if encoding == "gzip":
                return gzip.decompress(raw)
            if encoding == "deflate":
                return zlib.decompress(raw)
        return raw

    def _send(self, reply: protocols.Reply | None) -> None:
        status = 404 if reply is None else 200
        kind, body = reply or ("application/json", b'{"error": {"message": "not found"}}')
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def run(job: Job) -> Outcome:
    """Start the client, answer it, end it, and return what came of it."""
    isolated = job.isolate and _leave_network()
    _prctl(_SET_SUBREAPER, 1)
    server = _Server([Call(*call) for call in job.calls])
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    put = _Filled(server.base)
    for path, text in job.files.items():
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(put(text), "utf-8")
    printed = [Path(job.home).with_name(f"client.{name}") for name in ("stdout", "stderr")]
    started = time.monotonic()
    with printed[0].open("wb") as out, printed[1].open("wb") as err:
        try:
            process = subprocess.Popen(
                [put(each) for each in job.argv],
                env={name: put(value) for name, value in job.env.items()},
                cwd=job.cwd,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                start_new_session=True,
            )
        except OSError as error:
            words = f"{job.argv[0]}: {error.strerror}"
            return Outcome([], MISSING, None, "", words, 0.0, 0.0, isolated, [])
        try:
            how = _wait(process, server, job, started)
        finally:
            left = _end(process, job.home)
    server.shutdown()
    stdout, stderr = (_tail(path) for path in printed)
    return Outcome(
        server.requests,
        how,
        process.returncode if how == EXITED else None,
        stdout,
        stderr,
        time.monotonic() - started,
        _children_seconds(),
        isolated,
        left,
    )


class _Filled:
    """Puts the server's address where it belongs."""

    def __init__(self, base: str) -> None:
        self._base = base

    def __call__(self, text: str) -> str:
        return text.replace(BASE, self._base)


def _wait(process: subprocess.Popen[bytes], server: _Server, job: Job, started: float) -> str:
    """Wait until the client ends, or may not go on; return how it ended."""
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(_SECONDS_PER_WAIT)
            return EXITED
        now = time.monotonic()
        if not server.requests and now - started > job.first:
            return SILENT
        if now - started > job.seconds:
            return TIMED_OUT
        if server.requests and now - server.last > job.idle:
            return IDLE


def _end(process: subprocess.Popen[bytes], home: str) -> list[str]:
    """End a client and all that it started; return the names of those that had left its process group.

    All children of this process are the client's.
    """
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGTERM)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_SECONDS_TO_END)
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return sweep(home, os.getpid())


def sweep(home: str, parent: int | None = None) -> list[str]:
    """End what has a private home in its environment, and the children of `parent`; return the names."""
    left: dict[int, str] = {}
    for _ in range(_SWEEPS):  # what is killed may have started another one just before
        found = {pid: name for pid, name in _remaining(home, parent) if pid != os.getpid()}
        if not found:
            break
        left |= found
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if parent is not None:
            _reap()
        time.sleep(_SECONDS_PER_WAIT)
    return sorted(set(left.values()))


def _remaining(home: str, parent: int | None) -> Iterator[tuple[int, str]]:
    """Yield the living processes that have the private home in their environment, or this parent."""
    wanted = f"HOME={home}".encode()
    with suppress(OSError):
        for entry in os.listdir("/proc"):
            if not entry.isdecimal():
                continue
            with suppress(OSError, ValueError, IndexError):
                about = Path(f"/proc/{entry}/stat").read_text("utf-8", "replace")
                name, fields = about.partition("(")[2].rpartition(")")[0], about.rpartition(")")[2].split()
                if fields[0] in "ZX":
                    continue
                if int(fields[1]) == parent or wanted in Path(f"/proc/{entry}/environ").read_bytes().split(
                    b"\0"
                ):
                    yield int(entry), name


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _leave_network() -> bool:
    """Move this process to a network that has the loopback interface only; return whether that was possible.

    Raises OSError if it has left the old network and cannot use the new one.
    """
    if sys.platform != "linux":
        return False
    uid, gid = os.getuid(), os.getgid()
    library = ctypes.CDLL(None, use_errno=True)
    if library.unshare(_NEW_NET):
        if library.unshare(_NEW_USER | _NEW_NET):
            return False
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            Path(f"/proc/self/{name}").write_text(text, "ascii")
    import fcntl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        request = struct.pack("16sh", b"lo", 0)
        flags = struct.unpack("16sh", fcntl.ioctl(probe, _GET_FLAGS, request)[:18])[1]
        fcntl.ioctl(probe, _SET_FLAGS, struct.pack("16sh", b"lo", flags | _UP))
    return True


def _prctl(what: int, value: int) -> None:
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def _children_seconds() -> float:
    try:
        import resource
    except ImportError:
        return 0.0
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _MOST_OUTPUT))
        return file.read().decode("utf-8", "replace")


def main() -> None:
    """Read a job, run it, and write its outcome."""
    _prctl(_SET_DEATH_SIGNAL, signal.SIGTERM)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _interrupted)
    job = Job(**json.loads(sys.stdin.read()))
    try:
        outcome: dict[str, Any] = run(job)._asdict()
    except OSError as error:
        outcome = {"problem": f"{error}"}
    except KeyboardInterrupt:  # the process that started this one says so
        sys.exit(_INTERRUPTED)
    sys.stdout.write(json.dumps(outcome))
    sys.stdout.flush()


_INTERRUPTED = 130


def _interrupted(number: int, frame: Any) -> None:
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    main()
