"""Which client answers for a skill where nobody says which one is meant, and how does it come to the skill?

The owner of the place where the skill lies, as `lint` finds it. Where no program owns the place, the first of
the leading clients that looks there, else the first of them, told of the skill. Never a specification, nor
one of the design documents' five unless the place is its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.explain.render import parts_of
from skilltool.lint.targets import Audience, of_place
from skilltool.packages.manifest import leading_clients
from skilltool.packages.registration import Setup, setup_beside, setup_of
from skilltool.runtimes.base import Runtime, Session

Open = Callable[[Runtime, Setup | None], Session]


class DefaultClient(NamedTuple):
    """The client that answers for one copy of a skill.

    `directory` is the copy, absolute. `place` is the skills directory or the manifest that makes the client
    the owner, relative to its project, empty where it owns nothing.
    `others` are ids of further clients that look there. `unknown` is the owner, if nobody knows what that
    gives its model, else empty.
    """

    runtime: Runtime
    directory: Path
    place: str = ""
    others: tuple[str, ...] = ()
    unknown: str = ""


def default_client_of(directory: Path) -> DefaultClient:
    """Return who answers for the skill in `directory`, an absolute path."""
    place = of_place(directory.as_posix())
    programs = [runtime for runtime in map(runtimes.get, place.runtimes) if gives_text(runtime)]
    owners = [program for program in programs if program.id in place.owners]
    leading = [runtime for runtime in map(runtimes.get, leading_clients()) if runtime in programs]
    unknown = _unknown_owner(place)
    chosen = [*(runtime for runtime in leading if runtime in owners), *owners]
    if not chosen and not unknown:
        chosen = leading
    runtime = chosen[0] if chosen else runtimes.get(leading_clients()[0])
    others = tuple(program.id for program in programs if program is not runtime)
    reason = "" if place.is_guess else place.reason
    return DefaultClient(runtime, directory, reason, others, unknown if not chosen else "")


def gives_text(runtime: Runtime) -> bool:
    """Return whether a runtime is a program of which it is known what it gives its model."""
    return not (runtime.specification or runtime.ground) and bool(parts_of(runtime))


def _unknown_owner(place: Audience) -> str:
    programs = (client for client in place.clients if client not in place.owners)
    return next(programs, "")


def is_in_no_place(directory: Path) -> bool:
    """Return whether no client looks where a skill lies, as in a library or in a copy of `~/.claude`."""
    place = of_place(directory.as_posix())
    return not place.reason or place.is_guess


def open_for(opened: Open, answering: DefaultClient) -> tuple[Session, Setup]:
    """Open the session of a client that has a copy: as it finds it by itself, else told of it."""
    session = opened(answering.runtime, None)
    if comes_to(session, answering.directory):
        return session, Setup()
    return open_told(opened, answering.runtime, answering.directory)


def open_told(opened: Open, runtime: Runtime, directory: Path) -> tuple[Session, Setup]:
    """Open the session of a client that is told of a copy, which it would not find by itself.

    One that lies deeper in its skills directory than it looks is not found from that project either; then
    the parent directory stands for a skills directory.
    """
    setup = setup_of(runtime, directory)
    session = opened(runtime, setup)
    if setup.project is not None and not comes_to(session, directory):
        beside = setup_beside(runtime, directory)
        if comes_to(nearer := opened(runtime, beside), directory):
            return nearer, beside
    return session, setup


def comes_to(session: Session, directory: Path) -> bool:
    """Return whether a client comes to a copy: it loads it, or says why it does not."""
    real = os.path.realpath(directory)
    return any(path == directory or os.path.realpath(path) == real for path in session.directories)
