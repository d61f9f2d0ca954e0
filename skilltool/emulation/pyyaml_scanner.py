"""The two loops of PyYAML that look at each character of a long text, as searches of regular expressions.

What they return is the same: tests compare them with PyYAML's own. A description of a megabyte takes
hundredths of a second instead of seconds.
"""

from __future__ import annotations

import re

import yaml
from yaml.tokens import ScalarToken

# Where a word of a plain scalar ends, and what a line end is (scanner.py of PyYAML 6.0, `scan_plain`).
_END = r"\0 \t\r\n\x85\u2028\u2029"
_FLOW = r",\[\]{}"


def _words(ends: str, after_colon: str) -> re.Pattern[str]:
    """Return a pattern for words with blanks between them, none but the first beginning with `#`."""
    word = rf"(?>(?:[^:{ends}]|:(?![{after_colon}]))+)"
    return re.compile(rf"{word}(?>(?: ++(?!#){word})*)")


_IN_BLOCK = _words(_END, _END)
_IN_FLOW = _words(rf"{_END}{_FLOW}?", _END + _FLOW)
# Characters that `forward` does not count as one column.
_SPECIAL = re.compile("[\r\n\x85\u2028\u2029\ufeff]")


class FastScanner(yaml.SafeLoader):
    """PyYAML's safe loader, which reads plain scalars line by line instead of character by character."""

    def forward(self, length: int = 1) -> None:
        """Move on by some characters; lines and columns are counted as in `Reader.forward`."""
        end = self.pointer + length
        if end >= len(self.buffer) or _SPECIAL.search(self.buffer, self.pointer, end):
            super().forward(length)
            return
        self.pointer = end
        self.index += length
        self.column += length

    def scan_plain(self) -> ScalarToken:
        """Read a plain scalar, as `Scanner.scan_plain` does."""
        words = _IN_FLOW if self.flow_level else _IN_BLOCK
        chunks: list[str] = []
        spaces: list[str] = []
        start_mark = end_mark = self.get_mark()
        indent = self.indent + 1
        while self.peek() != "#" and (found := words.match(self.buffer, self.pointer)) is not None:
            self.allow_simple_key = False
            chunks += [*spaces, found[0]]
            self.forward(len(found[0]))
            end_mark = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start_mark) or []
            if not spaces or self.peek() == "#" or (not self.flow_level and self.column < indent):
                break
        return ScalarToken("".join(chunks), True, start_mark, end_mark)
