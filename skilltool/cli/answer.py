"""What `resolve`, `render` and `cost` share: work in a process that can be ended, once or after changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from skilltool.bounds.budget import InternalReason, OverBudgetError
from skilltool.bounds.pool import WorkerPool
from skilltool.cli import progress
from skilltool.cli.color import use_color
from skilltool.cli.help import option
from skilltool.cli.output import note, write, write_error, write_file
from skilltool.cli.sessions import watched_directories, watched_files
from skilltool.errors import SkilltoolError
from skilltool.files.paths import display_path
from skilltool.text.printable import SafeText

if TYPE_CHECKING:
    from skilltool.cli.sessions import SessionQuestion
    from skilltool.report.style import Style

Result = TypeVar("Result")
Work = Callable[..., tuple[Any, int]]

watch_option = option(
    "Output", "--watch", is_flag=True, help="Print again whenever a file changes, until Ctrl-C."
)


def is_for_people(options: Mapping[str, Any]) -> bool:
    """Return whether people read the output, after a note where `--watch` overrules the format."""
    if options["watch"] and options["output_file"] is not None:
        raise click.UsageError("--watch cannot be used together with --output-file")
    if options["watch"] and options["output_format"] != "text":
        note(f"--watch prints `text`, since the format `{options['output_format']}` is for programs")
        return True
    return bool(options["output_format"] == "text")


def style_of(options: Mapping[str, Any]) -> Style:
    """Return how the output looks: plain in a file, else in the terminal's width and colour."""
    from skilltool.report.style import PLAIN, Style, terminal_width

    if options["output_file"] is not None:
        return PLAIN
    return Style(color=use_color(options.get("color", "auto")), width=terminal_width())


def answer(
    question: SessionQuestion,
    work: Work,
    asked: object,
    options: Mapping[str, Any],
    emit: Callable[[Any], None] | None = None,
) -> int:
    """Call `work` with `question` and `asked`, print the text that it returns, and return its status.

    The status is 2 where an internal error kept a skill from being read.
    `emit` prints what is not a `SafeText`. With `--watch` start again after each change.
    """
    file: Path | None = options["output_file"]

    def printed(text: SafeText) -> None:
        write(text) if file is None else write_file(file, text.encode())

    show = emit or printed
    if options["watch"]:
        _repeat(question, lambda notes: in_other_process(work, question, asked, notes=notes)[0], show)
        return 0
    defects: list[str] = []
    text, status = in_other_process(work, question, asked, defects=defects)
    show(text)
    for defect in defects:
        note(defect)
    return 2 if defects else status


def _repeat(
    question: SessionQuestion, work: Callable[[Callable[[SafeText], None]], Any], show: Callable[[Any], None]
) -> None:
    from skilltool.cli.watch import draw, repeat

    def once() -> None:
        notes: list[SafeText] = []
        steps: list[Callable[[], None]] = []
        try:
            steps += [partial(show, work(notes.append))]
        except SkilltoolError as error:
            steps += [partial(note, str(error))]
        draw(*steps, *(partial(write_error, safe_text) for safe_text in notes))

    paths = list(watched_directories(question.runtimes, question.given))
    repeat(once, paths, lambda: watched_files(question.given, paths))


class _Failure(NamedTuple):
    """The words of a `SkilltoolError`, which is raised in the process of the command."""

    words: str


def in_other_process(
    function: Callable[..., Result],
    *arguments: object,
    notes: Callable[[SafeText], None] = write_error,
    doing: str = "reading skills",
    defects: list[str] | None = None,
) -> Result:
    """Return what a function of a module returns, which opens sessions.

    A skill that takes more than its budget is skipped in them, and so is one in which an internal error
    happens; `defects` gets a line about each of the latter. What the function writes to standard error is
    given to `notes` once. On a terminal a line says what is being done, none if `doing` is empty. Raises
    `SkilltoolError` as it does, and if the rest of the work takes too long.
    """
    with progress.waiting(doing) as line, WorkerPool() as pool:
        pool.report = line
        try:
            written, outcome = pool.call_watched(
                pool.allowance.budget.in_all, _with_its_notes, function, *arguments
            )
        except OverBudgetError as error:
            raise SkilltoolError(f"gave up: reading the skills {error.with_way_out}") from None
    notes(SafeText(written))  # by the functions of `output`, in the other process
    if defects is not None:
        ended = pool.allowance.ended.items()
        defects += [f"{display_path(key)}: {why}" for key, why in ended if isinstance(why, InternalReason)]
    if isinstance(outcome, _Failure):
        raise SkilltoolError(outcome.words)
    found: Result = outcome
    return found


def _with_its_notes(function: Callable[..., Result], *arguments: object) -> tuple[str, Result | _Failure]:
    outcome: Result | _Failure
    with redirect_stderr(StringIO()) as written:
        try:
            outcome = function(*arguments)
        except SkilltoolError as error:
            outcome = _Failure(str(error))
    return written.getvalue(), outcome
