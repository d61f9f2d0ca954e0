"""Check many skills, in one process or in several, whatever happens to one of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from skilltool.bounds.budget import GivenUpError
from skilltool.bounds.crew import Crew
from skilltool.bounds.processes import can_fork
from skilltool.bounds.serving import Task
from skilltool.lint.settings import Settings

if TYPE_CHECKING:
    from skilltool.lint.cache.rows import Row
    from skilltool.lint.worker import Outcome

_WORTH_A_PROCESS = 40  # skills; fewer are checked before a second process has started
_MOST = 61  # processes; Windows cannot wait for more


class Done(NamedTuple):
    """The outcome of one skill, and a row for the cache where it may be kept."""

    directory: Path
    outcome: Outcome
    row: Row | None


def outcomes(directories: Sequence[Path], settings: Settings, crew: Crew) -> Iterator[Done]:
    """Check skills and yield each, in any order; a failure in one does not hide the others."""
    ended = crew.allowance.ended
    for directory in directories if ended else ():
        if reason := ended.get(os.path.realpath(directory)):
            yield Done(directory, reason, None)
            directories = [each for each in directories if each != directory]
    jobs = min(settings.jobs or min(_cores(), len(directories) // _WORTH_A_PROCESS), _MOST)
    left: Sequence[Path] = directories
    if directories and (can_fork() or jobs > 1):
        from skilltool.bounds.shards import Shards

        if jobs > 1 and can_fork():
            _prepare(settings)
        shards = Shards(crew, directories, _task(settings))
        for given in shards.results(max(jobs, 1)):
            if isinstance(given.result, str):
                yield Done(given.directory, given.result, None)
            else:
                yield Done(given.directory, *given.result)
        left = shards.unstarted
    for directory in left:
        yield _one(directory, settings, crew)


def _prepare(settings: Settings) -> None:
    """Import here what each forked process would import for itself, which takes 0.2 seconds."""
    from skilltool.lint.worker import prepare

    prepare(settings)


def _one(directory: Path, settings: Settings, crew: Crew) -> Done:
    from skilltool.lint.worker import attempt

    try:
        return Done(directory, *crew.call(directory, attempt, directory, settings))
    except GivenUpError as error:
        return Done(directory, error.reason, None)


def _task(settings: Settings) -> Callable[[Sequence[Path]], Task]:
    from skilltool.lint.worker import attempt_all

    plain = settings._replace(paths=())
    return lambda directories: Task(attempt_all, (list(map(str, directories)), plain))


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
