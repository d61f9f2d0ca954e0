"""YAML texts that js-yaml tolerates and libyaml refuses, rewritten for libyaml, and back.

Source: the results of js-yaml 4.1.1 and 3.15.2 for generated texts. A rewritten text has the same meaning,
except where quoted text or a block scalar happens to look like what is rewritten; so it is tried only after
libyaml has refused the given one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.emulation.npm_yaml_characters import PRIVATE, unescaped
from skilltool.emulation.npm_yaml_tolerance import (
    with_ascii_names,
    with_whole_surrogates,
    without_tabs_on_empty_lines,
)
from skilltool.text.frontmatter.plain_lines import is_printable

__all__ = ["escaped", "rewritten_for_libyaml", "unescaped"]

_UNUSUAL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff\ufeff]")
# What version 3 lets go on in the line of a key or a value: another entry, as if on a line of its own.
_QUOTED = r"\"(?>(?:[^\"\\\n]|\\[^\n])*)\"|'[^'\n]*'|\[[^\]\n]*\]|\{[^}\n]*\}"
_ENTRY_AFTER_VALUE = re.compile(
    r"^(?P<indent> *)(?P<entry>[^\s#'\"\[{:][^\s:]*:"
    rf"(?: +(?:{_QUOTED})[ \t]*(?=[^\s#:][^\n:]*:(?: |$))| +(?=\? )))",
    re.MULTILINE,
)
_TABS_AT_LINE_START = re.compile(r"^( *)\t[ \t]*", re.MULTILINE)


def escaped(text: str) -> str:
    """Return text with characters that libyaml refuses, or takes for line ends, replaced by private ones."""
    return text if is_printable(text) else _UNUSUAL.sub(_private, text)


def _private(found: re.Match[str]) -> str:
    return chr(PRIVATE + ord(found[0]))


def rewritten_for_libyaml(text: str, version: int) -> Iterator[str]:
    """Yield rewritten texts to try for js-yaml's `version`.

    They have no tabs on empty lines, escapes of surrogates are as one, and names of anchors are ASCII words.
    In version 3 a tab does not indent, and an entry may begin in the line of a value in quotes or brackets.
    """
    rewritten = with_ascii_names(with_whole_surrogates(without_tabs_on_empty_lines(text)))
    if version == 3:
        rewritten = _TABS_AT_LINE_START.sub(r"\1", rewritten)
        rewritten = _ENTRY_AFTER_VALUE.sub(r"\g<indent>\g<entry>\n\g<indent>", rewritten)
    if rewritten != text:
        yield rewritten
