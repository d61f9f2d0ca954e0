"""What one skill may cost, and how work that costs more is ended, whatever it does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skilltool.bounds import current_skill
from skilltool.bounds.budget import Allowance, Budget, OverBudgetError
from skilltool.bounds.pool import LARGE, Shards, Spawned, Task, WorkerPool, ready
from skilltool.errors import UnknownNameError

SHORT = Budget(seconds=1.0, in_all=2.0, share=0.5, memory=1 << 30)


def search_for_ever() -> None:
    re.match("(a+)+$", "a" * 60 + "b")


def count_for_ever() -> None:
    while True:
        pass


def work(seconds: float) -> None:
    """Use so many seconds of processor time."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def take_memory() -> int:
    return len(bytearray(3 << 30))


def take_some_memory() -> int:
    return len(bytearray(64 << 20))


def die() -> None:
    os._exit(9)


def fail() -> None:
    raise UnknownNameError("rule", "nope", ["note"])


def process_id() -> int:
    return os.getpid()


def write_process_id(path: str) -> None:
    Path(path).write_text(str(os.getpid()), "ascii")


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
def test_the_next_task_goes_to_the_process_that_was_told_to_prepare(tmp_path: Path) -> None:
    with WorkerPool() as pool:
        pool.prepare(write_process_id, str(tmp_path / "id"))
        assert pool.call(tmp_path, process_id) == int((tmp_path / "id").read_text("ascii"))


@pytest.mark.parametrize("function", [die, fail])
def test_a_preparation_that_fails_is_in_nobodys_way(tmp_path: Path, function: Callable[[], object]) -> None:
    with WorkerPool() as pool:
        pool.prepare(function)
        assert pool.call(tmp_path, process_id) != os.getpid()


def on_a_thread(function: Callable[[], None]) -> None:
    """Run a function while this process has a second thread, so that none is forked from it."""
    event = threading.Event()
    thread = threading.Thread(target=event.wait)
    thread.start()
    try:
        function()
    finally:
        event.set()
        thread.join()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (search_for_ever, "took more than 1 second, skilltool's limit for one skill"),
        (count_for_ever, "took more than 1 second, skilltool's limit for one skill"),
        (take_memory, "took more than 1 GiB of memory, skilltool's limit for one skill"),
        (die, "was stopped: its process was killed"),
    ],
)
def test_work_over_the_budget_is_ended_and_the_next_goes_on(
    tmp_path: Path, function: Callable[[], object], reason: str
) -> None:
    with WorkerPool(Allowance(SHORT)) as pool:
        for _ in range(2):
            with pytest.raises(OverBudgetError, match=re.escape(reason)):
                pool.call(tmp_path / "evil", function)
        assert pool.call(tmp_path / "good", process_id) != os.getpid()
        assert pool.allowance.ended == {os.path.realpath(tmp_path / "evil"): reason}


def test_the_check_after_fixes_has_all_its_time_but_for_what_the_fixes_gave_up() -> None:
    allowance = Allowance(SHORT)
    for key in ("fixed", "other", "evil"):
        allowance.spend(key, SHORT.seconds)
    reason = allowance.end("evil")
    assert allowance.left("fixed") <= 0
    allowance.renew()
    assert (allowance.left("fixed"), allowance.left("evil")) == (SHORT.seconds, 0.0)
    assert allowance.ended == {"evil": reason}


def test_errors_reach_the_caller_and_the_process_is_used_again(tmp_path: Path) -> None:
    with WorkerPool(Allowance(SHORT)) as pool:
        first = pool.call(tmp_path, process_id)
        with pytest.raises(Exception, match="unknown rule `nope`; did you mean `note`"):
            pool.call(tmp_path, fail)
        assert pool.call(tmp_path, process_id) == first
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


@pytest.mark.slow
def test_where_no_process_can_be_forked_a_timer_ends_small_skills_and_a_process_large_ones(
    tmp_path: Path,
) -> None:
    def check() -> None:
        (tmp_path / "SKILL.md").write_bytes(b"x")
        with WorkerPool(Allowance(SHORT)) as pool:
            assert pool.call(tmp_path, process_id) == os.getpid()
            with pytest.raises(OverBudgetError, match="took more than 1 second"):
                pool.call(tmp_path, count_for_ever)
        (tmp_path / "SKILL.md").write_bytes(b"x" * (LARGE + 1))
        with WorkerPool(Allowance(Budget(seconds=20.0))) as pool:
            assert pool.call(tmp_path, process_id) != os.getpid()

    on_a_thread(check)


