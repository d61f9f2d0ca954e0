"""YAML texts that the npm package `yaml` 2.8.2 tolerates and libyaml refuses, rewritten for libyaml.

Source: the results of `yaml` for generated texts. A rewritten text has the same meaning, except where
quoted text or a block scalar happens to look like what is rewritten; so it is tried only after libyaml has
refused the given one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.emulation.npm_yaml_characters import PRIVATE

_SURROGATE_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_LONE_SURROGATE = re.compile(r"\\u([dD][89a-fA-F][0-9a-fA-F]{2})")
_TABS_ON_EMPTY_LINE = re.compile(r"^ *\t[ \t]*(?=(?:#.*)?\r?$)", re.MULTILINE)
_EMPTY_KEY = re.compile(r"^( *(?:- +)*):(?=[ \t\r]|$)", re.MULTILINE)
_ANCHOR_OR_ALIAS = re.compile(r"(?<![^\s,\[{])([&*])([^\s,\[\]{}]+)")

# A character that is no letter and no digit, and no control character either.
_REWRITTEN = re.compile("-((?!3[0-9]-|4[1-9a-f]-|5[0-9a]-|6[1-9a-f]-|7[0-9a]-)[2-9a-f][0-9a-f]+)-")


def rewritten_for_libyaml(text: str) -> Iterator[tuple[str, bool]]:
    """Yield rewritten texts to try, each with a final line end, and whether a closing quote was added.

    Rewritten are tabs on lines that are otherwise empty or a comment, escapes of surrogates, empty keys
    (lines that begin with a colon), and anchors whose names are not ASCII words. `yaml` also accepts a
    quoted scalar that is never closed if the text ends with the same quote, as content; libyaml gets a
    closing one added.
    """
    rewritten = with_ascii_names(with_whole_surrogates(without_tabs_on_empty_lines(text)))
    with_null_keys = _EMPTY_KEY.sub(r"\1~:", rewritten)
    quote = text[-1] if text.endswith(("'", '"')) else ""
    for end in dict.fromkeys(["", quote]):
        yield f"{rewritten}{end}\n", bool(end)
        yield f"{with_null_keys}{end}\n", bool(end)


def without_tabs_on_empty_lines(text: str) -> str:
    """Return text without the tabs on lines that are otherwise empty or a comment."""
    return _TABS_ON_EMPTY_LINE.sub("", text) if "\t" in text else text


def with_whole_surrogates(text: str) -> str:
    """Return text with an escaped pair of surrogates as one escape, and a lone one as a private character."""
    if "\\u" not in text:
        return text
    return _LONE_SURROGATE.sub(_as_private, _SURROGATE_PAIR.sub(_as_one_escape, text))


def with_ascii_names(text: str) -> str:
    """Return text with ASCII words as names of anchors and aliases."""
    return _ANCHOR_OR_ALIAS.sub(_with_ascii_name, text) if "&" in text or "*" in text else text


def original_name(name: str) -> str:
    """Return the name of an alias as it was before `with_ascii_names`."""
    return _REWRITTEN.sub(lambda found: chr(int(found[1], 16)), name)


def _as_one_escape(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16), int(pair[2], 16)
    return f"\\U{0x10000 + ((high - 0xD800) << 10) + low - 0xDC00:08x}"


def _as_private(surrogate: re.Match[str]) -> str:
    return f"\\U{PRIVATE + int(surrogate[1], 16):08x}"


def _with_ascii_name(name: re.Match[str]) -> str:
    parts = (each if each.isascii() and each.isalnum() else f"-{ord(each):x}-" for each in name[2])
    return name[1] + "".join(parts)
