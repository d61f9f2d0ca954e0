"""Real processes in the place of clients: each protocol, and each way in which one can fail."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from skilltool.capture import run
from skilltool.capture.client import Client, Listing, Place, Start
from skilltool.capture.compare import read
from skilltool.capture.inside import EXITED, MISSING, SILENT, Job, Outcome
from skilltool.capture.problems import problem
from skilltool.capture.protocols import Call
from tests.support import fake_client
from tests.support.fake_client import HEADING, TOOL

PROGRAM = [sys.executable, "-IS", str(Path(fake_client.__file__))]
LISTING = Listing(HEADING, fake_client.END, r"^- (?P<key>.*)$")
CLIENT = Client(
    "fake",
    (),
    "fake",
    ("skills", "skills"),
    lambda place, prompt: Start((), {"BASE": "{base}"}),
    LISTING,
    TOOL,
)
SKILLS = {"one": "First é.\n", "two": "Second.\n"}


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    with run.private_place(tmp_path) as made:
        for name, text in SKILLS.items():
            (made.project / "skills" / name).mkdir(parents=True)
            (made.project / "skills" / name / "SKILL.md").write_text(text, "utf-8")
        yield made
    assert not made.home.exists()


def job(place: Place, *arguments: str, calls: Sequence[str] = (), **changed: float) -> Job:
    calls_made = tuple(Call(TOOL, {"name": name}) for name in calls)
    plan = run.NOTHING._replace(prompt="hello", keys=tuple(calls), calls=calls_made)
    made = run.job(CLIENT, [*PROGRAM, *arguments], place, plan, seconds=20)
    return made._replace(**changed) if changed else made


@pytest.mark.parametrize("stream", [(), ("stream",)], ids=["plain", "stream"])
@pytest.mark.parametrize("protocol", fake_client.PATHS)
def test_each_protocol_lists_and_loads(place: Place, protocol: str, stream: tuple[str, ...]) -> None:
    called = ("two", "gone", "one")
    outcome = run.start(job(place, protocol, *stream, calls=called))
    assert (outcome.how, outcome.status, outcome.stderr) == (EXITED, 0, "")
    assert len(outcome.requests) == 2
    captured = read(CLIENT, place, outcome.requests, called)
    assert captured.listing == f"{HEADING}\n- one\n- two\n{fake_client.END}"
    assert captured.tool is not None
    assert captured.results == {"two": SKILLS["two"], "gone": "no skill gone", "one": SKILLS["one"]}


def test_without_calls_there_is_one_request(place: Place) -> None:
    outcome = run.start(job(place, "chat"))
    assert len(outcome.requests) == 1
    captured = read(CLIENT, place, outcome.requests, ())
    assert captured.listing == f"{HEADING}\n- one\n- two\n{fake_client.END}"
    assert captured.where == "messages[0] role=system block 0"
    assert captured.results == {}


FAILURES = {
    "login": "asks for a login: `You are not logged in. Run /login first.`",
    "licence": "asks to accept its licence: `Please accept the license agreement to go on [y/N]`",
    "terminal": "needs a terminal: `Error: Raw mode is not supported on the current process.stdin`",
    "crash": "exited with status 1 before its first request: `Segmentation fault`",
    "no-listing": "sent 1 request to its model, but none contains a list of skills",
}


@pytest.mark.parametrize("kind", FAILURES)
def test_a_client_that_fails_gives_one_sentence(place: Place, kind: str) -> None:
    made = job(place, kind)
    outcome = run.start(made)
    assert problem(outcome, made, has_listing=False) == FAILURES[kind]
    assert problem(outcome, made, has_listing=True) is None


def test_a_client_that_hangs_is_ended(place: Place) -> None:
    made = job(place, "hang", first=0.3)
    outcome = run.start(made)
    assert outcome.how == SILENT
    assert problem(outcome, made, has_listing=False) == "sent no request within 0.3 seconds and was killed"


def test_a_program_that_is_not_there(place: Place) -> None:
    made = job(place)._replace(argv=["/nowhere/client"])
    outcome = run.start(made)
    assert outcome.how == MISSING
    assert (
        problem(outcome, made, has_listing=False)
        == "cannot be started: /nowhere/client: No such file or directory"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_daemons_are_found_and_ended(place: Place) -> None:
    outcome = run.start(job(place, "daemon"))
    assert len(outcome.requests) == 1
    assert outcome.left != []
    assert sleeping() == []


def sleeping() -> list[str]:
    """The processes of `leave_daemons` that are still there."""
    found = []
    for entry in os.listdir("/proc"):
        try:
            command = Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
            state = Path(f"/proc/{entry}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except OSError:
            continue
        if fake_client.SLEEP.encode() in command and state != "Z":
            found.append(entry)
    return found


def test_in_a_namespace_nothing_else_can_be_reached(place: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        made = job(place, "reach", str(server.getsockname()[1]))
        outcome: Outcome = run.start(made)
        if not outcome.isolated:
            pytest.skip("this system allows no network namespace")
        assert "ConnectionRefusedError" in outcome.stderr
        assert run.start(made._replace(isolate=False)).status == 0


def test_the_environment_has_nothing_of_ours(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "https_proxy", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "secret")
    made = job(place)
    assert "secret" not in made.env.values()
    assert made.env["HOME"] == str(place.home)
