"""The line that a finding points at, cut around it to what fits, and where the carets go under it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import accumulate
from typing import NamedTuple

from skilltool.findings.diagnostic import Excerpt
from skilltool.report.fitting import ELLIPSIS, Cluster, clusters
from skilltool.text.printable import display_width, printable_characters


class Snippet(NamedTuple):
    """One printable line, and the carets below it: `indent` cells before the first, then `carets` of them."""

    line: str
    indent: int
    carets: int


def snippet(excerpt: Excerpt, width: int) -> Snippet:
    """Cut an excerpt to at most `width` cells, carets included; what is cut off is an ellipsis.

    The beginning of the finding always stays, and as much of the rest of it as fits.
    """
    parts = clusters(_marked_characters(excerpt))
    first, stop = _span(parts, excerpt)
    begin, end = _window([each.width for each in parts], first, stop, width)
    start = ELLIPSIS if begin else ""
    before = start + "".join(each.text for each in parts[begin:first])
    marked = "".join(each.text for each in parts[first : min(stop, end)])
    after = "".join(each.text for each in parts[stop:end]) + (ELLIPSIS if end < len(parts) else "")
    indent = display_width(before)
    carets = max(display_width(before + marked) - indent, 1)
    return Snippet((before + marked + after).rstrip(), indent, carets)


def _marked_characters(excerpt: Excerpt) -> list[str]:
    """Return the characters to show: no blanks at the end, but all that carets stand under."""
    last = max(len(excerpt.text.rstrip()), excerpt.end, excerpt.start + 1)
    characters = printable_characters(excerpt.text)[:last]
    return characters if len(characters) == last else [*characters, " "]  # after the end of the line


def _span(parts: list[Cluster], excerpt: Excerpt) -> tuple[int, int]:
    """Return the clusters that the finding touches, at least one, as a range."""
    stops = list(accumulate([each.length for each in parts]))
    last = max(excerpt.end, excerpt.start + 1)
    return bisect_right(stops, excerpt.start), bisect_left(stops, last) + 1


def _window(widths: list[int], first: int, stop: int, room: int) -> tuple[int, int]:
    """Return the range of clusters to show: part of what is before the finding, of it, and of what is after.

    The finding gets two thirds of the room, what is before it one, and then each what the others leave.
    """
    sums = [0, *accumulate(widths)]
    count = len(widths)
    if sums[count] <= room:
        return 0, count

    def fits(begin: int, end: int) -> bool:
        cut = (begin > 0) + (end < count)
        return sums[end] - sums[begin] + cut <= room

    begin, end = first, first + 1
    while end < stop and sums[end + 1] - sums[first] <= room - room // 3 and fits(begin, end + 1):
        end += 1
    while begin > 0 and sums[first] - sums[begin - 1] <= room // 3 and fits(begin - 1, end):
        begin -= 1
    while end < count and fits(begin, end + 1):
        end += 1
    while begin > 0 and fits(begin - 1, end):
        begin -= 1
    return begin, end
