"""The TypeError of CPython 3.13 for a call with the wrong keyword arguments.

Runtimes in Python pass the model's arguments to a function as `**arguments` and print the error. Source:
`ceval.c` (initialize_locals) and `suggestions.c` of CPython 3.13.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

_MOVE, _CASE = 2, 1
_LONGEST = 40


def not_a_mapping(function: str, value: Any) -> str:
    """Return the message for `function(**value)` with what is not a mapping; `function` has its module."""
    return f"{function}() argument after ** must be a mapping, not {type(value).__name__}"


def repeated_keyword(function: str, given: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """Return the message for the first argument that the caller passes by keyword, too, or None.

    That is found before the call, so `function` has its module.
    """
    name = next((name for name in arguments if name in set(given)), None)
    return None if name is None else f"{function}() got multiple values for keyword argument '{name}'"


def repeated(function: str, taken: Iterable[str], arguments: Mapping[str, Any]) -> str | None:
    """Return the message for the first argument whose parameter is `taken` by position, or None."""
    name = next((name for name in arguments if name in set(taken)), None)
    return None if name is None else f"{function}() got multiple values for argument '{name}'"


def mismatch(
    function: str, parameters: Iterable[str], given: Iterable[str], arguments: Mapping[str, Any]
) -> str | None:
    """Return the message for arguments that do not fit `parameters` (without defaults), None if they do.

    `given` are the parameters that the caller passes itself. The first unknown name is reported before
    missing ones.
    """
    known = list(parameters)
    for name in arguments:
        if name not in known:
            close = suggestion(name, known)
            hint = f". Did you mean '{close}'?" if close else ""
            return f"{function}() got an unexpected keyword argument '{name}'{hint}"
    missing = [f"'{name}'" for name in known if name not in {*given, *arguments}]
    if not missing:
        return None
    listed = " and ".join(missing) if len(missing) < 3 else f"{', '.join(missing[:-1])}, and {missing[-1]}"
    plural = "" if len(missing) == 1 else "s"
    return f"{function}() missing {len(missing)} required positional argument{plural}: {listed}"


def suggestion(name: str, candidates: Iterable[str]) -> str | None:
    """Return the candidate that Python suggests for `name`, or None."""
    try:
        wrong = name.encode()
    except UnicodeEncodeError:
        return None
    best, found = None, None
    for candidate in candidates:
        raw = candidate.encode()
        limit = (len(wrong) + len(raw) + 3) * _MOVE // 6
        limit = limit if best is None else min(limit, best - 1)
        distance = _distance(wrong, raw, limit)
        if distance <= limit:
            best, found = distance, candidate
    return found


def _distance(a: bytes, b: bytes, limit: int) -> int:
    """Return the Levenshtein distance, a change of case counting half; above `limit`, return `limit + 1`."""
    while a and b and a[0] == b[0]:
        a, b = a[1:], b[1:]
    while a and b and a[-1] == b[-1]:
        a, b = a[:-1], b[:-1]
    if not a or not b:
        return (len(a) + len(b)) * _MOVE
    if len(a) > _LONGEST or len(b) > _LONGEST:
        return limit + 1
    if len(b) < len(a):
        a, b = b, a
    row = [(index + 1) * _MOVE for index in range(len(a))]
    result = 0
    for position, byte in enumerate(b):
        distance = result = position * _MOVE
        for index, other in enumerate(a):
            substitute = distance + _substitution(byte, other)
            distance = row[index]
            result = min(min(result, distance) + _MOVE, substitute)
            row[index] = result
        if min(row) > limit:
            return limit + 1
    return result


def _substitution(a: int, b: int) -> int:
    if a == b:
        return 0
    both = bytes((a,)).lower() == bytes((b,)).lower()
    return _CASE if both else _MOVE
