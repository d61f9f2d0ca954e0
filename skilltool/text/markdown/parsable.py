"""Replaces the few characters of a text that the parser cannot read, or not in linear time, one by one."""

from __future__ import annotations

import re

_LONE_RETURN = re.compile(r"\r(?!\n)")
# A list or quote that starts after the first 100 characters of its line. Each is a level of nesting, and
# the parser visits all open levels for each line of text that continues the innermost one.
_DEEP_MARK = re.compile(r"(?<![^\r\n])(?![-*_ \t]*(?:[\r\n]|\Z))([ \t>*+.)0-9-]{99}[ \t]*)[>*+0-9-]")
_MARKS = " \t>*+.)0123456789-"
_SMALL = 20_000  # characters; that many levels and lines cost next to nothing


def parsable(text: str) -> str:
    """Return a text of the same length that the parser reads as CommonMark reads `text`.

    Except that in a long text lists and quotes that start after the first 100 characters of a line are text.
    """
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode()  # a lone surrogate has no UTF-8
    if "\0" in text:
        text = text.replace("\0", "\ufffd")  # as the specification asks for
    if "\r" in text:
        text = _LONE_RETURN.sub("\n", text)  # not every construct ends at one otherwise
    if len(text) > _SMALL and any(not line[:99].strip(_MARKS) for line in text.split("\n") if len(line) > 99):
        text = _DEEP_MARK.sub(r"\1x", text)
    return text
