"""Whether the regular expressions of a skill compile, and whether they search in reasonable time."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache

# The process keeps a bound of processor time for each pattern; these of wall time are for where it cannot, and
# for a skill with many slow patterns: the first ones are enough to say, and a skill has ten seconds in all.
_SECONDS, _IN_ALL = 4.0, 5.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of a pattern that was tried.

    `error` are the words of Python's `re` for one that does not compile, `position` the offset they
    are about. `slow` is the length of a message in which the search takes longer than `seconds`, 0 where
    it is not known.
    """

    error: str | None = None
    position: int | None = None
    slow: int | None = None


@lru_cache(maxsize=8)
def tried(patterns: tuple[str, ...]) -> tuple[Trial, ...]:
    """Compile and try patterns in a process that can be ended; those that it did not come to have no fault."""
    from importlib.resources import files

    from skilltool.runtimes.patterns.bounded_process import NotStartedError, OutOfTimeError, answers

    program = (files("skilltool.runtimes.patterns") / "regex_trial.py").read_text("utf-8")
    found: list[Trial] = []
    last = time.monotonic() + _IN_ALL
    try:
        for raw in answers(program, patterns, _SECONDS):
            found.append(Trial(raw.get("error"), raw.get("position"), raw.get("slow")))
            if time.monotonic() > last:
                break
    except OutOfTimeError:
        found.append(Trial(slow=0))
    except NotStartedError:
        pass
    return tuple(found + [Trial()] * (len(patterns) - len(found)))
