"""Pydantic 2: what it accepts for the types of a model's fields, and the text of its `ValidationError`.

A `Check` is a field's type in the default (lax) mode: it gets the path of a value and the value, and returns
what the field becomes and the problems, in pydantic's order. Sources: the validators of pydantic-core, whose
rules and messages these are, and its `validation_exception.rs`; the version is part of the address at the end
of each problem. Values are shown as `repr` shows them, cut to about 50 bytes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Path = tuple[str | int, ...]
_MAX_BYTES = 50
_NONE: Mapping[str, str] = {}
_TRUE = frozenset({"1", "on", "t", "true", "y", "yes"})
_FALSE = frozenset({"0", "off", "f", "false", "n", "no"})
# Digits, single `_` between them, a fraction of zeros; of more digits, `int` would refuse the text.
_WHOLE_NUMBER = r"([+-]?[0-9](?>(?:_?[0-9]){0,4000}))(?:\.0+)?"
_SURROGATE = "[\ud800-\udfff]"
_NO_UNICODE = "Input should be a valid string, unable to parse raw data as a unicode string"
_NO_BOOL = "Input should be a valid boolean, unable to interpret input"


@dataclass(frozen=True, slots=True)
class Problem:
    """One line of a validation error.

    `path` leads to the value, `()` is the model itself. `kind` is pydantic's name for the type of error,
    `message` its text. `value` is the input, shown after the message.
    """

    path: Path
    kind: str
    message: str
    value: Any


Checked = tuple[Any, list[Problem]]
Check = Callable[[Path, Any], Checked]


def string(path: Path, value: Any) -> str | Problem:
    """Return what a field of type `str` makes of `value`: a string as it is, bytes decoded; else the problem.

    In pydantic's default (lax) mode numbers, bools, dates and None are not strings.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            return Problem(path, "string_unicode", _NO_UNICODE, value)
    return Problem(path, "string_type", "Input should be a valid string", value)


def text(path: Path, value: Any) -> Checked:
    """Check a `str`."""
    problem = string(path, value)
    return (None, [problem]) if isinstance(problem, Problem) else (problem, [])


def bounded_text(least: int, most: int) -> Check:
    """Return the check of a `str` of at least `least` and at most `most` code points."""

    def check(path: Path, value: Any) -> Checked:
        found, problems = text(path, value)
        if problems:
            return found, problems
        if not _is_unicode(found):
            return None, [Problem(path, "string_unicode", _NO_UNICODE, value)]
        if len(found) > most:
            words = f"String should have at most {most} character{_plural(most)}"
            return None, [Problem(path, "string_too_long", words, value)]
        if len(found) < least:
            words = f"String should have at least {least} character{_plural(least)}"
            return None, [Problem(path, "string_too_short", words, value)]
        return found, []

    return check


def flag(path: Path, value: Any) -> Checked:
    """Check a `bool`; 0, 1 and words such as `yes` and `off` are accepted, too."""
    if isinstance(value, bool):
        return value, []
    if isinstance(value, str) and not _is_unicode(value):
        return None, [Problem(path, "string_unicode", _NO_UNICODE, value)]
    if isinstance(value, str | bytes):
        try:
            word = (value if isinstance(value, str) else value.decode("utf-8")).lower()
        except UnicodeDecodeError:
            word = ""
        if word in _TRUE or word in _FALSE:
            return word in _TRUE, []
        return None, [Problem(path, "bool_parsing", _NO_BOOL, value)]
    whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if whole and abs(value) < 2**63:
        if value in (0, 1):
            return bool(value), []
        return None, [Problem(path, "bool_parsing", _NO_BOOL, value)]
    return None, [Problem(path, "bool_type", "Input should be a valid boolean", value)]


def whole_number(path: Path, value: Any) -> Checked:
    """Check an `int`; a bool, a number without a fraction and the text of one are accepted, too."""
    if isinstance(value, int):
        return int(value), []
    if isinstance(value, float):
        if not math.isfinite(value):
            return None, [Problem(path, "finite_number", "Input should be a finite number", value)]
        if value.is_integer() and abs(value) >= 2**63:
            words = "Unable to parse input string as an integer, exceeded maximum size"
            return None, [Problem(path, "int_parsing_size", words, value)]
        words = "Input should be a valid integer, got a number with a fractional part"
        return (
            (int(value), [])
            if value.is_integer()
            else (None, [Problem(path, "int_from_float", words, value)])
        )
    if isinstance(value, str):
        if match := re.fullmatch(_WHOLE_NUMBER, value.strip()):
            return int(match[1]), []
        words = "Input should be a valid integer, unable to parse string as an integer"
        return None, [Problem(path, "int_parsing", words, value)]
    return None, [Problem(path, "int_type", "Input should be a valid integer", value)]


def at_least(least: int) -> Check:
    """Return the check of an `int` of at least `least`."""

    def checked(path: Path, value: Any) -> Checked:
        found, problems = whole_number(path, value)
        if problems or found >= least:
            return found, problems
        words = f"Input should be greater than or equal to {least}"
        return None, [Problem(path, "greater_than_equal", words, value)]

    return checked


def anything(path: Path, value: Any) -> Checked:
    """Accept any value, as `Any` does."""
    return value, []


