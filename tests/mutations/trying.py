"""Runs the tests on a changed copy of the code, those first that most likely notice."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

# Of no use here: they compare files of the repository, try all of a long list, or fuzz for the sake of it.
_LEFT_OUT = ("tests/mutations", "tests/fuzz", "tests/project/test_packaging.py", "tests/project/test_docs.py")
# Rooms whose tests are about another room, too: commands, and for rules the fixes of what they report.
_CLI = ("cli",)
_OUTER = {
    "rules": ("cli", "fix"),
    "text": ("cli", "fix"),
    "findings": ("cli", "report"),
    "files": ("cli", "skill"),
}
_SECONDS = 1200.0  # for one run; a change after which the tests do not end is noticed


def ordered(top: Path, module: Path) -> list[list[str]]:
    """Return test files for a module of skilltool, relative to `top`: four groups, the likeliest first.

    Those that name the module or share a word with its path, those of its room, of rooms that show what it
    does, the rest.
    """
    inside = module.relative_to(top / "skilltool").with_suffix("").as_posix()
    room, _, below = inside.partition("/")
    words = _words(below)
    dotted = re.compile(rf"\bskilltool\.{re.escape(inside.replace('/', '.'))}\b")
    groups: list[list[str]] = [[], [], [], []]
    for file in sorted((top / "tests").rglob("test_*.py")):
        path = file.relative_to(top).as_posix()
        if path.startswith(_LEFT_OUT):
            continue
        near = path.split("/")[1]
        shown = _words(file.stem) | (_words(near) if room in _CLI else set())  # or in a room
        shares = near in (room, *_words(below)) and not words.isdisjoint(shown)
        if shares or dotted.search(file.read_text("utf-8")):
            groups[0].append(path)
        else:
            groups[1 if near == room else 2 if near in _OUTER.get(room, _CLI) else 3].append(path)
    return groups


def _words(path: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall("[a-z0-9]{2,}", path)}


def noticed_by(top: Path, module: Path, near: bool = False, workers: int = 2) -> str | None:
    """Return the test that fails first, or why the tests ended; None if all pass.

    With `near` only the tests that name the module, those of its room and those of commands are run. Last
    come the tests of the room that take seconds each.
    """
    groups = ordered(top, module)
    for files in groups[: 3 if near else 4]:
        if files and (failure := _failure(top, files, workers)):
            return failure
    of_room = [*groups[0], *groups[1]]
    return _failure(top, of_room, workers, {**os.environ, "FULL": "1"}) if of_room else None


def _without_privileges() -> list[str]:
    """Return what runs a command so that permissions hold for root, too; else tests of them are skipped."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    lost = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={lost}", f"--inh-caps={lost}"]


def _failure(
    top: Path, files: Sequence[str], workers: int, environment: Mapping[str, str] = os.environ
) -> str | None:
    spread = ["-n", str(workers), "--dist", "loadfile"] if workers > 1 and len(files) > 1 else []
    pytest = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command = [*_without_privileges(), *pytest, *spread, *files]
    paths = {"PYTHONPATH": str(top), "PYTHONDONTWRITEBYTECODE": "1", "CI": "", "HYPOTHESIS_DATABASE": ""}
    try:
        done = subprocess.run(
            command, cwd=top, env={**environment, **paths}, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return "the tests do not end"
    if done.returncode in (0, 5):  # passed, or no test is for this system
        return None
    found = re.search(rb"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return found[1].decode("utf-8", "replace") if found else f"pytest ended with {done.returncode}"
