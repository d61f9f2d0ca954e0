"""Runs the tests on a changed copy of the code, those first that most likely notice."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
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
    "emulation": ("cli", "runtimes"),
}
# Rooms whose code runs in processes that answer several tests: only the first one is known to execute it.
_SERVERS = ("preview", "server", "registry")
_FIRST = 60  # tests that execute a change and are tried before the rest
_MOST = 400
_SECONDS = 600  # of the processor, for each process of one run; a change after which it needs more is noticed


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
    for path in every_test(top):
        near = path.split("/")[1]
        shown = _words(Path(path).stem) | (_words(near) if room in _CLI else set())  # or in a room
        shares = near in (room, *_words(below)) and not words.isdisjoint(shown)
        if shares or dotted.search((top / path).read_text("utf-8")):
            groups[0].append(path)
        else:
            groups[1 if near == room else 2 if near in _OUTER.get(room, _CLI) else 3].append(path)
    return groups


def _words(path: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall("[a-z0-9]{2,}", path)}


def noticed_by(
    top: Path, module: Path, near: bool = False, workers: int = 2, reached: Sequence[str] | None = None
) -> str | None:
    """Return the test that fails first, or why the tests ended; None if all pass.

    Where the tests are known that execute the change these are tried, the quickest of each function first,
    and files that name the module; `near` leaves out those that take seconds each, and of very many the
    last. Else all are tried, with `near` only those of the room and of commands.
    """
    environment = os.environ if near else {**os.environ, "SLOW": "1"}
    groups = ordered(top, module)
    of_room = [*groups[0], *groups[1]]
    if reached is not None:
        tests = _by_function(reached)[: _MOST if near else None]
        if tests and (failure := _failure(top, tests[:_FIRST], 1, _SECONDS // 15, environment)):
            return failure
        served = module.relative_to(top / "skilltool").parts[0] in _SERVERS
        groups = [tests[_FIRST:], of_room if served else groups[0]]
        of_room = [] if near else of_room
    elif near:
        groups = groups[:3]
    for tests in groups:
        if tests and (failure := _failure(top, tests, workers, environment=environment)):
            return failure
    full = {**os.environ, "FULL": "1"}
    return _failure(top, of_room, workers, environment=full) if of_room else None


def _by_function(tests: Sequence[str]) -> list[str]:
    """Return tests in an order that begins with one of each function, then the second of each, and so on."""
    seen: Counter[str] = Counter()
    turns = []
    for test in tests:
        function = test.partition("[")[0]
        turns.append(seen[function])
        seen[function] += 1
    return [test for _, test in sorted(zip(turns, tests, strict=True), key=lambda each: each[0])]


def run_tests(
    top: Path,
    tests: Sequence[str],
    workers: int,
    environment: Mapping[str, str],
    *options: str,
    seconds: int | None = None,
) -> subprocess.CompletedProcess[bytes]:
    """Run test files, or single tests, on the code under `top`, in processes of at most so many seconds."""
    spread = ["-n", str(workers), "--dist", "loadfile"] if workers > 1 and len(tests) > 1 else []
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as named:  # they may be thousands
        named.writelines(f"{test}\n" for test in tests)
        named.flush()
        pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *spread, *options]
        paths = {"PYTHONPATH": str(top), "PYTHONDONTWRITEBYTECODE": "1", "CI": "", "HYPOTHESIS_DATABASE": ""}
        paths["APART"] = "1"  # so that each case is known by what it executes
        return subprocess.run(
            [*_without_privileges(), *pytest, f"@{named.name}"],
            cwd=top,
            env={**environment, **paths},
            capture_output=True,
            preexec_fn=partial(_limit, seconds),
            check=False,
        )


def _limit(seconds: int | None) -> None:
    if seconds is not None and sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def every_test(top: Path) -> list[str]:
    """Return the test files that may notice a change, relative to `top`."""
    files = (file.relative_to(top).as_posix() for file in sorted((top / "tests").rglob("test_*.py")))
    return [file for file in files if not file.startswith(_LEFT_OUT)]


def _without_privileges() -> list[str]:
    """Return what runs a command so that permissions hold for root, too; else tests of them are skipped."""
    if sys.platform != "linux" or os.geteuid() != 0 or shutil.which("setpriv") is None:
        return []
    lost = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={lost}", f"--inh-caps={lost}"]


def _failure(
    top: Path,
    tests: Sequence[str],
    workers: int,
    seconds: int = _SECONDS,
    environment: Mapping[str, str] = os.environ,
) -> str | None:
    """Return the test that fails, also when it is tried again: on a machine with other work some do once."""
    passed: list[str] = []
    while True:
        left_out = [f"--deselect={each}" for each in passed]
        done = run_tests(top, tests, workers, environment, "-x", *left_out, seconds=seconds)
        if done.returncode in (0, 5):  # passed, or no test is for this system
            return None
        if done.returncode == 4 and any("::" in each for each in tests):  # a test that has another name now
            files = sorted({each.partition("::")[0] for each in tests})
            return _failure(top, files, workers, seconds, environment)
        failed = failures(done)[:1]
        if not failed and done.returncode != 1:
            return f"pytest ended with {done.returncode}"
        again = failed or tests
        if run_tests(top, again, 1, environment, "-x", seconds=seconds).returncode not in (0, 5):
            return failed[0] if failed else "pytest ended with 1"
        if not failed:
            return None
        passed += failed


def failures(done: subprocess.CompletedProcess[bytes]) -> list[str]:
    """Return the tests that pytest's summary calls failed, in its order."""
    summary = done.stdout.decode("utf-8", "replace")
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", summary, re.M)
