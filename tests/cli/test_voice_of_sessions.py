"""What runs until it is stopped, the server and `lint --watch`, prints no line that something obeys."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import pytest

from tests.cli.test_voice import harmful, write_tree

TEXT = "\n::error file=x::y\r##vso[a]b\x1b[31mred\x9b1m\u202e\u2028::add-mask::e"
PATIENCE = 60.0  # seconds to wait for what must come


class Session:
    """A running command; what it prints is collected as it comes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        self.process, self.input = process, process.stdin
        self.printed = {"out": b"", "err": b""}
        self._readers = [
            threading.Thread(target=self._collect, args=each)
            for each in (("out", process.stdout), ("err", process.stderr))
        ]
        for reader in self._readers:
            reader.start()

    def _collect(self, where: str, stream: IO[bytes]) -> None:
        while raw := os.read(stream.fileno(), 1 << 16):
            self.printed[where] += raw

    def until(self, where: str, text: str, times: int = 1) -> None:
        last = time.monotonic() + PATIENCE
        while self.printed[where].count(text.encode()) < times:
            assert time.monotonic() < last, (text, self.printed)
            assert self.process.poll() is None, self.printed
            time.sleep(0.02)

    def ended(self) -> int:
        self.input.close()
        status = self.process.wait(PATIENCE)
        for reader in self._readers:
            reader.join()
        return status


@contextmanager
def session(top: Path, *arguments: str) -> Iterator[Session]:
    command = [sys.executable, "-m", "skilltool", *arguments]
    environment = {**os.environ, "GITHUB_ACTIONS": "true", "HOME": str(top), "COLUMNS": "80"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=top, env=environment, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        running = Session(process)
        try:
            yield running
        finally:
            process.kill()


def message(**content: Any) -> bytes:
    body = json.dumps({"jsonrpc": "2.0", **content}).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def lines_of_the_author(printed: str) -> list[str]:
    """Return the lines that begin with the text, however its characters are written."""
    return [line for line in printed.splitlines() if re.match(r"(\\x3a|:):|##?|\\x23|add-mask|red", line)]


@pytest.mark.slow
def test_standard_error_of_the_server(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "skilltool.toml").write_text(f"select = [{json.dumps(TEXT)}]\n", "utf-8")
    file = tmp_path / "skills" / "pdf" / "SKILL.md"
    file.parent.mkdir(parents=True)
    file.touch()
    text = f"---\nname: {json.dumps(TEXT)}\n{json.dumps(TEXT)}: 1\n---\n{TEXT}\n"
    document = {"uri": file.as_uri(), "languageId": TEXT, "version": 1, "text": text}
    position = {"line": 1, "character": 1}
    with session(tmp_path, "server") as server:
        server.input.write(
            message(id=1, method="initialize", params={"capabilities": {}, "rootUri": tmp_path.as_uri()})
            + message(method="initialized", params={})
            + message(method="textDocument/didOpen", params={"textDocument": document})
            + message(id=TEXT, method=TEXT, params={})
            + message(id=2, method="textDocument/hover", params={"textDocument": TEXT, "position": position})
            + message(id=3, method="workspace/executeCommand", params={"command": TEXT})
            + message(id=TEXT, error={"code": 1, "message": TEXT})
            + b"Content-Length: 2\r\n\r\n{{"
        )
        server.input.flush()
        server.until("out", "window/showMessage")
        server.until("err", "not defined")
        server.until("err", "Expecting")
        server.input.write(message(id=4, method="shutdown") + message(method="exit"))
        server.input.flush()
        assert server.ended() == 0
    printed = server.printed["err"].decode()
    assert "Method Not Found" in printed
    assert harmful(printed) == []
    assert lines_of_the_author(printed) == []
    assert all(line.startswith(("skilltool: ", "  ")) for line in printed.splitlines())


@pytest.mark.slow
@pytest.mark.parametrize("command", [["resolve"], ["cost"], ["render", "good", "--runtime", "kodelet,nfa"]])
def test_what_else_watches(tmp_path: Path, command: list[str]) -> None:
    write_tree(tmp_path, TEXT)
    roots = ["--home", ".", "--root", "project=kodelet", "--root", "user=nfa"]
    with session(tmp_path, *command, "--watch", *roots) as running:
        running.until("err", "waiting for changes")
        for number, file in enumerate((tmp_path / "kodelet").glob("*/SKILL.md"), start=2):
            file.write_text(f"---\nname: good\ndescription: {TEXT}\n---\n{TEXT}\n", "utf-8")
            running.until("err", "waiting for changes", times=number)
        (tmp_path / "skilltool.toml").write_bytes((tmp_path / "wrong.toml").read_bytes())
        running.until("err", "unknown key")
        running.process.send_signal(signal.SIGINT)
        assert running.ended() == 130
    for printed in (running.printed["out"].decode(), running.printed["err"].decode()):
        assert harmful(printed, tabs=command[0] == "render") == []


@pytest.mark.slow
def test_lint_that_watches(tmp_path: Path) -> None:
    write_tree(tmp_path, TEXT)
    skill = tmp_path / "good" / "SKILL.md"
    with session(tmp_path, "lint", "--watch", "--no-cache", "portable", "good") as lint:
        lint.until("err", "waiting for changes")
        skill.write_text(f"---\nname: good\ndescription: {TEXT}\n---\n", "utf-8")
        lint.until("err", "waiting for changes", times=2)
        (tmp_path / "skilltool.toml").write_bytes((tmp_path / "wrong.toml").read_bytes())
        lint.until("err", "waiting for changes", times=3)
        lint.process.send_signal(signal.SIGINT)
        assert lint.ended() == 130
    for printed in (lint.printed["out"].decode(), lint.printed["err"].decode()):
        assert harmful(printed) == []
        assert lines_of_the_author(printed) == []
    assert b"unknown key" in lint.printed["err"]
