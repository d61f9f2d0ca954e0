"""Where does a body have commands that a client runs before it sends the text: !`date`, and fences with `!`?

An inline command begins a line or follows whitespace. It stays text where an odd number of single backticks
is before it in its line, so that it may be inside a code span: only runs of exactly one backtick count.

Source: 45 calls of Claude Code 2.1.329, the records `bang*` in tests/goldens/packs/claude-code-commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.text.lazy_pattern import lazy_pattern

_COMMAND = lazy_pattern(r"```!(?P<fence>[^\n`]*\n[\s\S]*?)\n?```|(?:(?<=\s)|(?<![\s\S]))!`(?P<line>[^`\n]+)`")
# Before a command that was meant to run: an assignment, a bracket, a quotation mark, the mark of a list.
_GLUED = lazy_pattern(r"(?<=[=(\[{<>\"':|*,;/-])!`(?P<line>[^`\n]+)`")
_SINGLE = lazy_pattern(r"(?<!`)`(?!`)")


def inline_commands(text: str) -> Iterator[re.Match[str]]:
    """Yield each command that runs, as a match with the group `fence` or `line`, in the order of the text."""
    if "!`" not in text and "```!" not in text:
        return
    is_open = _OpenSpans(text)
    for match in _COMMAND.finditer(text):
        if match["fence"] is not None or not is_open.at(match.start()):
            yield match


def glued_commands(text: str) -> Iterator[re.Match[str]]:
    """Yield each command, with the group `line`, that stays text for the character directly before it."""
    is_open = _OpenSpans(text)
    return (match for match in _GLUED.finditer(text) if not is_open.at(match.start()))


class _OpenSpans:
    """Tells for ascending offsets whether a single backtick before them, in the same line, is still open."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._done = 0
        self._odd = False

    def at(self, offset: int) -> bool:
        line = self._text.rfind("\n", self._done, offset) + 1
        if line:
            self._done, self._odd = line, False
        # The character at `offset` is included: a backtick before it could be one of several.
        found = sum(1 for _ in _SINGLE.finditer(self._text, self._done, offset + 1))
        self._done, self._odd = offset, self._odd != bool(found % 2)
        return self._odd
