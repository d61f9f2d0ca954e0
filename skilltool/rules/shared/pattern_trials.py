"""Compiling and timing a skill's own regular expressions, in a process that can be killed."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache

# The process limits processor time per pattern. These limits of wall time are for systems where it cannot, and
# for skills with many slow patterns: reporting the first few is enough, and a skill has ten seconds in total.
_SECONDS_PER_PATTERN, _SECONDS_IN_ALL = 4.0, 5.0


@dataclass(frozen=True, slots=True)
class Trial:
    """The result for one pattern; all None if nothing is wrong with it, or the time ran out before its turn.

    `error` is the message of Python's `re` if the pattern does not compile, `position` the offset it names.
    `slow` is the length in characters of a message that takes more than a second to search, 0 if that
    length is not known.
    """

    error: str | None = None
    position: int | None = None
    slow: int | None = None


@lru_cache(maxsize=8)
def try_patterns(patterns: tuple[str, ...]) -> tuple[Trial, ...]:
    """Return one trial per pattern, in order: each is compiled and run against messages made to be slow."""
    from importlib.resources import files

    from skilltool.runtimes.patterns.bounded_process import NotStartedError, OutOfTimeError, answers

    program = (files("skilltool.runtimes.patterns") / "regex_timing.py").read_text("utf-8")
    trials: list[Trial] = []
    last = time.monotonic() + _SECONDS_IN_ALL
    try:
        for raw in answers(program, patterns, _SECONDS_PER_PATTERN):
            trials.append(Trial(raw.get("error"), raw.get("position"), raw.get("slow")))
            if time.monotonic() > last:
                break
    except OutOfTimeError:
        trials.append(Trial(slow=0))
    except NotStartedError:
        pass
    return tuple(trials + [Trial()] * (len(patterns) - len(trials)))
