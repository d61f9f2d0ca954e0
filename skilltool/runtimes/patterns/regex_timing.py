"""Does a regular expression compile, and can a search for it take seconds?

Run as a program, by `bounded_process`.

Catastrophic backtracking is measured, not guessed from the shape of the expression. For each repetition in
it, messages are generated that repeat what the repetition matches and then break off, and the expression is
searched for in them. A search that takes longer than the limit is the proof.

The syntax tree is that of CPython's private module `re._parser`.
"""

from __future__ import annotations

import json
import re
import signal
import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

SECONDS = 1.0  # processor time for one message
_BUDGET = 3.0  # processor time for one expression
_MANY = 8  # a repetition with a lower maximum cannot take long
# Characters: exponential time shows in a short message, polynomial time in a long one.
_LENGTHS = (45, 2_000)
_ENDS = ("\0", "", "!")
_LONG = 200  # characters, the longest sample of a part of an expression
_MOST = 60  # repetitions tried, at each length
_REPEATS = frozenset({op.MAX_REPEAT, op.MIN_REPEAT})
_CLASSES = {
    op.CATEGORY_DIGIT: "0",
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_WORD: "a",
    op.CATEGORY_NOT_DIGIT: "a",
    op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_NOT_WORD: "-",
}


def compile_and_time(pattern: str) -> dict[str, Any]:
    """Return `error` and `position` for a pattern that does not compile, `slow` for one that can take long.

    `error` is the message of Python's `re`, `position` an offset into the pattern in code points, or None.
    `slow` is the length of the message for which the search exceeded the limit, in code points.
    """
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        return {"error": error.msg, "position": error.pos}
    except (RecursionError, OverflowError, MemoryError) as error:
        return {"error": str(error) or type(error).__name__, "position": None}
    started = time.process_time()
    for message in _messages(pattern):
        try:
            _set_timer(SECONDS)
            compiled.search(message)
        except TimeoutError:
            return {"slow": len(message)}
        finally:
            _set_timer(0)
        if time.process_time() - started > _BUDGET:
            break
    return {}


def _set_timer(seconds: float) -> None:
    """Raise `TimeoutError` after so much processor time; without a timer, the caller kills the process."""
    with suppress(AttributeError):  # Windows has none
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _messages(pattern: str) -> Iterator[str]:
    """Yield messages for which the search could take long, the short ones first."""
    try:
        tree = list(parser.parse(pattern, re.IGNORECASE))
        pumps = list(islice(dict.fromkeys(_pumps(tree, "")), _MOST))
    except RecursionError:
        return
    for length in _LENGTHS:
        for before, pump in pumps:
            for end in _ENDS:
                yield before + pump * (length // len(pump)) + end


def _pumps(nodes: list[Any], before: str) -> Iterator[tuple[str, str]]:
    """Yield, for each repetition, a text that leads up to it and one that a single repeat of it matches."""
    for kind, value in nodes:
        for inside in _parts(kind, value):
            yield from _pumps(inside, before)
        if kind in _REPEATS and value[1] > _MANY:
            item = list(value[2])
            texts = {_sample(item, full) for full in (False, True)} | set(_letters(item))
            for text in sorted(filter(None, texts)):
                yield before, text
                yield "", text
        before += _sample([(kind, value)], full=False)


def _parts(kind: Any, value: Any) -> list[list[Any]]:
    """Return the expressions inside one node."""
    if kind in _REPEATS or kind is op.POSSESSIVE_REPEAT:
        return [list(value[2])]
    if kind is op.SUBPATTERN:
        return [list(value[3])]
    if kind is op.BRANCH:
        return [list(branch) for branch in value[1]]
    if kind in {op.ASSERT, op.ASSERT_NOT}:
        return [list(value[1])]
    if kind is op.ATOMIC_GROUP:
        return [list(value)]
    return []


def _sample(nodes: list[Any], full: bool) -> str:
    """Return a text that nodes match: the shortest, or with every optional part once (`full`)."""
    text = ""
    for kind, value in nodes:
        if kind in {op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN, op.RANGE, op.CATEGORY}:
            text += _letter(kind, value)
        elif kind in _REPEATS or kind is op.POSSESSIVE_REPEAT:
            text += _sample(list(value[2]), full) * min(max(value[0], int(full)), _MANY)
        elif kind in {op.SUBPATTERN, op.BRANCH, op.ATOMIC_GROUP}:
            parts = _parts(kind, value)
            text += _sample(parts[-1 if full else 0], full) if parts else ""
        text = text[:_LONG]
    return text


def _letter(kind: Any, value: Any) -> str:
    """Return a character that a single-character node matches."""
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is op.RANGE:
        return chr(value[0])
    if kind is op.CATEGORY:
        return _CLASSES.get(value, "a")
    if kind is op.IN:
        if value[0][0] is op.NEGATE:
            taken = {_letter(*each) for each in value[1:]}
            return next((each for each in "ab0 -" if each not in taken), "~")
        return _letter(*value[0])
    return "a"


def _letters(nodes: list[Any]) -> Iterator[str]:
    """Yield one character for each single-character node, at any depth."""
    for kind, value in nodes:
        if kind is op.IN:
            yield from (_letter(*each) for each in value if each[0] is not op.NEGATE)
        parts = _parts(kind, value)
        if not parts:
            yield _sample([(kind, value)], full=True)
        for part in parts:
            yield from _letters(part)


def _expire(number: int, frame: object) -> None:
    raise TimeoutError


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with suppress(AttributeError):  # Windows has none
        signal.signal(signal.SIGVTALRM, _expire)
    request = json.load(sys.stdin)
    sys.stdout.write("null\n")
    for each in request:
        sys.stdout.write(json.dumps(compile_and_time(each)) + "\n")
        sys.stdout.flush()