@pytest.mark.slow
def test_a_spawned_process_can_be_ended_in_the_middle(tmp_path: Path) -> None:
    process = Spawned(SHORT)
    process.submit(Task(process_id, (), seconds=30))
    assert ready([process], 30) == [process]
    kind, identity, _ = process.receive() or ("", 0, 0.0)
    assert kind == "done"
    process.submit(Task(search_for_ever, (), seconds=30))
    assert ready([process], 0.5) == []
    process.end()
    with pytest.raises(ProcessLookupError):
        os.kill(identity, 0)


@pytest.mark.parametrize("before", [None, "", "1"])
def test_only_the_spawned_process_is_kept_from_the_working_directory(
    monkeypatch: pytest.MonkeyPatch, before: str | None
) -> None:
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    if before is not None:
        monkeypatch.setenv("PYTHONSAFEPATH", before)
    process = Spawned(SHORT)
    process.submit(Task(os.getenv, ("PYTHONSAFEPATH",), seconds=30))
    assert ready([process], 30) == [process]
    assert process.receive()[:2] == ("done", "1")
    process.end()
    assert os.environ.get("PYTHONSAFEPATH") == before


def read_all(directories: list[Path]) -> dict[str, str | None]:
    """Read as a runtime does that scans a root; `evil` takes for ever, `slow` a second each time."""
    found = {}
    for directory in directories:
        found[directory.name] = current_skill.enter(directory)
        if not found[directory.name] and directory.name.startswith("evil"):
            search_for_ever()
        if not found[directory.name] and directory.name == "slow":
            work(0.7)
    current_skill.leave()
    return found


@pytest.mark.slow
@pytest.mark.parametrize("beside_a_thread", [False, True])
def test_of_many_skills_the_ones_that_take_too_long_are_refused(
    tmp_path: Path, beside_a_thread: bool
) -> None:
    names = ["a", "slow", "b", "slow"] if beside_a_thread else ["a", "evil", "slow", "b", "slow", "evil-2"]

    def check() -> None:
        with WorkerPool(Allowance(SHORT)) as pool:
            found = pool.call_watched(5.0, read_all, [tmp_path / name for name in names])
        limit = "took more than 1 second, skilltool's limit for one skill"
        assert {name: why for name, why in found.items() if why} == {
            name: limit if name != "evil-2" else found["evil-2"] for name in names if name not in ("a", "b")
        }

    if beside_a_thread:
        on_a_thread(check)
    else:
        check()


@pytest.mark.slow
def test_of_many_skills_a_large_one_is_read_where_it_can_be_ended(tmp_path: Path) -> None:
    """Not every system has a timer for this process, but any can end another one."""
    directories = [tmp_path / name for name in ("a", "evil", "b")]
    for directory in directories:
        directory.mkdir()
    (tmp_path / "evil" / "SKILL.md").write_bytes(b"x" * (LARGE + 1))

    def check() -> None:
        with WorkerPool(Allowance(SHORT)) as pool:
            assert pool.call_watched(60.0, read_in, tmp_path, ["a", "b"])[0] == os.getpid()
            there, found = pool.call_watched(60.0, read_in, tmp_path, ["a", "evil", "b"])
            assert there != os.getpid()
            assert found == {"a": None, "b": None, "evil": found["evil"]}
            assert found["evil"] == "took more than 1 second, skilltool's limit for one skill"

    on_a_thread(check)


def read_in(top: Path, names: list[str]) -> tuple[int, dict[str, str | None]]:
    return os.getpid(), read_all([top / name for name in names])


def test_a_thread_does_not_tell_what_another_reads(tmp_path: Path) -> None:
    told: list[str] = []
    with current_skill.watched(told.append, {os.path.realpath(tmp_path / "b"): "was ended"}):
        current_skill.enter(tmp_path / "a")
        answers: list[str | None] = []
        reader = threading.Thread(target=lambda: answers.append(current_skill.enter(tmp_path / "b")))
        reader.start()
        reader.join()
        assert current_skill.enter(tmp_path / "b") == "was ended"
    assert (answers, told) == ([None], [os.path.realpath(tmp_path / "a")])


