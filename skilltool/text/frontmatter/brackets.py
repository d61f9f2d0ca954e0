"""Which brackets of YAML text are open at an offset, and are they closed after it?"""

from __future__ import annotations

from typing import NamedTuple

import yaml
from yaml.tokens import (
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
)

_CLOSING = {"[": FlowSequenceEndToken, "{": FlowMappingEndToken}


class Bracket(NamedTuple):
    """An opening bracket, its offset, and whether the next one that closes it is of its kind."""

    character: str
    at: int
    closed: bool


def open_brackets(text: str, at: int) -> tuple[Bracket, ...]:
    """Return the brackets that are open at an offset into YAML text, the outermost first.

    Brackets in quotes and comments are none. Nothing is returned for text that the scanner does not get
    through, for then nothing is known about what follows.
    """
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    stack: list[tuple[str, int]] = []
    found: list[Bracket] | None = None
    try:
        for token in yaml.scan(text, Loader=loader):
            offset = token.start_mark.index
            if found is None and offset >= at:
                found = [Bracket(*each, closed=False) for each in stack]
            if isinstance(token, FlowMappingStartToken | FlowSequenceStartToken):
                stack.append((text[offset], offset))
            elif isinstance(token, FlowMappingEndToken | FlowSequenceEndToken) and stack:
                character, opened = stack.pop()
                if found and len(stack) < len(found) and found[len(stack)].at == opened:
                    closed = isinstance(token, _CLOSING[character])
                    found[len(stack)] = Bracket(character, opened, closed)
    except yaml.YAMLError:
        return ()
    return tuple(found or ())
