"""Clients that are slow, do not read, or send too much: bounded, and the others are answered meanwhile."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest

from skilltool.preview.connections import HEAD_SECONDS, MOST_CONNECTIONS
from skilltool.preview.live import MOST_STREAMS
from tests.preview.browsing import Preview
from tests.support.terminal import PATIENCE

pytestmark = pytest.mark.slow
MANY = 50


@pytest.fixture(scope="module")
def preview(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Preview]:
    top = tmp_path_factory.mktemp("slow") / "project"
    directory = top / ".claude" / "skills" / "pdf"
    directory.mkdir(parents=True)
    (top / ".git").mkdir()
    (directory / "SKILL.md").write_text("---\nname: pdf\ndescription: Fills in forms.\n---\nText\n", "utf-8")
    (directory / "large.txt").write_bytes(b"x" * (8 << 20))
    with Preview(top, home=top.parent) as started:
        yield started


Connected = Callable[[bytes], socket.socket]


@pytest.fixture
def connected(preview: Preview) -> Iterator[Connected]:
    """Make a connection on which something is sent, and nothing read; its buffer is small."""
    with ExitStack() as made:

        def connect(sent: bytes) -> socket.socket:
            connection = made.enter_context(socket.socket())
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.settimeout(PATIENCE)
            connection.connect(("127.0.0.1", preview.port))
            connection.sendall(sent)
            return connection

        yield connect


def head(preview: Preview, path: str, *more: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{preview.port}", *more, "", ""]
    return "\r\n".join(lines).encode()


def answer(made: socket.socket) -> bytes:
    """Return all that comes until the server ends the connection."""
    received = b""
    try:
        while more := made.recv(65_536):
            received += more
    except ConnectionResetError:
        pass
    return received


def test_many_that_do_not_read_keep_nobody_waiting(preview: Preview, connected: Connected) -> None:
    """The newest of those who ask for a skill comes next, and the oldest are told to come again."""
    ((_, address),) = preview.skills().items()
    name = address.rpartition("/")[2]
    for number in range(MANY):
        connected(head(preview, f"{address}?args={number}"))
        connected(head(preview, f"/file/{name}/large.txt"))
        connected(head(preview, "/events"))
    assert "pdf" in preview.page(address)
    assert "pdf" in preview.page("/")


def test_a_request_that_never_ends_is_ended(preview: Preview, connected: Connected) -> None:
    """Nor does one get more time that comes a byte at a time."""
    slow = [connected(b""), connected(b"GET / HT"), connected(head(preview, "/")[:-2])]
    assert "pdf" in preview.page("/")
    slowest = connected(b"")
    sent = 0
    with suppress(BrokenPipeError, ConnectionResetError):
        while sent < 3 * HEAD_SECONDS:
            sent += slowest.send(b"G")
            select.select([slowest], [], [], 1)
    assert sent < 2 * HEAD_SECONDS
    assert [answer(made) for made in slow] == [b"", b"", b""]


def test_more_connections_than_are_kept(preview: Preview, connected: Connected) -> None:
    """The oldest on which nothing is asked go first: somebody who comes later is answered."""
    open_ = [connected(b"") for _ in range(MOST_CONNECTIONS + 20)]
    assert "pdf" in preview.page("/")
    assert answer(open_[0]) == b""


def test_more_streams_than_are_kept(preview: Preview, connected: Connected) -> None:
    open_ = [connected(head(preview, "/events")) for _ in range(MOST_STREAMS + 1)]
    assert answer(open_[0]).endswith(b"\r\n0\r\n\r\n")
    assert b"200" in open_[-1].recv(65_536)


@pytest.mark.parametrize(
    ("more", "status"),
    [
        (f"X-Large: {'x' * 1_000_000}", b"400"),
        ("Content-Length: 1000000000", b"413"),
        ("Transfer-Encoding: chunked", b"413"),
    ],
)
def test_too_much_is_refused(preview: Preview, connected: Connected, more: str, status: bytes) -> None:
    connection = connected(b"")
    with suppress(BrokenPipeError, ConnectionResetError):
        connection.sendall(head(preview, "/", more))
    # A connection that is ended with something unread may lose the answer.
    assert answer(connection)[9:12] in {status, b""}
    assert "pdf" in preview.page("/")
