"""The rows of the matrix as HTML, and what a script needs to find and to sort them.

A page begins with the rows that are seen first; a script asks for all of them, and puts them in as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from skilltool.preview.markup import clipped, visible
from skilltool.preview.matrix import Column, by_problems, loaded_by, rank, standing, word
from skilltool.preview.model import Project, Row
from skilltool.preview.signs import LEVELS, SIGNS
from skilltool.report.resolved import name_of
from skilltool.text.printable import printable

FIRST = 60  # rows that a page begins with
_MOST_DESCRIPTION = 110  # characters
_MOST_WHY = 160  # characters of a reason in a title
_MOST_TEXT = 400  # characters of a row that a search looks at


def row_html(row: Row, address: str, found: Sequence[Column], apart: Iterable[str]) -> Markup:
    """Return a row of the matrix; `address` is that of the skill's page."""
    level = LEVELS.get(_worst(row, apart), "")
    note = (
        Markup(' <span class="away" title="no client looks here by itself">†</span>') if row.stand_in else ""
    )
    head = Markup(
        '<tr data-row id="row-{}" class="{}"><th scope="row"><a href="{}">{}</a>{}'
        ' <span class="path">{}</span>{}</th>'
    ).format(row.id, level, address, visible(row.name), note, visible(row.shown), _description(row))
    cells = Markup("").join(_cell(row, column) for column in found)
    return Markup("{}{}{}</tr>").format(head, _counts(row), cells)


def _description(row: Row) -> Markup:
    shown = visible(clipped(" ".join(row.description.split()), _MOST_DESCRIPTION))
    return Markup('<span class="description">{}</span>').format(shown) if row.description else Markup("")


def _worst(row: Row, apart: Iterable[str]) -> str:
    """Return the worst word of a row, empty where nothing is wrong."""
    worst = standing(row, apart).worst
    views = (view for name, view in row.views.items() if name not in apart and rank(view) == worst)
    return next((word(view)[0] for view in views), "") if worst else ""


def _counts(row: Row) -> Markup:
    """Return the cell with the numbers of findings, each in a column of its own."""
    parts = [
        Markup('<span class="{}" title="{}">{}</span>').format(kind, _of(number, kind), f"{number:,}")
        if number
        else Markup("<span></span>")
        for number, kind in zip(row.findings, ("error", "warning", "note"), strict=True)
    ]
    return Markup('<td class="counts">{}</td>').format(Markup("").join(parts))


def _of(number: int, kind: str) -> str:
    return f"{number:,} {kind}{'s' if number > 1 else ''}"


def _cell(row: Row, column: Column) -> Markup:
    views = [row.views[name] for name in column.runtimes]
    why = next((view.why for view in views if view.why), "")
    return _drawn(column, views[0].words, word(views[0]), why)


@lru_cache(maxsize=10_000)  # most cells of many rows are the same
def _drawn(column: Column, words: tuple[tuple[str, str], ...], worst: tuple[str, str], why: str) -> Markup:
    kind, text = worst
    apart = " apart" if column.is_apart else ""
    if kind == "unseen":
        return Markup(f'<td class="t none{apart}"></td>')
    names = ", ".join(column.runtimes)
    title = (
        f"{names}: {' and '.join(each for _, each in words)}{f'; {clipped(why, _MOST_WHY)}' if why else ''}"
    )
    shown = text if kind == "as KEY" else name_of(kind)
    return Markup(
        '<td class="t {}{}" data-c="{}" title="{}"><i aria-hidden="true">{}</i><s>{}</s></td>'
    ).format(LEVELS[kind], apart, names, visible(title).striptags(), SIGNS[kind], visible(shown))


def data(project: Project, found: Sequence[Column], address_of: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return all rows, those with problems first, as data for a script.

    `html` is the row, `text` what a search looks at, `findings` the numbers of errors, warnings and notes,
    `name` sorts by name, `ranks` has a digit for each column, `is_trouble` tells that a client does not take
    the skill as it is.
    """
    return [
        {
            "html": str(row_html(row, address_of(row.id), found, project.apart)),
            "text": printable(f"{row.name} {row.shown} {row.description}").lower()[:_MOST_TEXT],
            "name": printable(row.name).lower(),
            "findings": list(row.findings),
            "ranks": "".join(str(rank(row.views[column.runtimes[0]])) for column in found),
            "is_trouble": standing(row, project.apart).worst > 0,
            "loaded": " ".join(loaded_by(row)),
        }
        for row in by_problems(project)
    ]


def first_rows(
    project: Project, found: Sequence[Column], address_of: Callable[[str], str], every: bool = False
) -> list[Markup]:
    """Return the rows that a page begins with, or all of them."""
    rows = by_problems(project)[: None if every else FIRST]
    return [row_html(row, address_of(row.id), found, project.apart) for row in rows]
