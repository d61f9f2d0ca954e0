"""A fast reading of YAML that has nothing but `key: value` lines, which is most frontmatter.

It reads only what every YAML 1.2 parser reads the same way, and declines anything else.
"""

from __future__ import annotations

import re

from skilltool.runtimes.readers.common_yaml import is_printable
from skilltool.text.frontmatter.scalars import Scalar, core_value

_KEY = r"(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99})"
# A plain value begins with no sign of YAML, and holds neither `: ` nor ` #`, nor a colon at its end.
_PLAIN = r"(?P<plain>[^] !\"#%&')*,:>?@[`{|}-](?:[^#:]|(?<! )#|:(?! |$))*)"
_QUOTED = r"\"(?P<double>[^\"\\]*)\"|'(?P<single>[^']*)'"
# JavaScript's numbers are exact up to here.
_EXACT = 2**53
_LINE = re.compile(rf"{_KEY}:(?: +(?:{_QUOTED}|{_PLAIN}))? *")


def simple_mapping(text: str) -> dict[str, Scalar] | None:
    """Return the data of YAML that is only `key: value` lines, None for any other text."""
    if not is_printable(text):
        return None
    found: dict[str, Scalar] = {}
    for line in text.removesuffix("\n").split("\n"):
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        key, plain, double, single = match.group("key", "plain", "double", "single")
        if double is not None or single is not None:
            found[key] = double if double is not None else single
        else:
            found[key] = value = core_value(plain.rstrip(" ")) if plain else None
            if isinstance(value, int) and abs(value) > _EXACT:
                return None
    return found
