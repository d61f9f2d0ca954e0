"""Work in this process is ended by a timer, but not where that would do harm."""

from __future__ import annotations

import importlib
import signal
import sys
import time
import weakref
from pathlib import Path
from types import FrameType

import pytest

from skilltool.bounds.timer import OutOfTimeError, within

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="the system has no timers")


def count_for_ever() -> None:
    while True:
        pass


def test_an_import_is_finished_before_work_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow_to_import.py").write_text("import time\ntime.sleep(0.3)\nready = True\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)

    def work() -> None:
        importlib.import_module("slow_to_import")
        count_for_ever()

    try:
        with pytest.raises(OutOfTimeError):
            within(0.05, work)
        assert sys.modules["slow_to_import"].ready
    finally:
        sys.modules.pop("slow_to_import", None)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_work_is_ended_although_an_exception_was_dropped() -> None:
    class Referred:
        pass

    called: list[str] = []

    def wait(_: weakref.ref[Referred]) -> None:
        called.append("begun")
        until = time.process_time() + 0.3
        while time.process_time() < until:
            pass
        called.append("ended")

    def work() -> None:
        referred = Referred()
        kept = weakref.ref(referred, wait)
        del referred  # Python drops what a callback raises
        called.append(f"gone: {kept() is None}")
        count_for_ever()

    with pytest.raises(OutOfTimeError):
        within(0.05, work)
    assert called == ["begun", "gone: True"]


def test_a_timer_that_was_set_before_runs_on() -> None:
    calls: list[int] = []

    def note(number: int, _: FrameType | None) -> None:
        calls.append(number)

    before = signal.signal(signal.SIGALRM, note)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        with pytest.raises(OutOfTimeError):
            within(0.1, count_for_ever)
        assert within(10, abs, -3) == 3
        while len(calls) < 2:
            pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_work_within_work_leaves_the_outer_limit() -> None:
    def work() -> None:
        with pytest.raises(OutOfTimeError):
            within(0.05, count_for_ever)
        count_for_ever()

    with pytest.raises(OutOfTimeError):
        within(0.2, work)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
