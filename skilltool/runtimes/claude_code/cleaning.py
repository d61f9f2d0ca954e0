"""How does Claude Code show text of a skill in its listing: on one line, and without what could mislead?"""

from __future__ import annotations

import re
import unicodedata

_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_UNCLEAN = re.compile(r"[^ -;=?-~]")
_LINE_ENDS = re.compile(r"(?:\r?\n)+")


def clean(text: str) -> str:
    """Return text on one line, with a blank for each control or format character, `<` and `>` escaped."""
    if not _UNCLEAN.search(text):
        return text
    text = _LINE_ENDS.sub(" ", _ANSI.sub("", text))
    shown = (" " if unicodedata.category(each) in ("Cc", "Cf", "Zl", "Zp") else each for each in text)
    return "".join(shown).replace("<", "&lt;").replace(">", "&gt;")
