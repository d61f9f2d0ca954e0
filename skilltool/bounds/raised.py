"""What a function raised, as data: no exception crosses from one process to another.

The text of an exception may hold what a stranger wrote, and its class need not exist in the other process.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from skilltool.bounds.budget import GivenUpError, OverBudgetError
from skilltool.errors import SkilltoolError
from skilltool.text.printable import printable

_PACKAGE = Path(__file__).parents[1]
_LONGEST = 200  # characters of the text of an exception


class InternalReason(str):
    """Why work was ended by a defect of skilltool: a sentence for people, on one line."""

    __slots__ = ()

    @classmethod
    def of(cls, error: BaseException, what: str = "") -> InternalReason:
        """Return the reason for an exception that nobody expected in `what`, such as "rule `broken-link`"."""
        if isinstance(error, InternalError):
            return error.reason
        place = f" in {what}" if what else ""
        return cls(
            f"internal error{place}, please report it: {type(error).__name__}{_text(error)}{_at(error)}"
        )


class InternalError(GivenUpError):
    """Work was ended by a defect of skilltool, perhaps in another process."""

    reason: InternalReason

    def __init__(self, reason: InternalReason) -> None:
        """Keep the reason."""
        super().__init__(reason)


class Raised(NamedTuple):
    """An exception in words.

    `kind` is `given up` (`words` is the reason), `told` (a `SkilltoolError`), `system` (an OSError, of which
    `number` and `file` are known, too) or `memory`.
    """

    kind: str
    words: str
    number: int | None = None
    file: str | None = None

    @classmethod
    def of(cls, error: Exception) -> Raised:
        """Take an exception; one that nobody expected becomes an `InternalReason`."""
        if isinstance(error, GivenUpError):
            return cls("given up", error.reason)
        if isinstance(error, SkilltoolError):
            return cls("told", str(error))
        if isinstance(error, OSError):
            file = None if error.filename is None else str(error.filename)
            return cls("system", error.strerror or str(error), error.errno, file)
        return (
            cls("memory", "") if isinstance(error, MemoryError) else cls("given up", InternalReason.of(error))
        )

    @property
    def error(self) -> Exception:
        """The exception, to be raised again."""
        if self.kind == "told":
            return SkilltoolError(self.words)
        if self.kind == "system":
            return OSError(self.number, self.words, self.file)
        return MemoryError() if self.kind == "memory" else given_up(self.words)


def clause_about_reading(reason: str) -> str:
    """Return why a skill is not read, for the end of a sentence; `reason` is as in a `GivenUpError`."""
    return reason if isinstance(reason, InternalReason) else f"reading it {reason}"


def given_up(reason: str) -> GivenUpError:
    """Return the exception for work that was ended for this reason."""
    return InternalError(reason) if isinstance(reason, InternalReason) else OverBudgetError(reason)


def _text(error: BaseException) -> str:
    """Return the message of an exception on one line, bounded: it may quote a whole file."""
    try:
        text = " ".join(str(error).split())
    except Exception:  # of the message itself: Python refuses to print a number of 4,301 digits
        return ""
    cut = f"{text[:_LONGEST]}\u2026" if len(text) > _LONGEST else text
    return f": {printable(cut)}" if cut else ""


def _at(error: BaseException) -> str:
    """Return where in our code it happened: the innermost function of ours that was at work."""
    import traceback

    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        file = Path(frame.filename)
        if file.is_relative_to(_PACKAGE):
            return f" ({file.relative_to(_PACKAGE).as_posix()}:{frame.lineno})"
    return ""
