"""How long may a body be, and how many tokens is a text? The numbers are in the specification's schema."""

from __future__ import annotations

import math
from functools import cache
from typing import NamedTuple

from skilltool.skill import schema

ESTIMATOR = "characters / 4"
_CHARS_PER_TOKEN = 4


class Length(NamedTuple):
    """The most lines, and the most estimated tokens, that a body should have."""

    lines: int
    tokens: int

    @property
    def characters(self) -> int:
        """The most characters that are estimated to be so many tokens."""
        return self.tokens * _CHARS_PER_TOKEN


@cache
def recommended() -> Length:
    """Return what the Agent Skills specification recommends.

    Source: https://agentskills.io/specification, "Progressive disclosure", checked 2026-11.
    """
    specification = schema.load("agentskills")
    return Length(specification["x-max-lines"], specification["x-max-tokens"])


def tokens(characters: int) -> int:
    """Return the estimated number of tokens of a text: a quarter of its length, rounded up.

    Real tokenizers need more for code, numbers and most scripts other than Latin.
    """
    return math.ceil(max(characters, 0) / _CHARS_PER_TOKEN)
