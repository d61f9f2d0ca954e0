"""Recognizes YAML that libyaml and PyYAML read alike, which is most frontmatter.

PyYAML's own scanner, in Python, takes ten times as long as libyaml. It differs in messages, and in corners:
tabs, rare line ends, escapes, tags, aliases, several documents, brackets over several lines. A text that has
none of them, line by line, gives the same nodes in both, or is refused by both.
"""

from __future__ import annotations

import re
from functools import lru_cache

from skilltool.text.frontmatter.plain_lines import is_printable

_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
# A plain value begins with no sign of YAML, and holds neither `: ` nor ` #`, nor a colon at its end.
_PLAIN = r"(?!\.\.\.)[^] !\"#%&')*,:>?@[`{|}-](?>(?:[^#:]++|(?<! )#|:(?! |\Z))*)"
_DOUBLE = r"\"(?>(?:[^\"\\]++|\\[\"\\n])*)\""
_SINGLE = r"'(?>(?:[^']++|'')*)'"
_WORD = r"[A-Za-z0-9_(./](?>(?:[A-Za-z0-9_ ()./*@+=-]|:(?=[A-Za-z0-9_*/.(]))*)"
_ITEM = rf" *(?:{_WORD}|{_DOUBLE}|{_SINGLE}) *"
_LIST = rf"\[(?>(?:{_ITEM}(?>(?:,{_ITEM})*))?)\]"
_LINE = re.compile(
    rf"(?P<indent> *+(?>(?:- +)?))(?>(?:{_KEY}:(?: +|\Z))?)"
    rf"(?:(?P<block>[|>][-+]?) *|(?>(?:{_PLAIN}|{_DOUBLE}|{_SINGLE}|{_LIST})?) *(?:(?:(?<= )|(?<!.))#.*)?)"
)


# A dozen runtimes are asked about the same text, one after the other.
@lru_cache(maxsize=4)
def is_common(text: str) -> bool:
    """Return True only for a text that libyaml and PyYAML read alike."""
    lines = text.split("\n")
    if not is_printable(text):
        return False
    block: int | None = None  # the column of the key or dash of an open block scalar
    rest = iter(lines)
    for line in rest:
        if not line:
            continue
        if block is not None and len(line) - len(line.lstrip(" ")) > block:
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            return False
        block = None
        if found["block"] is not None:
            block = _column(found["indent"], ":" in line)
            content = next(rest, "")
            if len(content) - len(content.lstrip(" ")) <= block:
                return False
    return True


def _column(indent: str, has_key: bool) -> int:
    """Return the column of the key before a block scalar, else that of the dash before it."""
    return len(indent) if has_key else len(indent.rstrip(" -"))
