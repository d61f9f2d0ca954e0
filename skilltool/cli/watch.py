"""The `--watch` of every command: check, redraw, wait for a change, until Ctrl-C."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli.output import inform, note
from skilltool.errors import SkilltoolError

if TYPE_CHECKING:
    pass


def repeat(
    show: Callable[[], None],
    paths: Iterable[Path],
    files: Callable[[], Iterable[Path]],
    cache: Path | None = None,
) -> None:
    """Call `show` now and after each change under `paths` or of `files`, as `watch` does.

    What is written to `cache` does not count. An error that ends `show` is printed, and waited for.
    """
    from skilltool.lint import watching

    here = Path.cwd()
    for _ in watching.changes(paths, files, cache, _reader()):
        try:
            os.chdir(here)  # a directory that was deleted and created again is not the one we are in
            show()
        except OSError as error:
            draw(partial(note, f"{here}: {error.strerror}"))
        except SkilltoolError as error:
            draw(partial(note, str(error)))
        except Exception as error:  # a defect of ours is waited for, too: the next change may avoid it
            from skilltool.bounds.budget import InternalReason

            draw(partial(note, InternalReason.of(error)))


def draw(*steps: Callable[[], None]) -> None:
    """Print one round; on a terminal, clear the screen first and keep what has scrolled off it."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        click.clear()
    for step in steps:
        step()
    inform(f"checked at {time.strftime('%H:%M:%S')}; waiting for changes (press Ctrl-C to stop)")


def _reader() -> Callable[[], bool]:
    """Return a function that tells whether standard output is still the same file and has a reader."""
    began = os.fstat(sys.stdout.fileno())

    def reads() -> bool:
        # After a failed write, `output.write` has replaced it.
        if not os.path.samestat(began, os.fstat(sys.stdout.fileno())):
            return False
        if not hasattr(select, "poll"):
            return True
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)  # a closed reader is reported whatever is asked for
        return not poll.poll(0)

    return reads
