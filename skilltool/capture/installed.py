"""Which clients are installed here, and in which version?"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from skilltool import runtimes
from skilltool.capture import run
from skilltool.capture.client import Client
from skilltool.explain.captured import version_beside
from skilltool.text.lazy_pattern import lazy_pattern

_VERSION = lazy_pattern(r"\b\d+\.\d+\.\d+(?:[-+.][0-9A-Za-z.-]+)?")
_SECONDS = 30.0


class Installed(NamedTuple):
    """A client, its program (None if it is not on PATH) and its version, None if that is not known.

    `why` says more of a program that is not there.
    """

    client: Client
    program: Path | None
    version: str | None
    why: str | None = None


def find(client: Client, program: Path | None = None) -> Installed:
    """Return a client as it is installed here, or another `program` of it.

    The version is that of the package's metadata; where there is none, the program is asked, in a home
    directory of its own.
    """
    if program is None:
        found = next((path for name in client.programs if (path := shutil.which(name))), None)
        if found is None:
            return Installed(client, None, None)
        program = Path(found)
    return Installed(client, program, version_beside(program, client.package) or _asked(client, program))


def find_library(client: Client, python: Path | None) -> Installed:
    """Return a library as it is installed for a Python; its version is that of its metadata."""
    if python is None:
        return Installed(client, None, None, "it is a library")
    if not python.is_file():
        return Installed(client, None, None, f"{python}: no such file")
    version = version_beside(python, client.package) or _asked_python(client, python)
    if version is None:
        return Installed(client, None, None, f"{python} has no package {client.package}")
    return Installed(client, python, version)


def edition(client_id: str) -> str:
    """Return the version that our profile of a client was measured with; empty if there is none."""
    names = [name for name in runtimes.IDS if name.startswith(f"{client_id}@")]
    return names[-1].partition("@")[2] if names else ""


def _asked_python(client: Client, python: Path) -> str | None:
    """Return the version that a Python knows of the package, wherever it has it."""
    code = f"from importlib.metadata import version; print(version({client.package!r}))"
    return _printed(client, [str(python), "-I", "-c", code])


def _asked(client: Client, program: Path) -> str | None:
    return _printed(client, [str(program), "--version"])


def _printed(client: Client, argv: list[str]) -> str | None:
    """Return the version that a command prints, in a home directory of its own; None if it prints none."""
    with run.private_place() as place:
        asked = run.job(client, argv, place, run.NOTHING)
        asked = asked._replace(argv=argv, seconds=_SECONDS, first=_SECONDS)
        outcome = run.start(asked)
    if outcome.status != 0:
        return None
    match = _VERSION.search(outcome.stdout) or _VERSION.search(outcome.stderr)
    return match[0] if match else None
