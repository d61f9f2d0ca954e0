"""Starts a client in directories of its own, and returns what it sent."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.capture import clients, inside, probes
from skilltool.capture.client import Client, Place
from skilltool.capture.compare import (
    Captured,
    Comparison,
    Expected,
    compare,
    compare_failure,
    expected,
    masked,
    read,
)
from skilltool.capture.inside import Job, Outcome
from skilltool.capture.problems import problem
from skilltool.capture.protocols import Call
from skilltool.errors import SkilltoolError
from skilltool.runtimes.base import Session
from skilltool.runtimes.inline_commands import inline_commands
from skilltool.runtimes.values import Refused
from skilltool.skill import tree
from skilltool.skill.skill_file import FILE_NAME
from skilltool.text.lazy_pattern import lazy_pattern

FIRST_REQUEST, IDLE, SECONDS = 60.0, 60.0, 180.0
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT", "TZ")
_SECONDS_TO_END, _SECONDS_PER_WAIT = 60.0, 0.1
_HEAD = "ref: refs/heads/main\n"


class Plan(NamedTuple):
    """What is asked of a client: its prompt, and the calls of tools with the keys of their skills.

    `expected` is what our session says, before the client has run: it may note in its home what it has used.
    """

    prompt: str
    keys: tuple[str, ...]
    calls: tuple[Call, ...]
    expected: Expected


NOTHING = Plan("", (), (), Expected(None, None, {}, frozenset()))


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
        inside.sweep(str(place.home))
        shutil.rmtree(top, ignore_errors=True)


def skill_directories(client: Client, place: Place) -> tuple[Path, Path]:
    """Return the directories of the project's and of the user's skills."""
    return place.project / client.skills[0], place.home / client.skills[1]


def lay_probes(client: Client, place: Place, crowd: bool = False) -> None:
    """Write the probes where the client looks for skills, or a crowd of them; raises OSError.

    A library that looks in one directory gets those of a project, and one in which a skill that it refuses
    ends the loading of all gets those that our profile loads.
    """
    files = probes.crowd() if crowd else probes.probes()
    if not client.skills[1]:
        files = [each for each in files if each.where == "project"]
    project, user = skill_directories(client, place)
    probes.lay(files, project, user)
    load = runtimes.get(client.id).load
    if client.is_strict and load is not None:
        for folder in list(project.iterdir()):
            if isinstance(load(folder), Refused):
                shutil.rmtree(folder)


def lay_copies(client: Client, place: Place, skills: Sequence[Path]) -> None:
    """Copy skill directories where the client looks for the project's; no link is followed.

    Raises `SkilltoolError` where two have the same name, and OSError.
    """
    top = skill_directories(client, place)[0]
    for skill in skills:
        target = top / skill.name
        if target.exists():
            raise SkilltoolError(f"{skill}: two skill directories have this name; capture them separately")
        target.mkdir(parents=True)
        for path in tree.read(skill).files:
            if (raw := tree.bytes_of(skill / path)) is not None:
                file = target / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(raw)


def commands_in(skills: Sequence[Path], with_calls: bool) -> list[str]:
    """Return, for each skill with something that clients run when they load it, a phrase that names it.

    Servers run when a skill is found already, commands in a body only with calls.
    """
    found = []
    for skill in skills:
        raw = tree.bytes_of(skill / FILE_NAME) or b""
        text = raw.decode("utf-8", "replace")
        command = next(inline_commands(text), None) if with_calls else None
        if (skill / _SERVERS).exists():
            found.append(f"{skill.name} ({_SERVERS})")
        elif command is not None:
            found.append(f"{skill.name} (`{(command['line'] or command['fence'] or '').strip()[:80]}`)")
        elif with_calls and _HOOKS.search(text):
            found.append(f"{skill.name} (hooks)")
    return found


_SERVERS = ".mcp.json"
_HOOKS = lazy_pattern(r"^hooks[ \t]*:", re.MULTILINE)


def write_files(client: Client, place: Place) -> None:
    """Write the client's settings into the private home directory; raises OSError."""
    for path, text in client.start(place, "").files.items():
        file = place.home / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")


def open_session(client: Client, place: Place) -> Session:
    """Open our session of the same directories and settings."""
    runtime = runtimes.get(client.id)
    roots = {"root 1": skill_directories(client, place)[0]} if runtime.any_roots else None
    return runtime.open(place.project, place.home, client.settings, roots)


