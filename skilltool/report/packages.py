"""What a client installs of a package, as tables."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.inspect.packages import View
from skilltool.lint.result import count_of
from skilltool.report.fitting import tail
from skilltool.report.grid import Cell, Column, cell, hanging, table
from skilltool.report.style import BOLD, DIM, Style


def lines(found: View, style: Style) -> Iterator[str]:
    """Yield what is installed, a skill per row, then what is passed over, and why."""
    head = f"{found.name} ({found.manifest}) for {found.runtime}"
    if found.refused is not None:
        yield from hanging(cell(f"{head}: nothing is installed"), (), 0, style)
        yield from hanging(cell(found.refused), (), 2, style)
        return
    counts = f"{count_of(len(found.plugins), 'plugin')}, {count_of(len(found.skills), 'skill')}"
    yield from hanging(cell(f"{head}: {counts}"), (), 0, style)
    skills = [[cell(each.key, BOLD), cell(each.directory), cell(each.found, DIM)] for each in found.skills]
    yield from _table("key", "skill", "found", skills, style)
    passed = [[cell(each.what, BOLD), cell(each.plugin), cell(each.why)] for each in found.passed]
    yield from _table("passed over", "plugin", "why", passed, style)


def _table(first: str, second: str, third: str, rows: list[list[Cell]], style: Style) -> Iterator[str]:
    if not rows:
        return
    yield ""
    columns = [Column(first, least=16, shorten=tail), Column(second, least=8), Column(third, least=20)]
    found = table(columns, rows, style)
    if found is not None:
        yield from found
        return
    for head, *rest in rows:
        yield from hanging(head, (), 0, style)
        for each in rest:
            yield from hanging(each, (), 2, style)
