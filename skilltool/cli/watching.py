"""The `--watch` of `lint`: check, redraw, wait for a change, until Ctrl-C."""

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
    from skilltool.lint import watching

    here = Path.cwd()
    settings = request.settings
    if settings.output_format not in FOR_PEOPLE:
        note(f"--watch uses the format `full`: `{settings.output_format}` is for programs")

    def files() -> Iterator[Path]:
        yield from (here / file for file in (settings.config, settings.baseline) if file is not None)

    paths = [here / path for path in settings.paths]
    for _ in watching.changes(paths, files, settings.cache, _reader()):
        try:
            os.chdir(here)  # a directory that was deleted and created again is not the one we are in
            request = request.again()
            settings = request.settings
            output, notes = _checked(request)
        except OSError as error:
            output, notes = SafeText(""), [f"{here}: {error.strerror}"]
        except SkilltoolError as error:
            output, notes = SafeText(""), [str(error)]
        _draw(output, notes)


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
        request = replace(request, settings=request.settings._replace(output_format="full"))
    report = check_skills(request.settings)
    return request.text(report), list(report.problems)


def _draw(output: SafeText, notes: list[str]) -> None:
    """Print one round; on a terminal, clear the screen first and keep what has scrolled off it."""
    if sys.stdout.isatty() and os.environ.get("TERM") != "dumb":
        click.clear()
    write(output)
    for problem in notes:
        note(problem)
    inform(f"checked at {time.strftime('%H:%M:%S')}; waiting for changes (press Ctrl-C to stop)")
