"""A fast reading of YAML that has nothing but `key: value` lines, which is most frontmatter.

It reads only what every YAML 1.2 parser reads the same way, and declines anything else.
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.text.frontmatter.plain_lines import is_printable
from skilltool.text.frontmatter.scalars import core_value

_KEY = r"(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99})"
# A plain value begins with no sign of YAML, and holds neither `: ` nor ` #`, nor a colon at its end.
_PLAIN = r"(?P<plain>[^] !\"#%&')*,:>?@[`{|}-](?:[^#:]|(?<! )#|:(?! |$))*)"
_QUOTED = r"\"(?P<double>[^\"\\]*)\"|'(?P<single>[^']*)'"
# JavaScript's numbers are exact up to here.
_EXACT = 2**53
_LINE = re.compile(rf"{_KEY}:(?: +(?:{_QUOTED}|{_PLAIN}))? *")


def simple_mapping(text: str) -> dict[str, Any] | None:
    """Return the data of YAML that is only `key: value` lines, None for any other text.

    A key without a value may have such lines below it, with two blanks before them.
    """
    if not is_printable(text):
        return None
    found: dict[str, Any] = {}
    below: dict[str, Any] | None = None  # what lines with two blanks would add to
    parent = ""
    for line in text.removesuffix("\n").split("\n"):
        indented = line.startswith("  ")
        match = _LINE.fullmatch(line, 2 if indented else 0)
        if match is None:
            return None
        key, plain, double, single = match.group("key", "plain", "double", "single")
        if plain is not None:
            value: Any = core_value(plain.rstrip(" "))
            if isinstance(value, int) and abs(value) > _EXACT:
                return None
        else:
            value = double if double is not None else single
        if indented:
            if below is None:
                return None
            found[parent] = below
            below[key] = value
        else:
            found[key], parent = value, key
            below = {} if value is None and plain is None else None
    return found
