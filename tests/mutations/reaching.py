"""Which tests execute the code of each change? All are run once on a copy that writes it down.

`pytest -p tests.mutations.reaching` also writes down how long each test takes.
"""

from __future__ import annotations

import ast
import os
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from tests.mutations.drawing import Mutation
from tests.mutations.trying import every_test, failures, run_tests

_LOG = "MUTATIONS_LOG"  # the variable that names the file: a number or seconds, a tab, a test
# A builtin, since it is called in every module; it works in processes that a test starts, too.
_PROBE = b"""

import builtins, os


def _reached(number, seen=set()):
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test and (number, test) not in seen:
        seen.add((number, test))
        try:
            log = os.open(os.environ["MUTATIONS_LOG"], os.O_WRONLY | os.O_APPEND)
            os.write(log, os.fsencode(f"{number}\\t{test}\\n"))
            os.close(log)
        except (KeyError, OSError):
            pass


builtins._reached = _reached
"""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write down the seconds that a part of a test took."""
    if os.environ.get(_LOG):
        with Path(os.environ[_LOG]).open("a", encoding="utf-8", errors="surrogateescape") as log:
            log.write(f"{report.duration:.3f}\t{report.nodeid}\n")


def reaching(top: Path, drawn: Sequence[Mutation], workers: int) -> list[list[str] | None]:
    """Return for each change the tests that execute it, the quickest first; None if that cannot be known.

    It cannot be for what is executed once and then kept: a module, and what a cache keeps. Raises
    `SystemExit` if tests fail although nothing is changed.
    """
    sources = {change.file: change.file.read_bytes() for change in drawn}
    package = top / "skilltool" / "__init__.py"
    log = top.parent / "reached"
    log.touch()
    probed = [False] * len(drawn)
    try:
        for file, source in sources.items():
            numbers = [number for number, change in enumerate(drawn) if change.file == file]
            file.write_bytes(_with_probes(source, drawn, numbers, probed))
        original = package.read_bytes()
        package.write_bytes(original + _PROBE)
        sources[package] = sources.get(package, original)
        environment = {**os.environ, _LOG: str(log), "SLOW": "1"}
        done = run_tests(top, every_test(top), workers, environment, "-p", "tests.mutations.reaching")
    finally:
        for file, source in sources.items():
            file.write_bytes(source)
    _stop_if_failing(top, done)
    found = _read(log)
    return [found.get(number, []) if known else None for number, known in enumerate(probed)]


def _stop_if_failing(top: Path, done: subprocess.CompletedProcess[bytes]) -> None:
    """Raise `SystemExit` if tests fail that nothing was changed for: they would notice every change."""
    if done.returncode == 0:
        return
    failed = failures(done)
    if not failed or run_tests(top, failed, 1, os.environ).returncode != 0:
        last = done.stdout.decode("utf-8", "replace")[-2_000:]
        raise SystemExit(f"{last}\nThe tests fail before anything is changed: {', '.join(failed)}")


def _with_probes(
    source: bytes, drawn: Sequence[Mutation], numbers: Sequence[int], probed: list[bool]
) -> bytes:
    """Return a module in which each of the changes is preceded by a probe, where that is possible."""
    lasting = _lasting_lines(source)
    inserted: list[tuple[int, bytes]] = []
    for number in numbers:
        change = drawn[number]
        more = [*inserted, (change.start, f"(_reached({number}) or (".encode()), (change.end, b"))")]
        probed[number] = change.line not in lasting and _compiles(_inserted(source, more))
        inserted = more if probed[number] else inserted
    return _inserted(source, inserted)


def _inserted(source: bytes, inserted: Sequence[tuple[int, bytes]]) -> bytes:
    for at, text in sorted(inserted, key=lambda each: each[0], reverse=True):
        source = source[:at] + text + source[at:]
    return source


def _compiles(source: bytes) -> bool:
    try:
        compile(source, "changed", "exec")
    except (SyntaxError, ValueError):
        return False
    return True


def _lasting_lines(source: bytes) -> set[int]:
    """Return the lines of a module that are in no function, or in one whose results are kept."""
    functions = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    bodies = {n: range(n.body[0].lineno, (n.end_lineno or n.lineno) + 1) for n in functions}
    every = set(range(1, source.count(b"\n") + 2))
    often = {line for lines in bodies.values() for line in lines}
    kept = {
        line
        for function, lines in bodies.items()
        for line in lines
        if any("cache" in ast.unparse(each) for each in function.decorator_list)
    }
    return every - often | kept


def _read(log: Path) -> Mapping[int, list[str]]:
    seconds: dict[str, float] = defaultdict(float)
    found: dict[int, set[str]] = defaultdict(set)
    for line in log.read_text("utf-8", "surrogateescape").splitlines():
        what, _, test = line.partition("\t")
        if "." in what:
            seconds[test] += float(what)
        else:
            found[int(what)].add(test)
    return {
        number: sorted((each for each in tests if each in seconds), key=lambda each: (seconds[each], each))
        for number, tests in found.items()
    }
