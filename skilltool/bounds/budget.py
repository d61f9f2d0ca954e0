"""What one skill may cost: a limit of time, and what is left of it while a command works on many skills.

The text of an exception may hold what a stranger wrote, and its class need not exist in the other process.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from skilltool.errors import SkilltoolError
from skilltool.text.printable import printable

VARIABLE = "SKILLTOOL_TIMEOUT"  # the environment variable that changes `Budget.seconds`
SECONDS = (0.1, 3600.0)  # the least and the most that it takes
MORE_TIME = f"allow more with --time-limit (or {VARIABLE})"


class Budget(NamedTuple):
    """The limits for one skill, whatever a command does with it.

    `seconds` of work, see `bounds/clock.py`. All skills of one command together may take `in_all` seconds
    more than `share` each; once that is used up, a skill has only `share`, so that many slow skills cost
    little more than one. `memory` and `file` are bytes: of the process that works on a skill, and of each
    file that is read. A skill may have so many `files`, and as many directories, at most `depth` of them
    nested, and `texts` bytes of text that is read.
    """

    seconds: float = 10.0
    in_all: float = 20.0
    share: float = 0.5
    memory: int = 2 << 30
    file: int = 1 << 20
    files: int = 10_000
    depth: int = 32
    texts: int = 16 << 20

    @classmethod
    def of_environment(cls) -> Budget:
        """Return the budget with the seconds of `SKILLTOOL_TIMEOUT`, if it is a number in `SECONDS`."""
        try:
            seconds = float(os.environ.get(VARIABLE, ""))
        except ValueError:
            return cls()
        share = min(seconds, max(seconds / 20, cls().share))
        return cls(seconds, 2 * seconds, share) if SECONDS[0] <= seconds <= SECONDS[1] else cls()

    def of_many(self, skills: int) -> float:
        """Return the seconds for what is about many skills, and about none of them by itself."""
        return self.in_all + skills * self.share


class TimeReason(str):
    """Why work was ended that took too long: more seconds may help."""

    __slots__ = ()


class TotalReason(TimeReason):
    """Why work was ended for which no time was left: other skills had used it up."""

    __slots__ = ()


class GivenUpError(Exception):
    """Work on a skill, or on many, was ended for a reason, which is told in words."""

    def __init__(self, reason: str) -> None:
        """Keep the reason."""
        super().__init__(reason)
        self.reason = reason

    @property
    def with_way_out(self) -> str:
        """The reason, and how to allow more where it is about time."""
        return f"{self.reason}; {MORE_TIME}" if isinstance(self.reason, TimeReason) else self.reason


class OverBudgetError(GivenUpError):
    """The work would have taken too much; the reason is a clause: `took more than 10 seconds`.

    It is a `TimeReason` where it is about time.
    """


class Allowance:
    """What is left of the budget of each skill while one command runs. Skills have the real path as key.

    `ended` has the skills whose work was ended, each with the reason, as in a `GivenUpError`.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        """Start with nothing spent; the default is the budget of the environment."""
        self.budget = budget or Budget.of_environment()
        self.ended: dict[str, str] = {}
        self._spent: dict[str, float] = {}
        self._beyond_share = 0.0

    def left(self, key: str) -> float:
        """Return the seconds that a skill has left; not positive if there are none, or if it was ended."""
        if key in self.ended:
            return 0.0
        spent = self._spent.get(key, 0.0)
        beyond = max(self.budget.in_all - self._beyond_share, 0.0)
        return min(self.budget.seconds - spent, max(self.budget.share - spent, 0.0) + beyond)

    def spend(self, key: str, seconds: float) -> None:
        """Take seconds of work from the budget of a skill."""
        spent = self._spent.get(key, 0.0)
        share = self.budget.share
        self._spent[key] = spent + seconds
        self._beyond_share += max(spent + seconds - share, 0.0) - max(spent - share, 0.0)

    def renew(self) -> None:
        """Give every skill that was not ended all its time again: for the check after the fixes."""
        self._spent.clear()
        self._beyond_share = 0.0

    def end(self, key: str, reason: str | None = None) -> str:
        """Note that work on a skill was ended, by default for its time, and return the first reason."""
        return self.ended.setdefault(key, reason or self._out_of_time(key))

    def _out_of_time(self, key: str) -> str:
        spent, budget = self._spent.get(key, 0.0), self.budget
        if spent < budget.seconds * 0.99:
            whole = in_words(budget.in_all)
            return TotalReason(
                f"took more than {in_words(spent)} after other skills had used up the {whole} for slow skills"
            )
        return out_of_time(budget.seconds)


def out_of_time(seconds: float) -> str:
    """Return the reason for work that took more than these seconds."""
    return TimeReason(f"took more than {in_words(seconds)}, skilltool's limit for one skill")


def out_of_time_for_many(seconds: float) -> str:
    """Return the reason for work about many skills that took more than these seconds."""
    return TimeReason(f"took more than {in_words(seconds)}")


def out_of_memory(budget: Budget) -> str:
    """Return the reason for work that took too much memory."""
    return f"took more than {budget.memory >> 30} GiB of memory, skilltool's limit for one skill"


def too_large(most: str) -> str:
    """Return the reason for a skill that has more than `most`, such as `10,000 files`."""
    return f"was stopped: more than {most}, skilltool's limit for one skill"


def in_words(seconds: float) -> str:
    """Return a number of seconds as text, with at most one decimal."""
    number = round(seconds, 1)
    return f"{number:g} second{'' if number == 1 else 's'}"


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
            f"internal error{place} (please report it): {type(error).__name__}{_text_of(error)}{_at(error)}"
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


def _text_of(error: BaseException) -> str:
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
