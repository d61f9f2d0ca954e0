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
_SECONDS_PER_FRAME = 0.1


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
    if _is_hidden():
        yield None
        return
    bar = _Bar(doing)
    try:
        yield bar
    finally:
        bar.close()


class _Wait:
    """A line with a spinner, for work whose amount is not known; call it often.

    It is drawn in the calls, without a thread: beside one no process can be forked.
    """

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._due = time.monotonic() + _PATIENCE
        self._progress: Progress | None = None

    def __call__(self) -> None:
        if time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _SECONDS_PER_FRAME
        if self._progress is None:
            self._progress = self._started()
        self._progress.refresh()

    def _started(self) -> Progress:
        from rich.console import Console
        from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        columns = (SpinnerColumn(), TextColumn(self._doing), TimeElapsedColumn())
        shown = Progress(*columns, console=Console(stderr=True), transient=True, auto_refresh=False)
        shown.add_task("", total=None)
        shown.start()
        return shown

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()


@contextmanager
def waiting(doing: str) -> Iterator[_Wait | None]:
    """Yield what draws a line that says what is done, and for how long; None where none is to be shown."""
    if not doing or _is_hidden():
        yield None
        return
    line = _Wait(doing)
    try:
        yield line
    finally:
        line.close()


class _RateBar:
    """A bar for work whose amount is known as a fraction only; call it with (done, fraction)."""

    def __init__(self, doing: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        text = TextColumn(f"{doing} {{task.fields[skills]:,}} skills, {{task.fields[rate]:,.0f}}/s")
        columns = (text, BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._progress.add_task("", total=1.0, skills=0, rate=0.0)
        self._began = time.monotonic()
        self._progress.start()

    def __call__(self, done: int, fraction: float) -> None:
        rate = done / max(time.monotonic() - self._began, 0.001)
        self._progress.update(self._task, completed=min(fraction, 1.0), skills=done, rate=rate)

    def close(self) -> None:
        self._progress.stop()


@contextmanager
def rate_shown(doing: str = "checking") -> Iterator[_RateBar | None]:
    """Yield a bar with the rate and the time that is left, or None where none is to be shown."""
    if _is_hidden():
        yield None
        return
    bar = _RateBar(doing)
    try:
        yield bar
    finally:
        bar.close()


def _is_hidden() -> bool:
    return is_quiet() or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb"
