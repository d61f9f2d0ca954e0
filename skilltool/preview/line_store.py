"""Keeps each line of one skill once, since the texts of all clients repeat the lines of its source."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from markupsafe import Markup

from skilltool.preview.markup import visible


class LineStore:
    """The distinct lines of some texts, in the order in which they came."""

    def __init__(self) -> None:
        """Start with none."""
        self._numbers: dict[str, int] = {}

    def number(self, line: str) -> int:
        """Return the number of a line, which has no line end."""
        return self._numbers.setdefault(line, len(self._numbers))

    def numbers(self, text: str) -> str:
        r"""Return a text as numbers of lines and ranges of such, `0-12 7 14`; `\n` is between two lines."""
        return self.runs(text.split("\n"))

    def runs(self, lines: Iterable[str]) -> str:
        """Return lines as numbers and ranges of numbers."""
        runs: list[list[int]] = []
        for number in map(self.number, lines):
            if runs and number == runs[-1][1] + 1:
                runs[-1][1] = number
            else:
                runs.append([number, number])
        return " ".join(f"{first}-{last}" if last > first else str(first) for first, last in runs)

    def lines(self) -> Iterator[Markup]:
        """Yield each line as HTML."""
        return map(visible, self._numbers)