def plan(client: Client, place: Place, with_calls: bool) -> Plan:
    """Return what to ask of the client: to list its skills, and with calls to load each of them."""
    session = open_session(client, place)
    keys: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    if with_calls:
        made = client.calls(session)
        keys, calls = tuple(key for key, _ in made), tuple(call for _, call in made)
        if client.tool is None and client.answers is not None:  # the prompt calls them
            keys = tuple(skill.key for skill in session.skills)
    prompt = client.prompt(session.skills if with_calls else []) or "hello"
    return Plan(prompt, keys, calls, expected(client, place, session, keys, prompt))


def plan_for(client_id: str, place: Place, with_calls: bool) -> Plan:
    """Return what `plan` does, for a client by its id: for another process."""
    return plan(clients.get(client_id), place, with_calls)


def program_of(client: Client, program: Path | None) -> list[str]:
    """Return the beginning of the command: the program, or for a library Python and what it runs."""
    name = str(program.absolute() if program is not None else client.programs[0])
    return [name, "-I", "-c", client.library] if client.library is not None else [name]


def for_people(made: Job, place: Place) -> list[str]:
    """Return the command of a job, without the private directories and without a whole program."""
    return [
        "..."
        if "\n" in each
        else each.replace(str(place.project), "{project}").replace(str(place.home), "{home}")
        for each in made.argv
    ]


def count_skills(client: Client, place: Place) -> int:
    """Return how many skills were laid."""
    tops = {top for top, below in zip((place.project, place.home), client.skills, strict=True) if below}
    return sum(1 for top in tops for _ in top.rglob(FILE_NAME))


def missing_programs(client: Client) -> list[str]:
    """Return the programs that a client uses, and would otherwise fetch, that are not on PATH."""
    return [name for name in client.needs if shutil.which(name) is None]


def has_budget(client: Client) -> bool:
    """Return whether the client's listing is known to have a limit."""
    return runtimes.get(client.id).budget is not None


def job(
    client: Client,
    program: Sequence[str],
    place: Place,
    asked: Plan,
    isolate: bool = True,
    seconds: float = SECONDS,
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


def start(asked: Job, wait: Callable[[], None] = lambda: None) -> Outcome:
    """Run a job in a process of its own, and call `wait` often; raises `SkilltoolError` if that fails."""
    command = [sys.executable, "-c", _FRAME, json.dumps(sys.path)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, encoding="utf-8"
    )
    try:
        written = _communicate(process, json.dumps(asked._asdict()), asked.seconds + _SECONDS_TO_END, wait)
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
        inside.sweep(asked.home)
    if "problem" in answer:
        if asked.isolate:  # a namespace without a working loopback interface
            return start(asked._replace(isolate=False))
        raise SkilltoolError(str(answer["problem"]))
    return Outcome(**answer)


def _communicate(process: subprocess.Popen[str], given: str, seconds: float, wait: Callable[[], None]) -> str:
    deadline = time.monotonic() + seconds
    unsent: str | None = given
    while True:
        try:
            return process.communicate(unsent, timeout=_SECONDS_PER_WAIT)[0]
        except subprocess.TimeoutExpired:
            unsent = None  # a second call sends the rest
            wait()
            if time.monotonic() > deadline:
                raise


_FRAME = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from skilltool.capture.inside import main
main()
"""


class Answered(NamedTuple):
    """What came of one start: what was captured, how it compares, or why there is nothing to compare."""

    captured: Captured
    comparison: Comparison
    problem: str | None


def compared(client: Client, place: Place, asked: Plan, made: Job, outcome: Outcome) -> Answered:
    """Return what a client's requests have of skills, compared with what our session says of them."""
    captured = read(client, place, outcome.requests, asked.keys)
    failure = asked.expected.failure
    if failure is not None and outcome.how == inside.EXITED and not outcome.requests:
        printed = masked(f"{outcome.stdout}\n{outcome.stderr}", place)
        return Answered(captured, compare_failure(client, failure, printed), None)
    comparison = compare(client, asked.expected, captured, asked.keys)
    has_listing = captured.listing is not None or (asked.expected.listing is None and bool(outcome.requests))
    return Answered(captured, comparison, problem(outcome, made, has_listing))


def compared_for(client_id: str, place: Place, asked: Plan, made: Job, outcome: Outcome) -> Answered:
    """Return what `compared` does, for a client by its id: for another process."""
    return compared(clients.get(client_id), place, asked, made, outcome)
