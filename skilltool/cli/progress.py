"""The progress bar of a long run, on standard error and only on a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from skilltool.cli.options import is_quiet

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_PATIENCE = 1.0  # seconds before the bar appears: shorter runs need none


class _Bar:
    """A bar that appears when a run takes longer than `_PATIENCE`; call it with (done, total)."""

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
    """Yield a bar labelled `doing` that a run reports its progress to, or None where none is to be shown."""
    if is_quiet() or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    bar = _Bar(doing)
    try:
        yield bar
    finally:
        bar.close()
