"""Where in a file is a text that a listing shows in another form: on one line, and with `<` and `>` escaped?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skilltool.skill.model import Skill
from skilltool.text.source import Span

_BLOCK = re.compile(r"[|>][^\n]*\n")
_HALF = re.compile(r"&(?:[lg]t?)?\Z")  # of what stands for `<` or `>`
_SEPARATOR = " - "  # between two fields in a listing


def span_of_rest(skill: Skill, fields: Sequence[str], shown: str) -> Span:
    """Return the part of the fields' values that follows the text `shown`, compared without blanks.

    The value of the first field, as a whole, where escapes hide which part that is.
    """
    whole = shown[: -len(half[0])] if (half := _HALF.search(shown)) else shown
    wanted = _printed(whole.replace("&lt;", "<").replace("&gt;", ">"))
    for number, field in enumerate(fields):
        span = skill.frontmatter.span(field)
        separator = _printed(_SEPARATOR) if number else ""
        if not wanted.startswith(separator):
            break
        wanted = wanted[len(separator) :]
        written = list(_positions(skill, span))
        text = "".join(skill.source.text[at] for at in written)
        if text.startswith(wanted) and len(wanted) < len(text):
            return Span(written[len(wanted)], span.end)
        if not wanted.startswith(text):
            break
        wanted = wanted[len(text) :]
    return skill.frontmatter.span(fields[0]) if fields else skill.frontmatter.opening


def _positions(skill: Skill, span: Span) -> Iterator[int]:
    """Yield the offsets of a value's characters that are not blank, without quotes or the head of a block."""
    text, start, end = skill.source.text, span.start, span.end
    if head := _BLOCK.match(text, start, end):
        start = head.end()
    elif text[start] in "\"'" and text[end - 1] == text[start]:
        start, end = start + 1, end - 1
    return (at for at in range(start, end) if not text[at].isspace())


def _printed(text: str) -> str:
    return "".join(text.split())
