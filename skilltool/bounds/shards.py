"""Many skills in several processes: results as they come, and a skill that is given up hides no other."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.bounds.crew import KILLED, Crew
from skilltool.bounds.processes import Process, ready
from skilltool.bounds.serving import Task, value_of

_SHARD = 8  # skills; the fewer, the sooner all processes are done after the first one is


class Given(NamedTuple):
    """A skill, and what the function yielded for it: a result, or the reason why the skill was given up."""

    directory: Path
    result: Any | str


class _Shard:
    """Skills that one process works on, in order; `since` is when it began with the first that is left."""

    def __init__(self, left: deque[Path]) -> None:
        self.left = left
        self.since = 0.0
        self.key = ""

    def begin(self, now: float) -> None:
        self.since = now
        self.key = os.path.realpath(self.left[0]) if self.left else ""


class Shards:
    """Skills that wait for a process, and those that processes work on."""

    def __init__(
        self, crew: Crew, directories: Sequence[Path], task: Callable[[Sequence[Path]], Task]
    ) -> None:
        """Take a function that makes the task for some skills, which yields a result for each."""
        self._crew = crew
        self._task = task
        self._waiting = deque(deque(directories[n : n + _SHARD]) for n in range(0, len(directories), _SHARD))
        self._busy: dict[Process, _Shard] = {}
        self._killed: set[Path] = set()

    @property
    def unstarted(self) -> list[Path]:
        """The skills left where the system started no process at all."""
        return [directory for shard in self._waiting for directory in shard]

    def results(self, jobs: int) -> Iterator[Given]:
        """Yield the results of up to `jobs` processes; ends early if none can be started."""
        try:
            while self._waiting or self._busy:
                while (
                    self._waiting and len(self._busy) < jobs and (process := self._crew.start(spawned=True))
                ):
                    self._submit(process, self._waiting.popleft())
                if not self._busy:
                    return
                first = min(shard.since + self._limit(shard) for shard in self._busy.values())
                has_message = ready(list(self._busy), first - time.monotonic())
                for process in has_message:
                    yield from self._take(process)
                yield from self._end_late(set(self._busy).difference(has_message))
        finally:
            for process in self._busy:
                process.end()

    def _limit(self, shard: _Shard) -> float:
        return self._crew.allowance.left(shard.key) if shard.key else self._crew.allowance.budget.seconds

    def _submit(self, process: Process, directories: deque[Path]) -> None:
        shard = _Shard(directories)
        task = self._task(list(directories))
        process.submit(task._replace(seconds=self._crew.allowance.budget.seconds))
        shard.begin(time.monotonic())
        self._busy[process] = shard

    def _take(self, process: Process) -> Iterator[Given]:
        shard = self._busy[process]
        message = process.receive()
        if message is None:
            yield from self._end(process, KILLED)
        elif message[0] == "item":
            now = time.monotonic()
            self._crew.allowance.spend(shard.key, now - shard.since)
            yield Given(shard.left.popleft(), message[1])
            shard.begin(now)
        else:
            del self._busy[process]
            self._crew.release(process)
            value_of(message)

    def _end_late(self, processes: set[Process]) -> Iterator[Given]:
        now = time.monotonic()
        for process in processes:
            shard = self._busy[process]
            if now >= shard.since + self._limit(shard):
                self._crew.allowance.spend(shard.key, now - shard.since)
                yield from self._end(process, None)

    def _end(self, process: Process, reason: str | None) -> Iterator[Given]:
        """End a process, and give up the skill that it worked on; one that was killed is tried once more."""
        shard = self._busy.pop(process)
        process.end()
        if not shard.left:
            return
        if reason == KILLED and shard.left[0] not in self._killed:
            self._killed.add(shard.left[0])
        else:
            yield Given(shard.left.popleft(), self._crew.allowance.end(shard.key, reason))
        if shard.left:
            self._waiting.appendleft(shard.left)
