"""How long after an edit does the language server publish findings? Wall time that its client waits."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.corpus import write_skills
from benchmarks.measure import environment

_SIZE = 50_000  # bytes of the SKILL.md


class _Client:
    """The client's side of one session."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout
        self._ids = itertools.count(1)

    def notify(self, method: str, **params: Any) -> None:
        self._send(method=method, params=params)

    def request(self, method: str, **params: Any) -> None:
        """Send a request and wait for its answer."""
        number = next(self._ids)
        self._send(id=number, method=method, params=params)
        while self.receive().get("id") != number:
            pass

    def receive(self) -> dict[str, Any]:
        length = 0
        while line := self._from.readline().strip():
            name, _, value = line.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        message: dict[str, Any] = json.loads(self._from.read(length))
        return message

    def _send(self, **message: Any) -> None:
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n%b" % (len(raw), raw))
        self._to.flush()


def report(runs: int) -> str:
    """Return a table line: the median and the longest time of `runs` edits, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        write_skills(Path(folder), 1, _SIZE)
        (file,) = Path(folder).glob("*/SKILL.md")
        with _session() as client:
            times = sorted(_edits(client, file, runs + 3)[3:])
    name = f"{'language server, an edit of 50 KB':<40}"
    return f"{name}{'median ms':>10}{'longest':>10}\n{'':<40}{median(times):>10.1f}{times[-1]:>10.1f}\n"


@contextmanager
def _session() -> Iterator[_Client]:
    command = [sys.executable, "-m", "skilltool", "server"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(command, env=environment(), **pipes) as process:
        client = _Client(process)
        client.request("initialize", processId=None, rootUri=None, capabilities={})
        client.notify("initialized")
        yield client
        client.request("shutdown")
        client.notify("exit")


def _edits(client: _Client, file: Path, many: int) -> list[float]:
    """Return the milliseconds from each edit, of a word in the middle of the body, to its findings."""
    text, uri = file.read_text("utf-8"), file.as_uri()
    document = {"uri": uri, "languageId": "markdown", "version": 0, "text": text}
    client.notify("textDocument/didOpen", textDocument=document)
    _await_findings(client, 0)
    times = []
    for version in range(1, many + 1):
        edited = f"{text[: _SIZE // 2]} edit {version} {text[_SIZE // 2 :]}"
        start = time.perf_counter()
        client.notify(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": version},
            contentChanges=[{"text": edited}],
        )
        _await_findings(client, version)
        times.append(1000 * (time.perf_counter() - start))
    return times


def _await_findings(client: _Client, version: int) -> None:
    while True:
        message = client.receive()
        is_published = message.get("method") == "textDocument/publishDiagnostics"
        if is_published and message["params"].get("version") == version:
            return
