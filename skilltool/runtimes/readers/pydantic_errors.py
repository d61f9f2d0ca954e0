"""The text of pydantic's `ValidationError`, for runtimes that print it.

Shape and words are those of pydantic 2 (pydantic-core's `validation_exception.rs`); the version
stands in the address at the end. Values are shown as `repr` shows them, 50 bytes at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_SHOWN_BYTES = 50


@dataclass(frozen=True, slots=True)
class Problem:
    """One line of a validation error.

    `path` leads to the value, `()` for the model itself; `kind` is pydantic's name for the sort
    of error, `message` its words; `value` is what was given, shown behind them.
    """

    path: tuple[str | int, ...]
    kind: str
    message: str
    value: Any


def string(path: tuple[str | int, ...], value: Any) -> str | Problem:
    """Return what a field of type `str` takes from `value`: text as it is, bytes decoded; else the problem.

    It is pydantic's usual mode, in which numbers, bools, dates and None are no strings.
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
    """Return the problem of a field that is required and not there; `whole` is what it should be in."""
    return Problem(path, "missing", "Field required", whole)


def error_text(model: str, problems: Sequence[Problem], version: str) -> str:
    """Return `str()` of the ValidationError of the class `model`; `version` is pydantic's, as `2.12`."""
    plural = "" if len(problems) == 1 else "s"
    lines = [f"{len(problems)} validation error{plural} for {model}"]
    for problem in problems:
        if problem.path:
            lines.append(".".join(_step(step) for step in problem.path))
        details = (
            f"type={problem.kind}, input_value={shown(problem.value)}, input_type={_type(problem.value)}"
        )
        lines.append(f"  {problem.message} [{details}]")
        lines.append(
            f"    For further information visit https://errors.pydantic.dev/{version}/v/{problem.kind}"
        )
    return "\n".join(lines)


def shown(value: Any) -> str:
    """Return `repr(value)` as pydantic prints it: cut in the middle if its UTF-8 is longer than 50 bytes."""
    try:
        text = repr(value)
    except Exception:  # an integer too long for `repr`, or nesting too deep
        text = f"<unprintable {_type(value)} object>"
    raw = text.encode("utf-8", "surrogatepass")
    if len(raw) <= _SHOWN_BYTES:
        return text
    half = _SHOWN_BYTES // 2
    # A character that the cut would go through is left out.
    begin, end = raw[:half], raw[len(raw) - half + 1 :]
    return f"{begin.decode('utf-8', 'ignore')}...{end.decode('utf-8', 'ignore')}"


def _step(step: str | int) -> str:
    return f"`{step}`" if isinstance(step, str) and "." in step else str(step)


def _type(value: Any) -> str:
    return type(value).__name__
