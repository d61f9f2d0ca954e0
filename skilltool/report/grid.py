r"""Rows of cells under titles, as wide as the reader's terminal allows, and lists where that is too narrow.

Every text is made printable here; what a function returns is lines in colour that no CI runner obeys.

A cluster is a character with the marks on it, an emoji of several code points, a flag, or an escape such as
`\x1b`; half of one would be another text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from skilltool.report.style import BOLD, Style
from skilltool.text.printable import (
    SafeText,
    display_width,
    is_common,
    printable,
    printable_characters,
    without_commands,
)

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
    return _kept([cluster.text for cluster in clusters(text)], width) + ELLIPSIS


def tail(text: str, width: int) -> str:
    """Return printable text in at most `width` cells: an ellipsis and its end where it is longer."""
    if display_width(text) <= width:
        return text
    texts = [cluster.text for cluster in clusters(text)]
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


_GAP = 2


class Word(NamedTuple):
    """Text in one colour, by its ANSI parameters; empty for none."""

    text: str
    color: str = ""


Cell = Sequence[Word]


class Column(NamedTuple):
    """A column: its title, whether it holds numbers, and its least width if it may be narrower than its text.

    `shorten` returns a text in some number of cells; without it the text is wrapped.
    """

    title: str
    numbers: bool = False
    least: int | None = None
    shorten: Callable[[str, int], str] | None = None


def text(lines: Sequence[str]) -> SafeText:
    """Return painted lines of this module as text to print."""
    return without_commands("".join(f"{line.rstrip()}\n" for line in lines))


def cell(text: str, color: str = "") -> Cell:
    """Return a cell with one text."""
    return (Word(text, color),)


def table(columns: Sequence[Column], rows: Sequence[Sequence[Cell]], style: Style) -> list[str] | None:
    """Return the lines of a table; None for a terminal that is too narrow for it."""
    titles = [cell(column.title, BOLD) for column in columns]
    widths = [
        max(map(cell_width, [title, *(row[number] for row in rows)])) for number, title in enumerate(titles)
    ]
    if style.width is not None:
        fitted = _fitted(columns, widths, style.width)
        if fitted is None:
            return None
        widths = fitted
    return [line for row in (titles, *rows) for line in _lines(columns, row, widths, style)]


def _fitted(columns: Sequence[Column], widths: list[int], room: int) -> list[int] | None:
    """Return the widths with those of wrapped columns made smaller; None if their least is too wide."""
    over = sum(widths) + _GAP * (len(widths) - 1) - room
    for number in sorted(range(len(widths)), key=lambda number: -widths[number]):
        least = columns[number].least
        if over > 0 and least is not None and widths[number] > least:
            taken = min(over, widths[number] - least)
            widths = [*widths[:number], widths[number] - taken, *widths[number + 1 :]]
            over -= taken
    return widths if over <= 0 else None


def _lines(
    columns: Sequence[Column], row: Sequence[Cell], widths: Sequence[int], style: Style
) -> Iterator[str]:
    stacks = [
        list(wrapped(_shortened(words, column, width), width))
        for column, words, width in zip(columns, row, widths, strict=True)
    ]
    for number in range(max(map(len, stacks))):
        parts = []
        for column, stack, width in zip(columns, stacks, widths, strict=True):
            here = stack[number] if number < len(stack) else ()
            blank = " " * (width - cell_width(here))
            parts.append(blank + painted(here, style) if column.numbers else painted(here, style) + blank)
        yield (" " * _GAP).join(parts).rstrip()


def _shortened(cell: Cell, column: Column, width: int) -> Cell:
    """Return a cell of one text in the width of its column, if that is to be shortened."""
    if column.shorten is None or cell_width(cell) <= width:
        return cell
    return [Word(column.shorten(printable(word.text), width), word.color) for word in cell]


def hanging(head: Cell, body: Cell, indent: int, style: Style, column: int = 0) -> Iterator[str]:
    """Yield `head` and `body` as a paragraph that is indented, its further lines by two cells more.

    `body` begins in the cell `column` after the indent, where there is room.
    """
    blank = " " * max(column - cell_width(head), 0)
    room = None if style.width is None else max(style.width - indent - 2, 10)
    whole = (*head, Word(blank), *body) if blank else (*head, *body)
    for number, line in enumerate([whole] if room is None else wrapped(whole, room)):
        yield " " * (indent + (2 if number else 0)) + painted(line, style)


def painted(cell: Cell, style: Style) -> str:
    """Return the text of a cell in its colours."""
    shown = ((printable(word.text), word.color) for word in cell)
    return "".join(style.paint(text, color) if color else text for text, color in shown)


def cell_width(cell: Cell) -> int:
    """Return how many cells of a terminal a cell takes on one line."""
    return sum(display_width(word.text) for word in cell)


def wrapped(cell: Cell, width: int) -> Iterator[Cell]:
    """Yield a cell as lines of at most `width`, broken at spaces, in words where they are longer."""
    if cell_width(cell) <= width:
        yield cell
        return
    line: list[Word] = []
    used = 0
    for piece, color in _pieces(cell):
        for part in [piece] if display_width(piece) <= width else _chunks(piece, width):
            size = display_width(part)
            if used + size > width and line:
                yield line
                line, used = [], 0
                part = part.lstrip(" ")
                size = display_width(part)
            if line and line[-1].color == color:
                line[-1] = Word(line[-1].text + part, color)
            else:
                line.append(Word(part, color))
            used += size
    yield line


def _pieces(cell: Cell) -> Iterator[Word]:
    """Yield the words of a cell, each with the spaces before it."""
    for text, color in cell:
        start = 0
        shown = printable(text)
        for at in range(1, len(shown)):
            if shown[at] == " " and shown[at - 1] != " ":
                yield Word(shown[start:at], color)
                start = at
        if shown[start:]:
            yield Word(shown[start:], color)


def _chunks(piece: str, width: int) -> Iterator[str]:
    """Yield a long word in parts that fit."""
    part, used = "", 0
    for cluster in clusters(printable_characters(piece)):
        if used + cluster.width > width and part:
            yield part
            part, used = "", 0
        part, used = part + cluster.text, used + cluster.width
    yield part
