"""What each runtime makes of each skill, as a table with a row per skill and a legend below."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from skilltool import runtimes
from skilltool.lint.result import Report
from skilltool.report import resolved
from skilltool.report.grid import head, tail
from skilltool.report.resolved import COLORS, NOT_ASKED, name_of
from skilltool.report.style import BOLD, Style
from skilltool.text.printable import display_width, printable, without_commands

if TYPE_CHECKING:
    from skilltool.lint.matrix import Cell, Row

_GAP = 2
# Cells that a key may take where the table fits and where it does not, and that the skills' paths are left.
_KEY, _SHORT_KEY, _SHORT_PATH = 24, 12, 20


class _Word(NamedTuple):
    """One word of a cell; `kind` is its entry in the legend."""

    kind: str
    text: str


class _Line(NamedTuple):
    """A line of the table: the skill's directory, None for the header, the text for it, and the cells."""

    directory: str | None
    path: str
    cells: list[list[_Word]]


def table(report: Report, style: Style) -> str:
    """Return the matrix of a report; on a terminal too narrow for it, as several tables of fewer runtimes."""
    lines = _lines(report, _KEY)
    groups = [range(len(report.runtimes))]
    if style.width is not None and _width(lines, groups[0]) > style.width:
        lines = _lines(report, _SHORT_KEY)
        groups = list(_groups(lines, style.width))
        room = style.width - max(_width(lines, group, paths=False) for group in groups)
        lines = [line._replace(path=tail(line.path, max(room, _SHORT_PATH))) for line in lines]
    return "\n\n".join("\n".join(_formatted(lines, group, style)) for group in groups)


def legend(report: Report, style: Style) -> str:
    """Return a line for each word of the matrix that its name does not explain, empty where there is none."""
    kinds = {word.kind for line in _lines(report, _KEY)[1:] for cell in line.cells for word in cell}
    return "\n".join(resolved.legend(kinds, style))


def _lines(report: Report, key_width: int) -> list[_Line]:
    directories = [row.path.rpartition("/")[0] or "." for row in report.matrix]
    common = _common(directories)
    header = [[_Word("", name)] for name in report.runtimes]
    lines = [_Line(None, _shown(f"{common.rstrip('/')}/") if common else "", header)]
    for directory, row in zip(directories, report.matrix, strict=True):
        inside = directory.removeprefix(common).removeprefix("/") if common else directory
        path = _shown(inside or ".")
        lines.append(_Line(directory, path, _cells(row, report.runtimes, key_width)))
    return lines


def _shown(path: str) -> str:
    """Return a path as the beginning of a line, as wide as it will be printed."""
    return without_commands(printable(path))


def _common(directories: Sequence[str]) -> str:
    """Return the directory that holds all of these, empty for none."""
    if len(directories) == 1:
        return directories[0].rpartition("/")[0]
    if len({directory.startswith("/") for directory in directories}) > 1:
        return ""
    return posixpath.commonpath(directories)


def _cells(row: Row, ids: Sequence[str], key_width: int) -> list[list[_Word]]:
    return [list(_words(row.skill, row.cells.get(name), name, key_width)) for name in ids]


def _words(skill: str, cell: Cell | None, runtime: str, key_width: int) -> Iterator[_Word]:
    if cell is None:
        yield _Word(NOT_ASKED, NOT_ASKED)
        return
    if cell.key in (None, skill):
        yield _Word(cell.state, name_of(cell.state))
    else:
        yield _Word("as KEY", f"as {head(printable(str(cell.key)), key_width)}")
    if cell.key is not None and runtimes.get(runtime).lists_names:
        yield _Word("named", name_of("named"))
    if cell.cut:
        yield _Word("cut", name_of("cut"))
    if cell.state == "loaded" and not cell.listed:
        yield _Word("unlisted", "unlisted")


def _plain(cell: list[_Word]) -> str:
    return ", ".join(word.text for word in cell)


def _widths(lines: list[_Line], columns: Sequence[int]) -> list[int]:
    return [max(display_width(_plain(line.cells[column])) for line in lines) for column in columns]


def _path_width(lines: list[_Line]) -> int:
    return max(display_width(line.path) for line in lines)


def _width(lines: list[_Line], columns: Sequence[int], paths: bool = True) -> int:
    """Return the cells that a table of these columns takes, with or without the column of paths."""
    return (_path_width(lines) if paths else 0) + sum(_GAP + width for width in _widths(lines, columns))


def _groups(lines: list[_Line], room: int) -> Iterator[range]:
    """Yield ranges of columns that fit beside short paths, at least one column in each."""
    path = min(_path_width(lines), _SHORT_PATH)
    start, used = 0, path
    widths = _widths(lines, range(len(lines[0].cells)))
    for column, width in enumerate(widths):
        if column > start and used + _GAP + width > room:
            yield range(start, column)
            start, used = column, path
        used += _GAP + width
    yield range(start, len(widths))


def _formatted(lines: list[_Line], columns: Sequence[int], style: Style) -> Iterator[str]:
    widths = [_path_width(lines), *_widths(lines, columns)]
    for line in lines:
        header = line.directory is None
        path = line.path if line.directory is None else style.link(line.directory, line.path)
        texts, plain = [style.paint(path, BOLD) if header else path], [line.path]
        for cell in (line.cells[column] for column in columns):
            colors = [BOLD if header else COLORS[word.kind] for word in cell]
            texts.append(", ".join(style.paint(w.text, color) for w, color in zip(cell, colors, strict=True)))
            plain.append(_plain(cell))
        gaps = [wide - display_width(text) + _GAP for wide, text in zip(widths, plain, strict=True)]
        yield "".join(text + " " * gap for text, gap in zip(texts, [*gaps[:-1], 0], strict=True)).rstrip()