@pytest.mark.slow
def read_with_neighbours(directory: Path) -> list[str]:
    """Read a skill and those beside it, of which `evil` takes for ever and `lost` ends the process."""
    found = []
    with current_skill.beside() as enter:
        for neighbour in sorted(directory.parent.iterdir()):
            reason = enter(neighbour)
            found.append(f"{neighbour.name}: {reason}" if reason else neighbour.name)
            if not reason and neighbour.name == "evil":
                count_for_ever()
            if not reason and neighbour.name == "lost" and os.getppid() != _SHELL:
                die()
    work(0.3)
    return found


_SHELL = os.getppid()  # of this process; that of one that it starts is another


def read_each(directories: list[Path]) -> Iterator[list[str]]:
    yield from map(read_with_neighbours, directories)


READ_BESIDE = ["evil: took more than 1 second, skilltool's limit for one skill", "good", "well"]


@pytest.mark.slow
@pytest.mark.parametrize("where", [on_a_thread, lambda function: function()], ids=["timer", "process"])
def test_a_skill_beside_that_takes_for_ever_is_given_up_and_not_who_reads_it(
    tmp_path: Path, where: Callable[[Callable[[], None]], None]
) -> None:
    for name in ("evil", "good", "well"):
        (tmp_path / name).mkdir()
    allowance = Allowance(SHORT)

    def run() -> None:
        with WorkerPool(allowance) as pool:
            for name in ("good", "well"):
                assert pool.call(tmp_path / name, read_with_neighbours, tmp_path / name) == READ_BESIDE
            with pytest.raises(OverBudgetError, match="took more than 1 second"):
                pool.call(tmp_path / "evil", process_id)

    where(run)
    assert list(allowance.ended) == [os.path.realpath(tmp_path / "evil")]


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_skill_beside_is_given_up_once_and_each_that_reads_it_is_worked_on(
    tmp_path: Path, jobs: int
) -> None:
    names = ["evil", "good", "lost", "well"]
    for name in names:
        (tmp_path / name).mkdir()
    allowance = Allowance(SHORT)
    with WorkerPool(allowance) as pool:
        shards = Shards(pool, [tmp_path / name for name in names], lambda some: Task(read_each, (some,)))
        results = {given.directory.name: given.result for given in shards.results(jobs)}
    evil, lost = (allowance.ended[os.path.realpath(tmp_path / name)] for name in ("evil", "lost"))
    assert lost == "was stopped: its process was killed"
    beside = [READ_BESIDE[0], "good", f"lost: {lost}", "well"]
    assert results == {"evil": evil, "good": beside, "lost": lost, "well": beside}


def test_work_about_no_skill_has_a_limit_of_its_own() -> None:
    with WorkerPool(Allowance(SHORT)) as pool, pytest.raises(OverBudgetError, match=r"took more than 0\.5 s"):
        pool.call_watched(0.5, count_for_ever)


def read_then_think(top: Path, skills: int) -> int:
    """Read so many skills, and work for 1.2 seconds on what is about none of them."""
    read_all([top / str(number) for number in range(skills)])
    work(1.2)
    return skills


@pytest.mark.slow
def test_work_about_no_skill_may_take_longer_the_more_skills_there_are(tmp_path: Path) -> None:
    with WorkerPool(Allowance(SHORT)) as pool:
        assert pool.call_watched(0.5, read_then_think, tmp_path, 6) == 6
    with (
        WorkerPool(Allowance(SHORT)) as pool,
        pytest.raises(OverBudgetError, match=r"took more than 1 second\Z"),
    ):
        pool.call_watched(0.5, read_then_think, tmp_path, 1)


@pytest.mark.slow
def test_who_waits_is_told_so_again_and_again(tmp_path: Path) -> None:
    told: list[float] = []
    with WorkerPool() as pool:
        pool.report = lambda: told.append(time.monotonic())
        assert pool.call_watched(20.0, read_then_think, tmp_path, 0) == 0
    assert len(told) > 3


def test_more_time_is_offered_only_where_it_may_help(tmp_path: Path) -> None:
    with WorkerPool() as pool, pytest.raises(OverBudgetError) as killed:
        pool.call_watched(20.0, die)
    assert killed.value.with_way_out == killed.value.reason
    with WorkerPool() as pool, pytest.raises(OverBudgetError) as late:
        pool.call_watched(0.2, read_then_think, tmp_path, 0)
    assert late.value.with_way_out == (
        "took more than 0.2 seconds; allow more with --time-limit (or SKILLTOOL_TIMEOUT)"
    )


