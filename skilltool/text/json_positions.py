"""Parses JSON as RFC 8259 has it, and finds where in the text a value or a key is."""

from __future__ import annotations

import json
import re
from typing import Any

from skilltool.text.source import Span

_BLANK = re.compile(r"[ \t\n\r]*")
_LONGEST_NUMBER = 300  # digits of an integer; Python refuses to convert some thousands
_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity', re.DOTALL)
_TOO_DEEP = "nested too deeply"


class JsonError(ValueError):
    """Text that is not JSON: `problem` is the reason, `start` its offset."""

    def __init__(self, problem: str, start: int) -> None:
        """Take the reason and the offset."""
        super().__init__(problem)
        self.problem = problem
        self.start = start


class _ConstantError(Exception):
    """What Python's parser takes for a number, and JSON does not have."""


def parse(text: str) -> Any:
    """Return the value of JSON text; raises `JsonError`."""
    try:
        return json.loads(text, parse_constant=_refuse, parse_int=_integer)
    except json.JSONDecodeError as error:
        raise JsonError(error.msg[:1].lower() + error.msg[1:], error.pos) from None
    except _ConstantError as error:
        starts = (found.start() for found in _CONSTANT.finditer(text) if found[0][0] != '"')
        raise JsonError(f"`{error}` is not JSON", next(starts)) from None
    except RecursionError:
        raise JsonError(_TOO_DEEP, 0) from None


def span_at(text: str, path: tuple[str | int, ...], key: bool = False) -> Span:
    """Return the span of the value at a path of keys and indexes in valid JSON, or with `key` of its key.

    If the path does not exist, return the span of the deepest part of it that does.
    """
    at = _after_blanks(text, 0)
    for depth, step in enumerate(path):
        found = _member(text, at, step) if isinstance(step, str) else _item(text, at, step)
        if found is None:
            break
        start, at = found
        if key and depth == len(path) - 1 and isinstance(step, str):
            return Span(start, _end(text, start))
    return Span(at, _end(text, at))


def _member(text: str, at: int, wanted: str) -> tuple[int, int] | None:
    """Return where a key and its value are in the object at `at`, the last ones if it is there twice."""
    found = None
    if text[at] != "{":
        return None
    at = _after_blanks(text, at + 1)
    while text[at] == '"':
        start = at
        key, at = _DECODER.raw_decode(text, start)
        at = _after_blanks(text, _after_blanks(text, at) + 1)
        if key == wanted:
            found = start, at
        at = _after_blanks(text, _end(text, at))
        if text[at] == ",":
            at = _after_blanks(text, at + 1)
    return found


def _item(text: str, at: int, wanted: int) -> tuple[int, int] | None:
    """Return twice where an item of the list at `at` is."""
    if text[at] != "[":
        return None
    at = _after_blanks(text, at + 1)
    number = 0
    while text[at] != "]":
        if number == wanted:
            return at, at
        at = _after_blanks(text, _end(text, at))
        at = _after_blanks(text, at + 1) if text[at] == "," else at
        number += 1
    return None


def _end(text: str, at: int) -> int:
    return _DECODER.raw_decode(text, at)[1]


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _LONGEST_NUMBER else float(digits)


def _refuse(constant: str) -> None:
    raise _ConstantError(constant)


_DECODER = json.JSONDecoder(parse_int=_integer)
