"""Run commands in turn and record what they cost: wall time, processor time and memory."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median


@dataclass
class Contender:
    """A command to time; `prepare` runs before each measurement and is not counted.

    Times are in seconds and include every process that the command waits for; `memory` is the resident
    size of the largest of them, in bytes.
    """

    name: str
    command: Sequence[str]
    prepare: Callable[[], object] | None = None
    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    memory: int = 0

    def run(self) -> None:
        """Run the command once; exit with a message if its status is not 0 or 1."""
        if self.prepare is not None:
            self.prepare()
        with pathlib.Path(os.devnull).open("wb") as nothing:
            start = time.perf_counter()
            process = subprocess.Popen(self.command, stdout=nothing, stderr=nothing, env=environment())
            _pid, status, usage = os.wait4(process.pid, 0)
            self.walls.append(time.perf_counter() - start)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"{self.name}: {' '.join(self.command)} failed with {process.returncode}")
        self.cpus.append(usage.ru_utime + usage.ru_stime)
        self.memory = max(self.memory, usage.ru_maxrss * 1024)

    @property
    def wall(self) -> float:
        """Return the median wall time, in seconds."""
        return median(self.walls)

    @property
    def cpu(self) -> float:
        """Return the median processor time, in seconds."""
        return median(self.cpus)


def environment() -> dict[str, str]:
    """Return the environment of what is timed: Python keeps compiled modules, else each run compiles all."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def measure(contenders: Sequence[Contender], runs: int) -> None:
    """Run each contender once as a warm-up, then all of them in turn, `runs` times."""
    for contender in contenders:
        contender.run()
        contender.walls.clear()
        contender.cpus.clear()
    for _ in range(runs):
        for contender in contenders:
            contender.run()


def table(title: str, contenders: Sequence[Contender]) -> str:
    """Return a table whose last column is how long each takes compared with the first one."""
    first = contenders[0]
    lines = [f"{title:<28}{'wall s':>9}{'CPU s':>9}{'MB':>7}{f'vs {first.name}':>18}"]
    lines += [
        f"{c.name:<28}{c.wall:>9.3f}{c.cpu:>9.3f}{c.memory / 2**20:>7.0f}{c.wall / first.wall:>17.2f}x"
        for c in contenders
    ]
    return "\n".join(lines) + "\n"
