"""Commands that open sessions do so where a skill that takes too long can be ended: in another process."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from typing import NamedTuple, TypeVar

from skilltool.bounds.budget import OverBudgetError
from skilltool.bounds.crew import Crew
from skilltool.bounds.raised import InternalReason
from skilltool.cli import progress
from skilltool.cli.output import write_error
from skilltool.errors import SkilltoolError
from skilltool.files.paths import display_path
from skilltool.text.printable import SafeText

Result = TypeVar("Result")


class _Told(NamedTuple):
    """The words of a `SkilltoolError`, which is raised in the process of the command."""

    words: str


def watched(
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
    with progress.waiting(doing) as line, Crew() as crew:
        crew.report = line
        try:
            written, outcome = crew.call_watched(crew.allowance.budget.in_all, _quietly, function, *arguments)
        except OverBudgetError as error:
            raise SkilltoolError(f"gave up: reading the skills {error.with_way_out}") from None
    notes(SafeText(written))  # by the functions of `output`, in the other process
    if defects is not None:
        ended = crew.allowance.ended.items()
        defects += [f"{display_path(key)}: {why}" for key, why in ended if isinstance(why, InternalReason)]
    if isinstance(outcome, _Told):
        raise SkilltoolError(outcome.words)
    found: Result = outcome
    return found


def _quietly(function: Callable[..., Result], *arguments: object) -> tuple[str, Result | _Told]:
    outcome: Result | _Told
    with redirect_stderr(StringIO()) as written:
        try:
            outcome = function(*arguments)
        except SkilltoolError as error:
            outcome = _Told(str(error))
    return written.getvalue(), outcome
