"""Starts a client in directories of its own, and returns what it sent."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.capture import inside, probes
from skilltool.capture.client import Client, Place
from skilltool.capture.compare import Captured, Comparison, compare, read
from skilltool.capture.inside import Job, Outcome
from skilltool.capture.protocols import Call
from skilltool.errors import SkilltoolError
from skilltool.runtimes.base import Session

FIRST_REQUEST, IDLE, SECONDS = 60.0, 20.0, 180.0
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TZ")
_HEAD = "ref: refs/heads/main\n"


class Plan(NamedTuple):
    """What is asked of a client: its prompt, and the calls of tools with the keys of their skills."""

    prompt: str
    keys: tuple[str, ...]
    calls: tuple[Call, ...]


@contextmanager
def private_place(parent: Path | None = None) -> Iterator[Place]:
    """Make a home directory and a project, a repository, and delete them at the end.

    They are in `parent`, else in the temporary directory.
    """
    if parent is not None:
        parent.mkdir(parents=True, exist_ok=True)
    top = Path(tempfile.mkdtemp(prefix="capture-", dir=parent)).resolve()
    place = Place(top / "home", top / "project")
    try:
        place.home.mkdir()
        for name in ("objects", "refs"):
            (place.project / ".git" / name).mkdir(parents=True)
        (place.project / ".git" / "HEAD").write_text(_HEAD, "ascii")
        yield place
    finally:
        inside.end(None, str(place.home))
        shutil.rmtree(top, ignore_errors=True)


def lay_probes(client: Client, place: Place) -> None:
    """Write the probes where the client looks for skills; raises OSError."""
    probes.lay(probes.probes(), *(top / path for top, path in zip((place.project, place.home), client.skills, strict=True)))


def write_files(client: Client, place: Place) -> None:
    """Write the client's settings into the private home directory; raises OSError."""
    for path, text in client.start(place, "").files.items():
        file = place.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def open_session(client: Client, place: Place) -> Session:
    """Open our session of the same directories and settings."""
    return runtimes.get(client.id).open(place.project, place.home, client.settings)


def plan(client: Client, place: Place, with_calls: bool) -> Plan:
    """Return what to ask of the client: to list its skills, and with calls to load each of them."""
    session = open_session(client, place)
    if not with_calls:
        return Plan(client.prompt([]) or "hello", (), ())
    made = client.calls(session)
    prompt = client.prompt(session.skills)
    keys = tuple(key for key, _ in made) or tuple(skill.key for skill in session.skills)
    return Plan(prompt or "hello", keys, tuple(call for _, call in made))


def job(
    client: Client, program: Sequence[str], place: Place, asked: Plan, isolate: bool = True, seconds: float = SECONDS
) -> Job:
    """Return the job for the process that starts the client."""
    start = client.start(place, asked.prompt)
    env = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    env |= {
        "HOME": str(place.home),
        "USERPROFILE": str(place.home),
        "TMPDIR": str(place.home.parent),
        "TERM": "dumb",
        "NO_COLOR": "1",
        "DO_NOT_TRACK": "1",
        **start.env,
    }
    files = {str(place.home / path): text for path, text in start.files.items()}
    return Job(
        argv=[*program, *start.arguments],
        env=env,
        cwd=str(place.project),
        home=str(place.home),
        files=files,
        calls=[[call.tool, dict(call.arguments)] for call in asked.calls],
        seconds=seconds,
        first=min(FIRST_REQUEST, seconds),
        idle=IDLE,
        isolate=isolate,
    )


def start(asked: Job) -> Outcome:
    """Run a job in a process of its own; raises `SkilltoolError` if that process fails."""
    command = [sys.executable, "-c", _FRAME, json.dumps(sys.path)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, encoding="utf-8"
    )
    try:
        written, _ = process.communicate(json.dumps(asked._asdict()), timeout=asked.seconds + 60)
        answer: dict[str, Any] = json.loads(written)
    except (ValueError, subprocess.TimeoutExpired):
        raise SkilltoolError("the process that starts the client failed") from None
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()
        inside.end(None, asked.home)
    if "problem" in answer:
        if asked.isolate:  # a namespace without a working loopback interface
            return start(asked._replace(isolate=False))
        raise SkilltoolError(str(answer["problem"]))
    return Outcome(**answer)


_FRAME = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from skilltool.capture.inside import main; main()"


def compared(
    client: Client, place: Place, asked: Plan, requests: Sequence[Sequence[str]]
) -> tuple[Captured, Comparison]:
    """Return what the requests have of skills, compared with our session of the same directories."""
    captured = read(client, place, requests, asked.keys)
    session = open_session(client, place)
    return captured, compare(client, place, session, captured, asked.keys, asked.prompt)


def environment_names(asked: Job) -> list[str]:
    """Return the names of the variables that the client gets."""
    return sorted(asked.env)


def shown_command(asked: Job) -> Mapping[str, Any]:
    """Return the command for people, as arguments."""
    return {"argv": list(asked.argv), "cwd": asked.cwd}
