"""The `--watch` of every command: check, redraw, wait for a change, until Ctrl-C."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli.output import inform, note, write
from skilltool.errors import SkilltoolError
from skilltool.report import FOR_PEOPLE
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from skilltool.cli.lint_request import Request


def watch(request: Request) -> None:
    """Check with the current settings, print the report, and start again after each change.

    Files that vanish, a configuration that is invalid for a moment, even a deleted working directory are
    reported and waited for. It ends with Ctrl-C, when nobody reads the output any more (`| head`), or with
    `SkilltoolError` when nothing can be watched.
    """
    here = Path.cwd()
    settings = request.settings
    if settings.output_format not in FOR_PEOPLE:
        note(f"--watch uses the format `full`: `{settings.output_format}` is for programs")

    def files() -> Iterator[Path]:
        yield from (here / file for file in (settings.config, settings.baseline) if file is not None)

    def check() -> None:
        nonlocal request, settings
        request = request.again()
        settings = request.settings
        output, notes = _checked(request)
        draw(partial(write, output), *(partial(note, each) for each in notes))

    repeat(check, [here / path for path in settings.paths], files, settings.cache)


def repeat(
    show: Callable[[], None],
    paths: Iterable[Path],
    files: Callable[[], Iterable[Path]],
    cache: Path | None = None,
) -> None:
    """Call `show` now and after each change below `paths` or of `files`, as `watch` does.

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
            from skilltool.bounds.raised import InternalReason

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


def _checked(request: Request) -> tuple[SafeText, list[str]]:
    from skilltool.lint.run import check_skills

    if request.settings.output_format not in FOR_PEOPLE:
        request = request.with_settings(request.settings._replace(output_format="full"))
    report = check_skills(request.settings)
    return request.text(report), list(report.problems)
