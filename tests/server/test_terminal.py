"""The server in a terminal, started by mistake: it says what it is for, and Ctrl-C ends it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.terminal import Terminal


@pytest.mark.slow
def test_on_a_terminal_it_says_that_editors_start_it_and_the_first_interrupt_ends_it(repo: Path) -> None:
    with Terminal("server", cwd=repo, COLUMNS="200") as terminal:
        assert "this server is for editors" in terminal.until("this server is for editors", "Ctrl-C")
        assert terminal.quiet(1.0)  # until it waits for a message
        assert terminal.interrupt() == 130


@pytest.mark.slow
def test_an_interrupt_ends_it_while_it_waits_for_the_rest_of_a_message(repo: Path) -> None:
    command = [sys.executable, "-m", "skilltool", "server"]
    with subprocess.Popen(
        command, cwd=repo, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(_request("initialize"))
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"Content-")  # it has started
        process.stdin.write(b"Content-Length: 1000\r\n\r\n{")
        process.stdin.flush()
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130


def _request(method: str) -> bytes:
    body = b'{"jsonrpc":"2.0","id":1,"method":"%s","params":{"capabilities":{}}}' % method.encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
