"""Recognizes YAML that libyaml and PyYAML read alike, which is most frontmatter.

PyYAML's own scanner, in Python, takes ten times as long as libyaml. It differs in messages, and in corners:
tabs, rare line ends, escapes, tags, aliases, several documents, brackets over several lines. A text that has
none of them, line by line, gives the same nodes in both, or is refused by both.
"""

from __future__ import annotations

import re

# Printable characters beyond ASCII, but byte order marks and what a parser takes for a line end or blank.
_WIDE = r"\xa1-\u2027\u202a-\ud7ff\uf900-\ufefe\uff00-\uffef\U00010000-\U0001faff"
_ANY = rf"[ -~{_WIDE}]"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
# A plain value begins with no sign of YAML, and holds neither `: ` nor ` #`, nor a colon at its end.
_PLAIN = rf"(?!\.\.\.)[A-Za-z0-9(/.~+$^;=<_\\{_WIDE}](?:[ -\"$-9;-~{_WIDE}]|(?<! )#|:(?! |\Z))*+"
_DOUBLE = rf"\"(?:[ !#-\[\]-~{_WIDE}]|\\[\"\\n])*+\""
_SINGLE = rf"'(?:[ -&(-~{_WIDE}]|'')*+'"
_WORD = r"[A-Za-z0-9_(./](?:[A-Za-z0-9_ ()./*@+=-]|:(?=[A-Za-z0-9_*/.(]))*+"
_ITEM = rf" *(?:{_WORD}|{_DOUBLE}|{_SINGLE}) *"
_LIST = rf"\[(?:{_ITEM}(?:,{_ITEM})*+)?+\]"
_COMMENT = rf"(?: +#{_ANY}*+)?+"
_LINE = re.compile(
    rf"(?P<indent> *+(?:- +)?+)(?:{_KEY}:(?: +|\Z))?+"
    rf"(?:(?P<block>[|>][-+]?) *|(?:{_DOUBLE}|{_SINGLE}|{_LIST}){_COMMENT} *|{_PLAIN}{_COMMENT}|#{_ANY}*+|)"
)
_CONTENT = re.compile(rf"{_ANY}*+")


def is_common(text: str) -> bool:
    """Return True only for a text that libyaml and PyYAML read alike."""
    lines = iter(text.split("\n"))
    block: int | None = None  # the column of the key or dash of an open block scalar
    for line in lines:
        if not line:
            continue
        if block is not None and len(line) - len(line.lstrip(" ")) > block:
            if _CONTENT.fullmatch(line) is None:
                return False
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            return False
        block = None
        if found["block"] is not None:
            block = _column(found["indent"], ":" in line)
            content = next(lines, "")
            if len(content) - len(content.lstrip(" ")) <= block or _CONTENT.fullmatch(content) is None:
                return False
    return True


def _column(indent: str, has_key: bool) -> int:
    """Return the column of the key before a block scalar, else that of the dash before it."""
    return len(indent) if has_key else len(indent.rstrip(" -"))
