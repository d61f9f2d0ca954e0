"""The edits that give a file LF line ends."""

from __future__ import annotations

from skilltool.findings.finding import Edit
from skilltool.text.lazy_pattern import lazy_pattern

_LINE_END = lazy_pattern(r"\r\n?")
_MOST = 20_000  # edits, more than a file has lines that people wrote


def to_line_feeds(text: str, first: int) -> tuple[Edit, ...]:
    """Return an edit for each carriage return from offset `first`; one for all of them if there are very many."""
    if text.count("\r") <= _MOST:
        return tuple(Edit(m.start(), m.end(), "\n") for m in _LINE_END.finditer(text, first))
    end = text.rfind("\r") + 1
    end += text.startswith("\n", end)
    return (Edit(first, end, text[first:end].replace("\r\n", "\n").replace("\r", "\n")),)
