"""Run commands in turn and note what they cost: wall and processor time, and memory."""

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
    """A command to time; `prepare` is run before each measurement and not counted.

    Times are seconds, of the command and all processes that it waits for; `memory` is the resident size
    of its largest process, in bytes.
    """

    name: str
    command: Sequence[str]
    prepare: Callable[[], object] | None = None
    walls: list[float] = field(default_factory=list)
    cpus: list[float] = field(default_factory=list)
    memory: int = 0

    def run(self) -> None:
        """Run the command once; exit with its own words if it fails to do its work."""
        if self.prepare is not None:
            self.prepare()
        with pathlib.Path(os.devnull).open("wb") as nothing:
            start = time.perf_counter()
            process = subprocess.Popen(self.command, stdout=nothing, stderr=nothing)
            _pid, status, usage = os.wait4(process.pid, 0)
            self.walls.append(time.perf_counter() - start)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            sys.exit(f"{self.name}: {' '.join(self.command)} failed with {process.returncode}")
        self.cpus.append(usage.ru_utime + usage.ru_stime)
        self.memory = max(self.memory, usage.ru_maxrss * 1024)

    @property
    def wall(self) -> float:
        """The median of the wall times."""
        return median(self.walls)

    @property
    def cpu(self) -> float:
        """The median of the processor times."""
        return median(self.cpus)


def measure(contenders: Sequence[Contender], runs: int) -> None:
    """Run each contender once for nothing, then all of them in turn, `runs` times."""
    for contender in contenders:
        contender.run()
        contender.walls.clear()
        contender.cpus.clear()
    for _ in range(runs):
        for contender in contenders:
            contender.run()


def table(title: str, contenders: Sequence[Contender]) -> str:
    """Return a table whose last column is how many times the time of each the first one takes."""
    first = contenders[0]
    lines = [f"{title:<28}{'wall s':>9}{'CPU s':>9}{'MB':>7}{f'{first.name} takes':>20}"]
    lines += [
        f"{c.name:<28}{c.wall:>9.3f}{c.cpu:>9.3f}{c.memory / 2**20:>7.0f}{first.wall / c.wall:>18.2f} x"
        for c in contenders
    ]
    return "\n".join(lines) + "\n"
