"""The text of pydantic's `ValidationError`, for runtimes that print it.

Source: pydantic-core's `validation_exception.rs` (pydantic 2); the version is part of the address at the
end. Values are shown as `repr` shows them, cut to about 50 bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_MAX_BYTES = 50


@dataclass(frozen=True, slots=True)
class Problem:
    """One line of a validation error.

    `path` leads to the value, `()` is the model itself. `kind` is pydantic's name for the type of error,
    `message` its text. `value` is the input, shown after the message.
    """

    path: tuple[str | int, ...]
    kind: str
    message: str
    value: Any


def string(path: tuple[str | int, ...], value: Any) -> str | Problem:
    """Return what a field of type `str` makes of `value`: a string as it is, bytes decoded; else the problem.

    In pydantic's default (lax) mode numbers, bools, dates and None are not strings.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray):
        try:
            return value.decode("utf-8")
        except UnicodeDecodeError:
            message = "Input should be a valid string, unable to parse raw data as a unicode string"
            return Problem(path, "string_unicode", message, value)
    return Problem(path, "string_type", "Input should be a valid string", value)


def missing(path: tuple[str | int, ...], whole: Any) -> Problem:
    """Return the problem of a required field that is missing; `whole` is the input it is missing from."""
    return Problem(path, "missing", "Field required", whole)


def error_text(model: str, problems: Sequence[Problem], version: str) -> str:
    """Return `str()` of the ValidationError for the class `model`; `version` as in `2.12`."""
    plural = "" if len(problems) == 1 else "s"
    lines = [f"{len(problems)} validation error{plural} for {model}"]
    for problem in problems:
        if problem.path:
            lines.append(".".join(_step(step) for step in problem.path))
        value, value_type = abbreviated(problem.value), _type(problem.value)
        details = f"type={problem.kind}, input_value={value}, input_type={value_type}"
        lines.append(f"  {problem.message} [{details}]")
        lines.append(
            f"    For further information visit https://errors.pydantic.dev/{version}/v/{problem.kind}"
        )
    return "\n".join(lines)


def abbreviated(value: Any) -> str:
    """Return `repr(value)` as pydantic prints it: cut in the middle if its UTF-8 exceeds 50 bytes."""
    try:
        text = repr(value)
    except Exception:  # an integer too long for `repr`, or nesting too deep
        text = f"<unprintable {_type(value)} object>"
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= _MAX_BYTES:
        return text
    half = _MAX_BYTES // 2
    # A character that the cut would split is dropped.
    begin, end = raw[:half], raw[len(raw) - half + 1 :]
    return f"{begin.decode('utf-8', 'ignore')}...{end.decode('utf-8', 'ignore')}"


def _step(step: str | int) -> str:
    return f"`{step}`" if isinstance(step, str) and "." in step else str(step)


def _type(value: Any) -> str:
    return type(value).__name__
