"""Converts offsets in UTF-8 bytes to offsets in code points."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

_STEP = 256  # bytes between two offsets that are kept
_CONTINUATION = bytes(range(0x80, 0xC0))  # bytes of a character after its first


def code_points(text: str, base: int) -> Callable[[int], int]:
    """Return the function that converts an offset in `text` as UTF-8 to one in code points, plus `base`."""
    if text.isascii():
        return base.__add__
    data = text.encode()

    def count(start: int, end: int) -> int:
        return len(data[start:end].translate(None, _CONTINUATION))

    starts = range(0, len(data), _STEP)
    before = list(accumulate((count(start, start + _STEP) for start in starts), initial=base))

    def converted(offset: int) -> int:
        step = offset // _STEP
        return before[step] + count(step * _STEP, offset)

    return converted
