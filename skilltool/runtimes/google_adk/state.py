"""How does google-adk put values of a session's state into the text of a skill (`adk_inject_state`)?

Source: `google/adk/flows/llm_flows/prompt/_instructions_utils.py` of google-adk 2.13.0, and runs of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_BRACES = re.compile(r"(?<![${\\])\{++([^{}]*+)\}++")
_ARTIFACT = "artifact."
_SCOPES = frozenset({"app", "user", "temp"})


class MissingValueError(KeyError):
    """A name that the state does not have, and that is not marked as optional; it ends the whole turn."""


def injected(text: str, state: Mapping[str, Any], agent: str) -> str:
    """Return a text in which each `{name}` is replaced; raises `MissingValueError`.

    `{name?}` may be missing; anything but the name of a value is kept. Artifacts are not known here.
    """

    def value_of(found: re.Match[str]) -> str:
        name = found[1].strip()
        optional = name.endswith("?")
        name = name.removesuffix("?")
        if name.startswith(_ARTIFACT):
            if optional:
                return ""
            missing = name.removeprefix(_ARTIFACT)
            raise MissingValueError(f"Artifact '{missing}' not found in agent '{agent}'.")
        if not _is_name(name):
            return found[0]
        if name not in state and not optional:
            raise MissingValueError(f"Context variable not found: `{name}` in agent '{agent}'.")
        value = state.get(name)
        return "" if value is None else str(value)

    return _BRACES.sub(value_of, text)


def _is_name(name: str) -> bool:
    scope, colon, rest = name.partition(":")
    return rest.isidentifier() and scope in _SCOPES if colon else name.isidentifier()
