"""YAML texts that Bun 1.4 tolerates and libyaml refuses, rewritten for libyaml."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.emulation.npm_yaml_characters import PRIVATE, unescaped

__all__ = ["escaped", "rewritten_for_libyaml", "unescaped"]

_UNUSUAL = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff\ufeff]")
_EMPTY_KEY = re.compile(r"^( *(?:- +)*):(?=[ \t\r]|$)", re.MULTILINE)
_LEADING_COMMA = re.compile(r"(^ *(?:- +)*|: +),", re.MULTILINE)
_TAB_BEFORE_COMMENT = re.compile(r"^ *\t[ \t]*(?=(?:#.*)?\r?$)", re.MULTILINE)
_COMMA = chr(PRIVATE + ord(","))


def escaped(text: str) -> str:
    """Return text with characters that libyaml refuses, or takes for line ends, replaced by private ones."""
    return _UNUSUAL.sub(lambda match: chr(PRIVATE + ord(match[0])), text)


def rewritten_for_libyaml(text: str) -> Iterator[str]:
    """Yield rewritten texts to try: a comma that begins a plain scalar, empty keys, tabs on empty lines.

    A rewritten text has the same meaning, except where quoted text or a block scalar happens to look like
    what is rewritten; so it is to be tried only after libyaml has refused the given one.
    """
    commas = _LEADING_COMMA.sub(rf"\1{_COMMA}", _TAB_BEFORE_COMMENT.sub("", text))
    yield commas
    yield _EMPTY_KEY.sub(r"\1~:", commas)
