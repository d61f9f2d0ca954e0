"""A busy machine changes nothing: limits count the work of a process, and how long it was blocked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from skilltool.bounds import clock
from skilltool.bounds.budget import Allowance, Budget, OverBudgetError
from skilltool.bounds.pool import Shards, Task, WorkerPool
from tests.bounds.test_crew import work
from tests.conftest import Skilltool

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells what another process works")


@contextmanager
def busy_machine(processes: int = 20) -> Iterator[None]:
    """Let so many processes work beside the test."""
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for each in busy:
            each.kill()
            each.wait()


def work_and_say(directories: list[str]) -> Iterator[str]:
    for directory in directories:
        work(0.3)
        yield directory


def read_pipe(path: str) -> str:
    return Path(path).read_text("utf-8")


@pytest.mark.slow
def test_work_beside_other_work_is_given_up_by_no_limit(tmp_path: Path) -> None:
    names = [tmp_path / str(number) for number in range(4)]
    began = time.monotonic()
    with busy_machine(), WorkerPool(Allowance(Budget(seconds=0.6, in_all=0.6, share=0.5))) as pool:
        pool.call(tmp_path, work, 0.4)
        shards = Shards(pool, names, lambda found: Task(work_and_say, ([str(each) for each in found],)))
        assert [str(each.result) for each in shards.results(2)] == [str(each) for each in names]
    assert time.monotonic() - began > 1.6  # by wall time each would have been over its limit
    assert pool.allowance.ended == {}


@pytest.mark.slow
def test_who_waits_for_a_file_for_ever_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "BLOCKED", 1.5)
    os.mkfifo(tmp_path / "pipe")
    with WorkerPool() as pool, pytest.raises(OverBudgetError) as given_up:
        pool.call(tmp_path, read_pipe, str(tmp_path / "pipe"))
    assert given_up.value.with_way_out == "was stopped: it waited for a file for 1.5 seconds"


def test_who_works_all_the_time_is_not_blocked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "BLOCKED", 0.2)
    monkeypatch.setattr(clock, "_TICK", 0.05)
    with WorkerPool() as pool:
        pool.call(tmp_path, work, 0.5)


@pytest.mark.slow
def test_lint_says_the_same_on_a_busy_machine(skilltool: Skilltool) -> None:
    examples = Path(__file__).parents[2] / "examples"
    arguments = ("lint", "--no-cache", "--time-limit", "2", "--runtime", "all", str(examples))
    quiet = skilltool(*arguments)
    with busy_machine():
        busy = skilltool(*arguments)
    assert (busy.returncode, busy.stdout, busy.stderr) == (quiet.returncode, quiet.stdout, quiet.stderr)
