"""What a client installs of a package, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.inspect.packages import View
from skilltool.lint.result import count_of
from skilltool.packages.installer import Target
from skilltool.report.fitting import tail
from skilltool.report.grid import Cell, Column, cell, hanging, table
from skilltool.report.style import BOLD, DIM, Style


def lines(found: View, style: Style) -> Iterator[str]:
    """Yield what is installed, a skill per row, then what is passed over, and why."""
    head = f"{found.name} ({found.manifest}) for {found.runtime}"
    has_plugins = any(each.plugin for each in [*found.skills]) or any(each.plugin for each in found.passed)
    if found.refused is not None:
        yield from hanging(cell(f"{head}: nothing is installed"), (), 0, style)
        yield from hanging(cell(found.refused), (), 2, style)
        return
    counts = count_of(len(found.skills), "skill")
    counts = f"{count_of(len(found.plugins), 'plugin')}, {counts}" if has_plugins else counts
    yield from hanging(cell(f"{head}: {counts}"), (), 0, style)
    skills = [[cell(each.key, BOLD), cell(each.directory), cell(each.found, DIM)] for each in found.skills]
    yield from _table(("key", "skill", "found"), skills, style)
    passed = [[cell(each.what, BOLD), cell(each.plugin), cell(each.why)] for each in found.passed]
    if has_plugins:
        yield from _table(("passed over", "plugin", "why"), passed, style)
    else:
        yield from _table(("passed over", "why"), [[row[0], row[2]] for row in passed], style)


def targets(places: Sequence[Target], style: Style) -> Iterator[str]:
    """Yield where an installer puts a skill for each agent."""
    rows = [[cell(each.agent, BOLD), cell(each.path), cell(_kind(each), DIM)] for each in places]
    yield from _table(("agent", "skill", "as"), rows, style)


def _kind(place: Target) -> str:
    condition = f", if {place.needs} exists" if place.needs else ""
    return ("link" if place.is_link else "copy") + condition


def _table(titles: Sequence[str], rows: list[list[Cell]], style: Style) -> Iterator[str]:
    if not rows:
        return
    yield ""
    first, *inner, last = titles
    columns = [Column(first, least=16, shorten=tail), *(Column(each, least=8) for each in inner)]
    columns.append(Column(last, least=20))
    found = table(columns, rows, style)
    if found is not None:
        yield from found
        return
    for head, *rest in rows:
        yield from hanging(head, (), 0, style)
        for each in rest:
            yield from hanging(each, (), 2, style)
