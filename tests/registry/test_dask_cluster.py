"""A cluster that runs already: a scheduler and a worker, as an operator starts them."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skilltool import __version__
from tests.conftest import MakeSkill, Skilltool, slowest

VERSION = pytest.importorskip("distributed").__version__
pytest.importorskip("rensa")

PATIENCE = 60.0
Start = Callable[..., str]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Start]:
    """A function that starts a scheduler, and a worker that runs some Python first; returns the address.

    So does the scheduler, if it is given some.
    """
    running: list[subprocess.Popen[bytes]] = []

    def dask(*arguments: str) -> Path:
        log = tmp_path / f"{arguments[0]}.log"
        with log.open("wb") as written:
            command = [sys.executable, "-m", "distributed.cli.dask_" + arguments[0], *arguments[1:]]
            running.append(subprocess.Popen(command, stdout=written, stderr=subprocess.STDOUT, cwd=tmp_path))
        return log

    def start(prepared: str, *options: str, scheduler: str = "") -> str:
        (tmp_path / "prepared.py").write_text(prepared, "utf-8")
        (tmp_path / "scheduler.py").write_text(scheduler, "utf-8")
        file = tmp_path / "scheduler.json"
        there = ("--scheduler-file", str(file), "--preload", str(tmp_path / "scheduler.py"))
        dask("scheduler", "--port", "0", "--no-dashboard", *there)
        one = ("--nworkers", "1", "--nthreads", "1", "--no-dashboard", "--scheduler-file", str(file))
        until(lambda: file.exists() and file.stat().st_size > 0, lambda: "no scheduler")
        log = dask("worker", *one, *options, "--preload", str(tmp_path / "prepared.py"))
        until(lambda: "Registered to:" in log.read_text("utf-8"), lambda: log.read_text("utf-8"))
        return str(json.loads(file.read_text("utf-8"))["address"])

    yield start
    for process in running:
        process.kill()
        process.wait()


def until(done: Callable[[], bool], shown: Callable[[], str]) -> None:
    last = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < last, shown()
        time.sleep(0.1)


@slowest
@pytest.mark.parametrize(
    ("prepared", "status", "words"),
    [
        ("", 0, ""),
        ("import sys; sys.modules['skilltool'] = None", 2, "a worker of the cluster cannot run skilltool: "),
        ("import sys; sys.modules['rensa'] = None", 2, f"; install `skilltool[dask]` {__version__} there"),
        (
            "import skilltool; skilltool.__version__ = '0.0.9'",
            2,
            f"has skilltool 0.0.9, but this process has skilltool {__version__}; install the same version",
        ),
        (
            "import distributed; distributed.__version__ = '2024.8.0'",
            2,
            f"has distributed 2024.8.0, but this process has distributed {VERSION}; install the same",
        ),
        (
            # It sleeps as soon as it is at work: nothing in it answers any more.
            "from skilltool.registry import dask_workers; import time\n"
            "dask_workers.versions.__code__ = (lambda: __import__('time').sleep(1e9)).__code__",
            2,
            "a cluster worker did not answer within 30 seconds; kill it\n",
        ),
    ],
    ids=["the same", "no skilltool", "no rensa", "another version", "another distributed", "asleep"],
)
def test_workers_have_what_the_driver_has_or_are_refused(
    cluster: Start,
    skilltool: Skilltool,
    repo: Path,
    make_skill: MakeSkill,
    prepared: str,
    status: int,
    words: str,
) -> None:
    make_skill(repo / "skills" / "a")
    there = ("--executor", "dask", "--scheduler", cluster(prepared))
    run = skilltool("survey", "skills", "--out", "tables", *there)
    assert (run.returncode, words in run.stderr, "internal error" in run.stderr) == (status, True, False), run


WORKERS = "import os; from skilltool.registry import workers; workers.run_shard = "


@slowest
@pytest.mark.parametrize(
    ("prepared", "options", "words"),
    [
        (f"{WORKERS}lambda shard: 'tables'", (), "a worker returned something other than tables"),
        (
            f"import time; {WORKERS}lambda shard: time.sleep(1e9)",
            (),
            "no worker has finished anything in 30 seconds, so one may be hanging; kill it, and run",
        ),
        (f"{WORKERS}lambda shard: 1 / 0", (), "the Dask cluster failed: division by zero; run the command"),
        (
            f"{WORKERS}lambda shard: os._exit(1)",
            ("--no-nanny",),
            "the Dask scheduler has no workers left",
        ),
    ],
    ids=["garbage", "hangs", "an error", "gone"],
)
def test_a_cluster_that_fails_is_one_sentence_and_no_tables(
    cluster: Start,
    skilltool: Skilltool,
    repo: Path,
    make_skill: MakeSkill,
    prepared: str,
    options: tuple[str, ...],
    words: str,
) -> None:
    make_skill(repo / "skills" / "a")
    there = ("--executor", "dask", "--scheduler", cluster(prepared, *options), "--time-limit", "0.1")
    run = skilltool("survey", "skills", "--out", "tables", *there)
    assert run.returncode == 2
    assert words in run.stderr.splitlines()[-1]
    assert "Traceback" not in run.stderr
    assert "internal error" not in run.stderr
    assert not (repo / "tables" / "skills").exists()


@slowest
def test_a_scheduler_of_another_version_is_one_sentence(
    cluster: Start, skilltool: Skilltool, repo: Path, make_skill: MakeSkill
) -> None:
    """The question of the client for the workers has had arguments since 2024.11."""
    make_skill(repo / "skills" / "a")
    older = (
        "from distributed import Scheduler\n"
        "def identity(self, *, now=Scheduler.identity): return now(self)\n"
        "Scheduler.identity = identity\n"
    )
    there = ("--executor", "dask", "--scheduler", cluster("", scheduler=older))
    run = skilltool("survey", "skills", "--out", "tables", *there)
    assert run.returncode == 2
    assert f"does not understand distributed {VERSION}: " in run.stderr
    assert run.stderr.endswith("; install the same version on both\n")
    assert len(run.stderr.splitlines()) == 1
