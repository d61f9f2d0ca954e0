"""YAML texts that the npm package `yaml` 2.8.2 takes and libyaml does not, rewritten so that libyaml does.

Source: what `yaml` answered to generated texts. A rewritten text means the same, except where a text in
quotes or a block happens to look like what is rewritten; it is tried only after libyaml has refused the
given one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.runtimes.readers.npm_yaml_characters import PRIVATE

_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_HALF = re.compile(r"\\u([dD][89a-fA-F][0-9a-fA-F]{2})")
_TABS_BEFORE_NOTHING = re.compile(r"^ *\t[ \t]*(?=(?:#.*)?\r?$)", re.MULTILINE)
_NO_KEY = re.compile(r"^( *(?:- +)*):(?=[ \t\r]|$)", re.MULTILINE)
_NAME = re.compile(r"(?<![^\s,\[{])([&*])([^\s,\[\]{}]+)")


def for_libyaml(text: str) -> Iterator[tuple[str, bool]]:
    """Yield texts without what only libyaml minds, each with a line end, and whether a quote was closed.

    That is tabs on lines with nothing else or a comment, halves of surrogates in escapes, lines that
    begin with the colon of an empty key, names of anchors that are no ASCII words, and a quote that is never
    closed where the text ends with such a quote, which belongs to its content.
    """
    mended = _TABS_BEFORE_NOTHING.sub("", text)
    mended = _HALF.sub(_moved, _PAIR.sub(_joined, mended))
    mended = _NAME.sub(_named, mended)
    keyed = _NO_KEY.sub(r"\1~:", mended)
    quote = text[-1] if text.endswith(("'", '"')) else ""
    for end in dict.fromkeys(["", quote]):
        yield f"{mended}{end}\n", bool(end)
        yield f"{keyed}{end}\n", bool(end)


def _joined(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16), int(pair[2], 16)
    return f"\\U{0x10000 + ((high - 0xD800) << 10) + low - 0xDC00:08x}"


def _moved(half: re.Match[str]) -> str:
    return f"\\U{PRIVATE + int(half[1], 16):08x}"


def _named(name: re.Match[str]) -> str:
    parts = (each if each.isascii() and each.isalnum() else f"-{ord(each):x}-" for each in name[2])
    return name[1] + "".join(parts)
