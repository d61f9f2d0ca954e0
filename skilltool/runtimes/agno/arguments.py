"""How does Agno read the arguments of a call, and what does it say of those that do not fit?

Source: `agno/utils/functions.py` of agno 3.1.10 and pydantic's `validate_call`, and the messages after
scripted calls.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from typing import Any

from skilltool.emulation.pydantic import (
    Check,
    Problem,
    error_text,
    flag,
    list_of,
    optional,
    text,
    whole_number,
)
from skilltool.runtimes.agno.listing import INSTRUCTIONS, REFERENCE, SCRIPT
from skilltool.runtimes.values import Refusal, not_read

_PYDANTIC = "2.14"
_LONGEST = 100_000  # characters that are read as a Python literal
_WORDS = {"none": None, "null": None, "true": True, "false": False}
_PARAMETERS: dict[str, dict[str, tuple[Check, Any]]] = {
    INSTRUCTIONS: {"skill_name": (text, ...)},
    REFERENCE: {"skill_name": (text, ...), "reference_path": (optional(text), None)},
    SCRIPT: {
        "skill_name": (text, ...),
        "script_path": (optional(text), None),
        "execute": (flag, False),
        "args": (optional(list_of(text)), None),
        "timeout": (whole_number, 30),
    },
}


class CallError(Exception):
    """Its text is what the framework answers to a call whose arguments it cannot use."""


class ArgsKwargs:
    """Arguments as pydantic shows them."""

    def __init__(self, keywords: Mapping[str, Any]) -> None:
        """Take the arguments by name."""
        self.keywords = dict(keywords)

    def __repr__(self) -> str:
        return f"ArgsKwargs((), {self.keywords})" if self.keywords else "ArgsKwargs(())"


def values(tool: str, given: Mapping[str, Any] | str) -> dict[str, Any]:
    """Return the value of each parameter; raises `CallError`, and `Refusal` for what is not read."""
    arguments = _cleaned(_parsed(given) if isinstance(given, str) else given)
    if not all(isinstance(name, str) for name in arguments):
        raise CallError("keywords must be strings")
    found: dict[str, Any] = {}
    problems: list[Problem] = []
    for name, (check, default) in _PARAMETERS[tool].items():
        if name in arguments:
            found[name], new = check((name,), arguments[name])
            problems += new
        elif default is ...:
            whole = ArgsKwargs(arguments)
            problems.append(Problem((name,), "missing_argument", "Missing required argument", whole))
        else:
            found[name] = default
    words = "Unexpected keyword argument"
    extra = [name for name in arguments if name not in _PARAMETERS[tool]]
    problems += [Problem((name,), "unexpected_keyword_argument", words, arguments[name]) for name in extra]
    if problems:
        raise CallError(error_text(f"Skills._{tool}", problems, _PYDANTIC))
    return found


def _parsed(raw: str) -> Mapping[str, Any]:
    if raw == "":
        return {}
    try:
        found = _literal(raw)
    except Refusal:
        raise
    except Exception as error:
        retry = "Please make sure we can json.loads() the arguments and retry."
        raise CallError(f"Error while decoding function arguments: {error}\n\n{retry}") from None
    if found == []:
        return {}
    if not isinstance(found, dict):
        raise CallError("Function arguments are not a valid JSON object.\n\n Please fix and retry.")
    return found


def _literal(raw: str) -> Any:
    """Return data of JSON, else of a Python literal, whose error is then the one that is told."""
    try:
        return json.loads(raw)
    except Exception:
        if len(raw) > _LONGEST:
            raise not_read(f"arguments of more than {_LONGEST:,} characters") from None
        return ast.literal_eval(raw)


def _cleaned(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments in which the words for nothing, true and false are what they mean."""
    return {key: _meant(value) for key, value in given.items()}


def _meant(value: Any) -> Any:
    word = value.strip().lower() if isinstance(value, str) else ""
    return _WORDS.get(word, value)
