"""A command that is ended cleans up, whatever comes meanwhile."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import os, signal
from skilltool.cli.signals import ended_by_sigterm
first, *more = map(int, {numbers!r})
try:
    with ended_by_sigterm():
        try:
            os.kill(os.getpid(), first)
            print("went on")
        finally:
            for number in more:
                os.kill(os.getpid(), number)
            print("cleaned up")
except KeyboardInterrupt:
    print(signal.getsignal(signal.SIGTERM) is signal.SIG_DFL)
"""

# Where the tests run under `nohup` the signal is ignored.
DEFAULT = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_DFL)\n"


def run(*numbers: int, prefix: str = "") -> list[str]:
    program = (prefix or DEFAULT) + PROGRAM.format(numbers=list(map(int, numbers)))
    made = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert made.stderr == ""
    return made.stdout.splitlines()


@pytest.mark.parametrize("first", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_a_second_signal_does_not_end_the_cleaning_up(first: str) -> None:
    more = [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGTERM]
    assert run(signal.Signals[first], *more) == ["cleaned up", "True"]


def test_a_signal_that_was_ignored_stays_ignored() -> None:
    ignored = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    assert run(signal.SIGHUP, prefix=ignored) == ["went on", "cleaned up"]
