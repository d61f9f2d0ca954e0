"""Printable text cut to a number of terminal cells, between what a reader takes for characters.

A cluster is a character with the marks on it, an emoji of several code points, a flag, or an escape such as
`\\x1b`; half of one would be another text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from skilltool.text.printable import display_width, is_common

ELLIPSIS = "\u2026"
_JOINER = "\u200d"


class Cluster(NamedTuple):
    """Code points that are cut or kept together: their text, its width in cells, and how many they are."""

    text: str
    width: int
    length: int


def clusters(characters: Sequence[str]) -> list[Cluster]:
    """Split text, given as `printable_characters` returns it, into clusters."""
    if is_common("".join(characters)):
        return list(map(_single, characters))
    groups: list[list[str]] = []
    for text in characters:
        if groups and _continues(groups[-1], text):
            groups[-1].append(text)
        else:
            groups.append([text])
    texts = ("".join(group) for group in groups)
    return [Cluster(text, display_width(text), len(group)) for text, group in zip(texts, groups, strict=True)]


@lru_cache(maxsize=1024)  # a report has the same few characters in every line
def _single(text: str) -> Cluster:
    return Cluster(text, display_width(text), 1)


def _continues(group: list[str], text: str) -> bool:
    """Whether a code point belongs to the cluster before it (an excerpt of Unicode's UAX 29)."""
    if text.isascii():
        return False
    if group[-1] == _JOINER or "\U0001f3fb" <= text <= "\U0001f3ff":  # joined emoji, tones of skin
        return True
    if _is_flag_half(text):
        return len(group) == 1 and _is_flag_half(group[0])
    return display_width(text) == 0


def _is_flag_half(text: str) -> bool:
    return "\U0001f1e6" <= text <= "\U0001f1ff"


def head(text: str, width: int) -> str:
    """Return printable text in at most `width` cells: its beginning and an ellipsis where it is longer."""
    if display_width(text) <= width:
        return text
    return _kept([each.text for each in clusters(text)], width) + ELLIPSIS


def tail(text: str, width: int) -> str:
    """Return printable text in at most `width` cells: an ellipsis and its end where it is longer."""
    if display_width(text) <= width:
        return text
    texts = [each.text for each in clusters(text)]
    kept = _kept(texts[::-1], width)
    return ELLIPSIS + text[len(text) - len(kept) :]


def _kept(texts: list[str], width: int) -> str:
    """Return as many texts as fit beside an ellipsis."""
    room = width - 1
    kept = []
    for text in texts:
        room -= display_width(text)
        if room < 0:
            break
        kept.append(text)
    return "".join(kept)
