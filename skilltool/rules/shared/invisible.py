"""Characters that nobody sees, for the rules about hidden text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from skilltool.skill.model import Skill
from skilltool.text.source import Span

# Unicode tag characters: a copy of ASCII that is shown nowhere.
_TAGS = re.compile("[\U000e0020-\U000e007f]+")
_FLAG, _END_OF_FLAG, _LONGEST_FLAG = "\U0001f3f4", "\U000e007f", 8
_DIRECTION = re.compile("[\u202a-\u202e\u2066-\u2069]+")
_FORCED = re.compile("[\u202d\u202e]")
_ZERO_WIDTH = re.compile("[\u180e\u200b-\u200d\u2060-\u2064\ufeff]+")
_JOINERS = "\u180e\u200c\u200d"
_RIGHT_TO_LEFT = frozenset({"R", "AL"})


@dataclass(frozen=True, slots=True)
class Run:
    """Invisible characters in a row, and what they say or do."""

    text: str
    span: Span


def tags(skill: Skill) -> Iterator[Run]:
    """Yield tag characters in a row as the ASCII that they copy; those of a flag's name are left out."""
    text = skill.source.text
    for match in _TAGS.finditer(text):
        is_flag = text[match.start() - 1 : match.start()] == _FLAG and match[0].endswith(_END_OF_FLAG)
        if not is_flag or len(match[0]) > _LONGEST_FLAG:
            hidden = "".join(chr(ord(c) - 0xE0000) for c in match[0] if c != _END_OF_FLAG)
            yield Run(hidden, Span(*match.span()))


def directions(skill: Skill) -> Iterator[Run]:
    """Yield controls of the writing direction by their names, those that stand beside such writing left out.

    An override is never left out: it shows text in an order that is not the one it is read in.
    """
    for match in _DIRECTION.finditer(skill.source.text):
        span = Span(*match.span())
        if _FORCED.search(match[0]) or not _is_right_to_left(_around(skill, span)):
            yield Run(_names(match[0]), span)


def zero_width(skill: Skill) -> Iterator[Run]:
    """Yield characters without width in a row, without a byte order mark and joiners that join."""
    text = skill.source.text
    for match in _ZERO_WIDTH.finditer(text):
        start, end = match.span()
        is_mark = start == 0 and match[0] == "\ufeff"
        if not is_mark and not (
            match[0] in _JOINERS and _joins(text[start - 1 : start], text[end : end + 1])
        ):
            yield Run(_names(match[0]), Span(start, end))


def _joins(before: str, behind: str) -> bool:
    """Return whether a joiner between two characters has a use: in emoji, and in scripts that join letters."""
    return all(
        side and (unicodedata.category(side)[0] in "LMS" and not side.isascii()) for side in (before, behind)
    )


def _around(skill: Skill, span: Span) -> str:
    return skill.source.text[max(span.start - 200, 0) : span.end + 200]


def _is_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(character) in _RIGHT_TO_LEFT for character in text)


def _names(characters: str) -> str:
    """Return `U+200B`, with the number of characters where there are several."""
    first = f"U+{ord(characters[0]):04X}"
    return first if len(characters) == 1 else f"{len(characters)} characters from {first}"
