"""What `lint --watch` does: check, redraw, wait, until Ctrl-C."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from skilltool.cli.output import note, write
from skilltool.errors import SkilltoolError
from skilltool.report import FOR_PEOPLE

if TYPE_CHECKING:
    from skilltool.cli.lint_request import Request


def watch(request: Request) -> None:
    """Check with the settings as they are configured now, print, and repeat after each change.

    Files that vanish, a configuration that is wrong for a moment, even a working directory that is gone are
    reported and waited out. It ends with Ctrl-C, when nobody reads its output any more (`| head`), or when
    nothing can be watched (`SkilltoolError`).
    """
    from skilltool.lint import watching

    here = Path.cwd()
    settings = request.settings
    if settings.output_format not in FOR_PEOPLE:
        note(f"--watch prints `full`, not `{settings.output_format}`, which is for programs")

    def files() -> Iterator[Path]:
        yield from (here / file for file in (settings.config, settings.baseline) if file is not None)

    paths = [here / path for path in settings.paths]
    for _ in watching.changes(paths, files, settings.cache, _reader()):
        try:
            os.chdir(here)  # a directory that was made anew has the name, but is not the one we are in
            request = request.again()
            settings = request.settings
            shown, said = _checked(request)
        except OSError as error:
            shown, said = "", [f"{here}: {error.strerror}"]
        except SkilltoolError as error:
            shown, said = "", [str(error)]
        _draw(shown, said)


def _reader() -> Callable[[], bool]:
    """Return a function that says whether standard output is what it is now, and still read by somebody."""
    began = os.fstat(sys.stdout.fileno())

    def reads() -> bool:
        # Where writing has failed, `write` has put something else in its place.
        if not os.path.samestat(began, os.fstat(sys.stdout.fileno())):
            return False
        if not hasattr(select, "poll"):
            return True
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)  # that the other end is closed is told unasked
        return not poll.poll(0)

    return reads


def _checked(request: Request) -> tuple[str, list[str]]:
    from skilltool.lint.run import check_skills

    if request.settings.output_format not in FOR_PEOPLE:
        request = replace(request, settings=request.settings._replace(output_format="full"))
    report = check_skills(request.settings)
    return request.text(report), list(report.problems)


def _draw(shown: str, said: list[str]) -> None:
    """Print one round; a terminal is emptied first, and what has scrolled out of it stays there."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        click.clear()
    write(shown)
    for problem in said:
        note(problem)
    note(f"checked at {time.strftime('%H:%M:%S')}; waiting for changes, Ctrl-C ends")
