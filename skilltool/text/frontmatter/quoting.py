"""Quotes text as a YAML scalar on one line, so that every parser reads the same text.

Sources: YAML 1.2.2, sections 7.3.1 (double quotes) and 7.3.2 (single quotes).
"""

from __future__ import annotations

import re

from skilltool.text.frontmatter.scalars import core_value, yaml11_value

_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}
_UNPRINTABLE = re.compile(
    '[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|["\\\\\u2028\u2029]'
)


def quoted(text: str) -> str:
    """Return `text` in double quotes if nothing needs escaping, else in single quotes if that is enough.

    Parsers that strip quotes but do not know escapes then read the same text in most cases.
    """
    if not _UNPRINTABLE.search(text):
        return f'"{text}"'
    plain = not _UNPRINTABLE.search(text.replace('"', "").replace("\\", ""))
    if plain and "'" not in text:
        return f"'{text}'"
    return '"' + _UNPRINTABLE.sub(_escape, text) + '"'


def quoted_if_needed(text: str) -> str:
    """Return `text` unquoted if it is a word that every version of YAML reads as a string, else quoted."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", text)
    return text if plain and yaml11_value(text) == core_value(text) == text else quoted(text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in _ESCAPED:
        return _ESCAPED[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