def die_in(top: Path, times: int) -> dict[str, str | None]:
    """Read two skills; the first so many processes that read `evil` are killed."""
    found = {}
    for name in ("evil", "good"):
        found[name] = current_skill.enter(top / name)
        seen = len(list(top.glob("killed-*")))
        if not found[name] and name == "evil" and seen < times:
            (top / f"killed-{seen}").touch()
            die()
    current_skill.leave()
    return found


@pytest.mark.parametrize(("times", "is_refused"), [(0, False), (1, False), (2, True)])
def test_work_on_many_skills_is_tried_again_after_it_was_killed_once(
    tmp_path: Path, times: int, is_refused: bool
) -> None:
    with WorkerPool() as pool:
        found = pool.call_watched(20.0, die_in, tmp_path, times)
    killed = "was stopped: its process was killed"
    assert found == {"evil": killed if is_refused else None, "good": None}


def wait_for(top: Path, own: str, other: str) -> int:
    """Return the id of this process once another call has begun, too."""
    (top / own).touch()
    work_until(lambda: (top / other).exists())
    return os.getpid()


def work_until(is_done: Callable[[], bool]) -> None:
    while not is_done():
        work(0.01)


def test_calls_on_many_skills_are_done_at_one_time(tmp_path: Path) -> None:
    with WorkerPool() as pool:
        calls = [(tmp_path, "one", "two"), (tmp_path, "two", "one")]
        assert len({os.getpid(), *pool.call_each_watched(20.0, wait_for, calls)}) == 3


@pytest.mark.slow
def test_of_calls_at_one_time_each_is_tried_again_and_gives_up_its_own_skill(tmp_path: Path) -> None:
    tops = [tmp_path / "once", tmp_path / "twice"]
    for top in tops:
        top.mkdir()
    with WorkerPool() as pool:
        once, twice = pool.call_each_watched(20.0, die_in, [(tops[0], 1), (tops[1], 2)])
    assert once == {"evil": None, "good": None}
    assert twice == {"evil": "was stopped: its process was killed", "good": None}


def test_the_first_error_of_calls_at_one_time_ends_the_others(tmp_path: Path) -> None:
    with WorkerPool(Allowance(SHORT)) as pool, pytest.raises(OverBudgetError, match=r"took more than 0\.5 s"):
        pool.call_each_watched(0.5, wait_for, [(tmp_path, "one", "two"), (tmp_path, "three", "four")])


def test_work_about_no_skill_that_is_killed_twice_is_given_up() -> None:
    with WorkerPool() as pool, pytest.raises(OverBudgetError, match="was killed"):
        pool.call_watched(20.0, die)


def test_a_skill_has_one_budget_for_all_that_a_command_does() -> None:
    allowance = Allowance(Budget(seconds=10, in_all=30, share=1))
    allowance.spend("a", 6)
    assert allowance.left("a") == 4
    allowance.spend("a", 4)
    assert allowance.left("a") == 0
    assert allowance.left("b") == 10


def test_once_slow_skills_have_used_up_the_total_each_has_its_share() -> None:
    allowance = Allowance(Budget(seconds=10, in_all=30, share=1))
    for number in range(3):
        allowance.spend(str(number), 10)
    assert allowance.left("next") == 1 + 3
    allowance.spend("next", 4)
    assert [allowance.left("next"), allowance.left("last")] == [0, 1]
    allowance.spend("last", 0.5)
    assert allowance.left("last") == 0.5


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("", 10),
        ("2", 2),
        ("0.5", 0.5),
        ("0", 10),
        ("-1", 10),
        ("nan", 10),
        ("inf", 10),
        ("x", 10),
        ("1e9", 10),
    ],
)
def test_the_environment_changes_the_seconds(
    monkeypatch: pytest.MonkeyPatch, text: str, seconds: float
) -> None:
    monkeypatch.setenv("SKILLTOOL_TIMEOUT", text)
    assert Budget.of_environment().seconds == seconds
    assert Budget.of_environment().in_all == 2 * seconds


def map_more_than_a_skill_may_take() -> None:
    """Fork from a process that has reserved more than the budget, as libraries do without using it."""
    import mmap

    with mmap.mmap(-1, 3 << 30), WorkerPool(Allowance(SHORT)) as pool:
        sys.stdout.write(f"{pool.call(Path(), take_some_memory)}\n")


@pytest.mark.slow
def test_what_the_parent_has_reserved_does_not_count() -> None:
    code = f"from {__name__} import *; map_more_than_a_skill_may_take()"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == (f"{64 << 20}\n", "")
