"""Does a regular expression compile, and how long can it take? To be run in a process that can be ended.

Whether an expression backtracks without end is not guessed from its looks but measured: for each
repetition in it, messages are made up that repeat what the repetition takes and then break off, and
the expression is searched in them. One that takes longer than the bound is the proof.
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

SECONDS = 1.0  # of processor time, for one message
_BUDGET = 3.0  # the same, for one expression
_MANY = 8  # a repetition of fewer times cannot take long
# Exponential time shows in a short message, polynomial time in a long one.
_LENGTHS = (45, 2_000)
_ENDS = ("\0", "", "!")
_LONG = 200  # characters of a text that a part of an expression takes
_MOST = 60  # messages of one length
_REPEATS = frozenset({op.MAX_REPEAT, op.MIN_REPEAT})
_CLASSES = {
    op.CATEGORY_DIGIT: "0",
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_WORD: "a",
    op.CATEGORY_NOT_DIGIT: "a",
    op.CATEGORY_NOT_SPACE: "a",
    op.CATEGORY_NOT_WORD: "-",
}


def tried(pattern: str) -> dict[str, Any]:
    """Return `error` and `position` for a pattern that does not compile, `slow` for one that takes long.

    `position` is an offset into the pattern or None; `slow` the length of the message it took long for.
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
    """Have `TimeoutError` raised after so much processor time; without a timer, the caller ends us."""
    with suppress(AttributeError):  # Windows has none
        signal.setitimer(signal.ITIMER_VIRTUAL, seconds)


def _messages(pattern: str) -> Iterator[str]:
    """Yield messages that could take long, the short ones first."""
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
    """Yield, for each repetition, a text that leads up to it and one that it takes once."""
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
    """Return a text that nodes take: as short as can be, or with every optional part once (`full`)."""
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
    """Return a character that a node of one character takes."""
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
    """Yield one character for each node of one character, at any depth."""
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
        sys.stdout.write(json.dumps(tried(each)) + "\n")
        sys.stdout.flush()