def optional(check: Check) -> Check:
    """Return the check of `T | None`."""
    return lambda path, value: (None, []) if value is None else check(path, value)


def list_of(check: Check) -> Check:
    """Return the check of `list[T]`; a tuple or a set is accepted, too, and a set is sorted by text."""

    def checked(path: Path, value: Any) -> Checked:
        if isinstance(value, set | frozenset):
            value = sorted(value, key=str)
        elif not isinstance(value, list | tuple):
            return None, [Problem(path, "list_type", "Input should be a valid list", value)]
        found = [check((*path, index), item) for index, item in enumerate(value)]
        return [item for item, _ in found], [problem for _, problems in found for problem in problems]

    return checked


def table_of(key_check: Check, value_check: Check) -> Check:
    """Return the check of `dict[K, V]`; the path of a problem with a key ends in `[key]`."""

    def checked(path: Path, value: Any) -> Checked:
        if not isinstance(value, Mapping):
            return None, [Problem(path, "dict_type", "Input should be a valid dictionary", value)]
        found: dict[Any, Any] = {}
        problems: list[Problem] = []
        for key, item in value.items():
            step = (*path, _step(key))
            key_found, key_problems = key_check((*step, "[key]"), key)
            item_found, item_problems = value_check(step, item)
            problems += key_problems + item_problems
            if not key_problems:
                found[key_found] = item_found
        return found, problems

    return checked


def validated(check: Check, error_for: Callable[[Any], str | None]) -> Check:
    """Return `check` followed by a validator: `error_for` returns the message of its ValueError, or None."""

    def checked(path: Path, value: Any) -> Checked:
        found, problems = check(path, value)
        words = None if problems else error_for(found)
        if words is not None:
            return None, [Problem(path, "value_error", f"Value error, {words}", value)]
        return found, problems

    return checked


def keys_that_are_strings(value: Mapping[Any, Any]) -> list[Problem]:
    """Return the problems of keys that are no field and not strings, of a model that keeps unknown fields."""
    words = "Keys should be strings"
    return [Problem((_step(key),), "invalid_key", words, key) for key in value if not isinstance(key, str)]


def model_of(name: str, fields: Mapping[str, tuple[Check, Any]], aliases: Mapping[str, str] = _NONE) -> Check:
    """Return the check of the model `name`: each field's check and default (`...` if it is required).

    `aliases` are other names of fields (`populate_by_name`): the alias counts first, and names the problem.
    """

    def checked(path: Path, value: Any) -> Checked:
        if not isinstance(value, dict):
            words = f"Input should be a valid dictionary or instance of {name}"
            return None, [Problem(path, "model_type", words, value)]
        found: dict[str, Any] = {}
        problems: list[Problem] = []
        for field, (check, default) in fields.items():
            alias = aliases.get(field, field)
            given = alias if alias in value else field
            if given in value:
                found[field], new = check((*path, given), value[given])
                problems += new
            elif default is ...:
                problems.append(missing((*path, field), value))
            else:
                found[field] = default.copy() if isinstance(default, list | dict) else default
        return found, problems

    return checked


def _step(key: Any) -> str | int:
    """Return a key as a path shows it; True is 1."""
    if isinstance(key, int):
        return int(key)
    return key if isinstance(key, str) else repr(key)


def _is_unicode(value: str) -> bool:
    """Return whether a string has no lone surrogate."""
    return re.search(_SURROGATE, value) is None


def _plural(count: int) -> str:
    return "" if count == 1 else "s"


def missing(path: Path, whole: Any) -> Problem:
    """Return the problem of a required field that is missing; `whole` is the input it is missing from."""
    return Problem(path, "missing", "Field required", whole)


def error_text(model: str, problems: Sequence[Problem], version: str) -> str:
    """Return `str()` of the ValidationError for the class `model`; `version` as in `2.12`."""
    lines = [f"{len(problems)} validation error{_plural(len(problems))} for {model}"]
    for problem in problems:
        if problem.path:
            lines.append(".".join(_step_shown(step) for step in problem.path))
        value, value_type = abbreviated(problem.value), _type_name(problem.value)
        details = f"type={problem.kind}, input_value={value}, input_type={value_type}"
        lines.append(f"  {problem.message} [{details}]")
        lines.append(
            f"    For further information visit https://errors.pydantic.dev/{version}/v/{problem.kind}"
        )
    return "\n".join(lines)


def abbreviated(value: Any) -> str:
    """Return `repr(value)` as pydantic prints it: cut in the middle if its UTF-8 exceeds 50 bytes."""
    try:
        shown = repr(value)
    except Exception:  # an integer too long for `repr`, or nesting too deep
        shown = f"<unprintable {_type_name(value)} object>"
    raw = shown.encode("utf-8", "surrogatepass")
    if len(raw) <= _MAX_BYTES:
        return shown
    half = _MAX_BYTES // 2
    # A character that the cut would split is dropped.
    begin, end = raw[:half], raw[len(raw) - half + 1 :]
    return f"{begin.decode('utf-8', 'ignore')}...{end.decode('utf-8', 'ignore')}"


def _step_shown(step: str | int) -> str:
    return f"`{step}`" if isinstance(step, str) and "." in step else str(step)


def _type_name(value: Any) -> str:
    return type(value).__name__
