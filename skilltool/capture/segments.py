"""Compares a text that has holes with a whole one: what we do not store, and what differs in each start.

A hole is a marker of `runtimes.fixed_text`, or a placeholder that a runtime's facts explain. A marker that
has a length, or a digest, stands only for text that has them.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern

_HOLE = lazy_pattern(
    r"\[\.\.\. (?:(?P<chars>\d+) )?fixed (?:characters|text)(?:, sha256 (?P<sha256>[0-9a-f]{64}))? \.\.\.\]"
    r"|\{(?:builtin|output|answer|session|content)\}|<(?:ID|RANDOM|CALL ID|PROJECT HASH|SHA256)>"
)
_CONTEXT = 48  # characters that are shown before and after the first difference


class Difference(NamedTuple):
    """What differs in one part: of which skill (or `name` of what), our text, and the client's.

    Either text is None where the other side has nothing.
    """

    part: str
    name: str
    ours: str | None
    theirs: str | None


def is_same(ours: str, theirs: str) -> bool:
    """Return whether a text with holes stands for the other."""
    if ours == theirs:
        return True
    holes = list(_HOLE.finditer(ours))
    if not holes:
        return False
    match = re.fullmatch(_pattern(ours), theirs)
    return match is not None and all(_fits(hole, match[number]) for number, hole in enumerate(holes, start=1))


def filled(ours: str, theirs: str) -> str:
    """Return a text with its holes filled from the other, as far as what is around them is there."""
    pieces, place, end = [], 0, 0
    for hole in _HOLE.finditer(ours):
        before = ours[end : hole.start()]
        pieces.append(before)
        end = hole.end()
        after = ours[end : end + _CONTEXT].partition("\n")[0]
        start = theirs.find(before[-_CONTEXT:], place)
        if start >= 0:
            start += len(before[-_CONTEXT:])
            stop = theirs.find(after, start) if after else theirs.find("\n", start)
            stop = len(theirs) if stop < 0 and not after else stop
            if stop >= 0 and _fits(hole, theirs[start:stop]):
                pieces.append(theirs[start:stop])
                place = stop
                continue
        pieces.append(hole[0])
    return "".join(pieces) + ours[end:]


def _pattern(ours: str) -> str:
    pieces, end = [], 0
    for hole in _HOLE.finditer(ours):
        pieces.append(re.escape(ours[end : hole.start()]))
        pieces.append(f"([\\s\\S]{{{hole['chars']}}})" if hole["chars"] else r"([\s\S]*?)")
        end = hole.end()
    return "".join(pieces) + re.escape(ours[end:])


def _fits(hole: re.Match[str], text: str) -> bool:
    if hole["chars"] and len(text) != int(hole["chars"]):
        return False
    digest = hole["sha256"]
    return not digest or hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest() == digest


def shown(difference: Difference, most_lines: int = 4) -> Iterator[str]:
    """Yield the lines that show a difference: those that differ, with `-` ours and `+` the client's."""
    ours, theirs = difference.ours, difference.theirs
    if ours is None or theirs is None:
        mark, text = ("-", ours) if theirs is None else ("+", theirs)
        lines = (text or "").split("\n")
        yield from (f"{mark} {_short(line, 0)}" for line in lines[:most_lines])
        if len(lines) > most_lines:
            yield f"  ... {len(lines) - most_lines} more lines"
        return
    before, after = filled(ours, theirs).split("\n"), theirs.split("\n")
    same = 0
    while same < min(len(before), len(after)) and before[same] == after[same]:
        same += 1
    ended = 0
    while ended < min(len(before), len(after)) - same and before[-1 - ended] == after[-1 - ended]:
        ended += 1
    old, new = before[same : len(before) - ended], after[same : len(after) - ended]
    place = _first_difference(old[0], new[0]) if old and new else 0
    for mark, lines in (("-", old), ("+", new)):
        yield from (f"{mark} {_short(line, place)}" for line in lines[:most_lines])
        if len(lines) > most_lines:
            yield f"{mark} ... {len(lines) - most_lines} more lines"


def _first_difference(one: str, other: str) -> int:
    both = zip(one, other, strict=False)
    return next((at for at, (a, b) in enumerate(both) if a != b), min(len(one), len(other)))


def _short(line: str, place: int) -> str:
    """Return a line, or what is around a place of a long one."""
    start = max(0, place - _CONTEXT)
    stop = max(place + _CONTEXT, 2 * _CONTEXT)
    return f"{'...' if start else ''}{line[start:stop]}{'...' if stop < len(line) else ''}"
