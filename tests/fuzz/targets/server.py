"""The language server answers any sequence of messages, and goes on."""

from __future__ import annotations

import atexit
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from tests.fuzz.box import HangError, write_tree
from tests.fuzz.skills import DOCUMENTS, TEXTS

_WAIT = 60.0  # seconds for an answer, on a machine that has other work
_position = st.fixed_dictionaries(
    {
        "line": st.one_of(st.integers(0, 12), st.sampled_from([-1, 1 << 31, 10**12])),
        "character": st.integers(0, 40),
    }
)
_range = st.fixed_dictionaries({"start": _position, "end": _position})
_any: st.SearchStrategy[Any] = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 1 << 40), st.text(max_size=6)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=2), st.dictionaries(st.text(max_size=5), inner, max_size=2)
    ),
    max_leaves=4,
)
_method = st.sampled_from(
    [
        *(
            "hover",
            "completion",
            "codeAction",
            "documentLink",
            "didSave",
            "didClose",
            "didChange",
            "didChange",
        ),
        *("codeLens", "documentSymbol", "formatting", "definition"),
    ]
)
_changes = st.lists(
    st.one_of(
        st.fixed_dictionaries({"text": TEXTS}),
        st.fixed_dictionaries({"range": _range, "text": st.one_of(st.text(max_size=9), TEXTS)}),
    ),
    max_size=3,
)
_message = st.one_of(
    st.tuples(_method, _position, _range, _changes),
    st.tuples(_method, _position, _range, _changes),
    st.tuples(st.one_of(_method, st.just("didOpen"), st.text(max_size=6)), _any, _any, _any),
)
INPUTS = st.tuples(
    TEXTS, DOCUMENTS, st.sampled_from(["SKILL.md", "notes.md", "é.md"]), st.lists(_message, max_size=6)
)
_NOTIFICATIONS = {"didOpen", "didChange", "didSave", "didClose"}


class _Server:
    """One server process for many inputs."""

    def __init__(self) -> None:
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the server runs
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "skilltool", "server"],  # not what lies in that directory
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            cwd=tempfile.gettempdir(),  # it serves longer than the directory of one input lasts
        )
        atexit.register(self.process.kill)
        self.number = 0
        self.held = b""
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def send(self, message: dict[str, Any]) -> None:
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(raw), raw))
        self.process.stdin.flush()

    def ask(self, method: str, params: Any) -> None:
        """Send a request and wait for its answer; whatever comes before it is read."""
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            answer = self._read()
            if answer.get("id") == self.number and "method" not in answer:
                return
            text = str((answer.get("params") or {}).get("message", ""))
            assert "internal error" not in text, text

    def _read(self) -> dict[str, Any]:
        length = 0
        while line := self._line():
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        while len(self.held) < length:
            self._more()
        raw, self.held = self.held[:length], self.held[length:]
        found: dict[str, Any] = json.loads(raw)
        return found

    def _line(self) -> bytes:
        while b"\r\n" not in self.held:
            self._more()
        line, _, self.held = self.held.partition(b"\r\n")
        return line

    def _more(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        if not select.select([stream], [], [], _WAIT)[0]:
            raise HangError(f"no answer from the server in {_WAIT:g} s")
        raw = os.read(stream.fileno(), 1 << 16)
        assert raw, f"the server has ended with {self.process.poll()}: {self.said()[-3000:]}"
        self.held += raw

    def said(self) -> str:
        """Return what the server wrote to standard error."""
        self.errors.seek(0)
        return self.errors.read().decode("utf-8", "replace")


@cache
def _server() -> _Server:
    return _Server()


def check(drawn: tuple[str, bytes, str, list[tuple[str, Any, Any, Any]]], place: Path) -> None:
    text, other, name, messages = drawn
    write_tree(place, {"skills/a/SKILL.md": text.encode("utf-8", "replace"), "skills/b-c/SKILL.md": other})
    uri = (place / "skills" / "a" / name).as_uri()
    server = _server()
    try:
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        server.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        for version, (method, where, span, changes) in enumerate(messages, 2):
            params = {
                "textDocument": {"uri": uri, "version": version},
                "position": where,
                "range": span,
                "contentChanges": changes,
                "context": {"diagnostics": []},
            }
            if method in _NOTIFICATIONS:
                server.send({"method": f"textDocument/{method}", "params": params})
            else:
                server.ask(f"textDocument/{method}", params)
        server.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
        server.ask(
            "textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
        )
        if "Traceback" in server.said():
            time.sleep(1)  # until all of it is written
            raise AssertionError(server.said()[-3000:])
    except BaseException:
        server.process.kill()
        server.process.wait()
        _server.cache_clear()
        raise
