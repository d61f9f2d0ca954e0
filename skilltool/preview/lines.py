"""Numbers in the place of lines: what many texts have in common is kept once.

The same body is a text of its own, indented in the answer of one client, and JSON in that of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

_SHORT = 40  # characters of a line that is rather kept again than looked for elsewhere
_LONG = 1_000  # characters of a line that may be JSON
_JSON_END = "\\n"  # as JSON writes a line end


class _Run(NamedTuple):
    """Lines in a row: whether each ends as in JSON, the spaces before each, the first and the last number."""

    is_json: bool
    indent: int
    first: int
    last: int

    def __str__(self) -> str:
        more = self.last - self.first
        numbers = f"{self.first}+{more}" if more else str(self.first)
        return f"{'~' if self.is_json else ''}{f'{self.indent}:' if self.indent else ''}{numbers}"


class LineStore:
    """The lines of some texts, in the order in which they came; one that came before is kept once."""

    def __init__(self) -> None:
        """Start with none."""
        self._lines: list[str] = []
        self._numbers: dict[str, int] = {}

    def numbers(self, text: str) -> str:
        r"""Return a text as numbers of lines and ranges of such, `0+12 4:7 ~14`.

        `+12` are twelve lines more. `4:` says that four spaces stand before each line, `~` that a line end of
        JSON comes after each. Nothing comes after the last one.
        """
        runs: list[_Run] = []
        for line, is_json in _pieces(text):
            last = runs[-1] if runs else _Run(False, 0, -2, -2)
            indent, number = self._number(line, last)
            if (is_json, indent, number) == (last.is_json, last.indent, last.last + 1):
                runs[-1] = last._replace(last=number)
            else:
                runs.append(_Run(is_json, indent, number, number))
        return " ".join(map(str, runs))

    def _number(self, line: str, last: _Run) -> tuple[int, int]:
        """Return the indent and the number of a line: those that let a range go on, if any do."""
        following, indents = last.last + 1, (last.indent, 0, len(line) - len(line.lstrip(" ")))
        for indent in indents[:2]:
            is_indented = line.startswith(" " * indent)
            if is_indented and 0 <= following < len(self._lines) and self._lines[following] == line[indent:]:
                return indent, following
        is_at_end = following == len(self._lines)
        for indent in () if is_at_end and len(line) < _SHORT else indents:
            known = self._numbers.get(line[indent:]) if line.startswith(" " * indent) else None
            if known is not None:
                return indent, known
        self._numbers.setdefault(line, len(self._lines))
        self._lines.append(line)
        return 0, len(self._lines) - 1

    def lines(self) -> list[str]:
        """Return each line."""
        return self._lines


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the lines of a text, and parts of those that may be JSON, and whether each ends as in JSON."""
    for line in text.split("\n"):
        *parts, last = line.split(_JSON_END) if len(line) > _LONG else [line]
        yield from ((part, True) for part in parts)
        yield last, False
