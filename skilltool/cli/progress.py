"""How far a long run is, on a terminal's standard error and nowhere else."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_PATIENCE = 1.0  # seconds without a sign of life that nobody minds


class _Bar:
    """A bar that appears when a run turns out to be long; called with how many of how many are done."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._due = time.monotonic() + _PATIENCE
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int) -> None:
        if self._progress is None and time.monotonic() >= self._due and done < total:
            self._show(total)
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=done)

    def _show(self, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn(self._doing), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("", total=total)
        self._progress.start()

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def shown(doing: str = "checking") -> Iterator[_Bar | None]:
    """Give what a run that is `doing` something tells its progress to; None without a terminal to show it."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    bar = _Bar(doing)
    try:
        yield bar
    finally:
        bar.close()
