"""Calls git, and is the only module that does: a stranger's repository can configure programs.

What runs programs is switched off, and so are prompts, pagers, locks and the network. A repository of another
owner stays refused, as `safe.directory` has it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO, Any

_SECONDS = 20.0
_SECONDS_TO_CLONE = 600.0
_MAX_BYTES = 64 * 1024 * 1024
_MAX_REASON = 2_000
# Settings that win over those of the repository. The first line concerns every command, the others those that
# talk to a server or show differences: none is called, and a later git may call one where this one does not.
_ALWAYS = ("core.fsmonitor=false", f"core.hooksPath={os.devnull}", "core.pager=cat")
_READING = (
    *("core.sshCommand=false", "core.askPass=false", "core.gitProxy=false", "core.editor=false"),
    *("core.alternateRefsCommand=false", "credential.helper=", "protocol.allow=never", "diff.external=false"),
    *("gpg.program=false", "gc.auto=0", "maintenance.auto=false", "safe.bareRepository=explicit"),
)
_BATCHES = ("--batch", "--batch-check")  # apply no filter to what they read
# Variables that choose among the user's own files; all other `GIT_*` could name another repository or index.
_OF_USER = ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_SYSTEM")
# Those by which a user reaches a server.
_OF_NETWORK = ("GIT_ASKPASS", "GIT_EXEC_PATH", "GIT_HTTP_", "GIT_PROXY_", "GIT_SSH", "GIT_SSL_")


class GitError(Exception):
    """Git is not installed, refused, took too long or printed too much; the text is one line."""


class NotInstalledError(GitError):
    """There is no git on the search path."""


def read(repository: Path, command: str, *arguments: str, given: bytes = b"") -> bytes:
    """Return what a git command prints that reads the repository whose root is the directory `repository`.

    Only a repository at that directory counts, none above it. Blobs are read by `cat-file`, which applies no
    filter; `show`, `diff` and `status` can run programs. `given` is its standard input. Raises `GitError`.
    """
    filters = command == "cat-file" and any(
        each.startswith("--") and each not in _BATCHES for each in arguments
    )
    if filters or command not in ("cat-file", "ls-files"):
        raise ValueError(f"git {command} may run programs")
    offline = {
        "GIT_ALLOW_PROTOCOL": "none",  # wins over `protocol.ext.allow`, which a missing object could reach
        "GIT_CEILING_DIRECTORIES": os.fspath(repository.parent),
        "GIT_NO_LAZY_FETCH": "1",
    }
    call = ["--no-pager", command, *arguments]
    return _run(call, repository, (*_ALWAYS, *_READING), offline, _SECONDS, given)


def clone(address: str, target: Path) -> None:
    """Clone the newest commit of a repository to `target`, with the user's own keys. Raises `GitError`."""
    arguments = ["clone", "--quiet", "--depth", "1", "--", address, os.fspath(target)]
    alone = {"GIT_CEILING_DIRECTORIES": os.fspath(target.parent.parent)}
    _run(arguments, target.parent, _ALWAYS, alone | _variables(_OF_NETWORK), _SECONDS_TO_CLONE)


def _variables(prefixes: tuple[str, ...]) -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(prefixes)}


def _environment() -> dict[str, str]:
    """Return the variables of this process, without those that choose a repository, and without prompts."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**plain, **_variables(_OF_USER), "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


def _program() -> str:
    """Return where git is; one that is found relative to the working directory is not the user's."""
    import shutil

    program = shutil.which("git")
    if program is None or not Path(program).is_absolute():
        raise NotInstalledError("git is not installed")
    return program


def _run(
    arguments: list[str],
    directory: Path,
    settings: tuple[str, ...],
    more: dict[str, str],
    seconds: float,
    given: bytes = b"",
) -> bytes:
    from tempfile import TemporaryFile
    from threading import Timer

    command = [_program(), *(word for setting in settings for word in ("-c", setting)), *arguments]
    with TemporaryFile() as errors, TemporaryFile() as source:
        source.write(given)
        source.seek(0)
        process = _started(command, directory, _environment() | more, source, errors)
        timer = Timer(seconds, process.kill)
        timer.daemon = True  # a run that is interrupted does not wait for it
        try:
            timer.start()
            printed: bytes = process.stdout.read(_MAX_BYTES + 1)
            if len(printed) > _MAX_BYTES:
                raise GitError("git prints too much")
            status = process.wait()
            if timer.finished.is_set():
                raise GitError(f"git takes longer than {seconds:.0f} seconds")
        finally:
            timer.cancel()
            process.kill()  # nothing if it has ended
            process.stdout.close()
            process.wait()
        errors.seek(0)
        reason = " ".join(errors.read(_MAX_REASON).decode("utf-8", "replace").split())
    if status != 0:
        raise GitError(reason or f"git ended with status {status}")
    return printed


def _started(
    command: list[str], directory: Path, environment: dict[str, str], source: IO[bytes], errors: IO[bytes]
) -> Any:
    import subprocess

    streams = {"stdin": source, "stdout": subprocess.PIPE, "stderr": errors}
    try:
        return subprocess.Popen(command, cwd=directory, env=environment, **streams)  # type: ignore[call-overload]
    except (OSError, ValueError) as error:
        raise GitError(f"git does not start: {error}") from None
