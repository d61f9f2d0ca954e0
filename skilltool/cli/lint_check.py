"""Check skills and report: what `skilltool lint` does if nothing else is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from skilltool.cli.lint_request import Answer, Request
from skilltool.cli.output import NOTHING
from skilltool.errors import PathError
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from skilltool.bounds.crew import Crew
    from skilltool.lint.result import Report


def check(request: Request, crew: Crew | None = None) -> Answer:
    """Check the skills, or the text on standard input, and report; `crew` has what is left of the budgets."""
    from skilltool import report
    from skilltool.cli import progress

    settings = request.settings
    if request["stdin_filename"] is not None:
        from skilltool.lint.check_alone import check_text

        found = check_text(_standard_input(), request["stdin_filename"], settings)
    else:
        from skilltool.lint.run import check_skills

        with progress.shown() as bar:
            found = check_skills(settings, bar, crew)
    notes, file = [*found.problems], request["output_file"]
    text: SafeText | None = request.text(found)
    if file is not None and found.problems and not found.skills:
        text = None
        notes.append(f"{file} was not written: nothing was checked")
    hints = [*found.hints, *report.notes(found, settings.output_format)]
    if not found.problems and not found.skills:
        hints.append(NOTHING)
    return Answer(text, _status(found, request), tuple(notes), tuple(hints), file)


def _standard_input() -> bytes:
    """Return what is on standard input, which may have no end: at most a byte more than a skill may have.

    Raises `PathError` if it cannot be read.
    """
    from skilltool.skill.read_file import MAX_BYTES

    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise PathError(f"standard input: {error.strerror}") from None


def _status(report: Report, request: Request) -> int:
    from skilltool.lint.over_bound import is_internal

    if report.problems or any(map(is_internal, report.diagnostics)):
        return 2
    worst, fail_on = report.worst, request.settings.fail_on
    return int(not request["exit_zero"] and None not in (worst, fail_on) and worst >= fail_on)  # type: ignore[operator]
