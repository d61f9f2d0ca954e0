"""What skills cost, as tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skilltool.inspect.cost import ESTIMATOR, ClientCost, SkillCost, percent_text, tokens
from skilltool.report.fitting import head
from skilltool.report.grid import Cell, Column, Word, cell, hanging, table
from skilltool.report.style import BOLD, DIM, GREEN, RED, YELLOW, Style

NOTE = f"tokens are estimated: {ESTIMATOR}, rounded up"
_SHORT_KEY, _MOST_NAMES = 14, 5
_WHOLE = (
    Column("skill", least=_SHORT_KEY, shorten=head),
    Column("listing", numbers=True),
    Column("tokens", numbers=True),
    Column("body", numbers=True),
    Column("tokens", numbers=True),
    Column("files", numbers=True),
    Column("tokens", numbers=True),
    Column("", least=9),
)
_SHORT = (
    Column("tokens of", least=_SHORT_KEY, shorten=head),
    Column("listing", numbers=True),
    Column("body", numbers=True),
    Column("files", numbers=True),
)


def costs(found: Sequence[ClientCost], whole: bool, style: Style) -> Iterator[str]:
    """Yield a headline and a table for each client, with the texts that are no skill's if it is `whole`."""
    for number, cost in enumerate(found):
        if number:
            yield ""
        yield from headline(cost, style)
        yield from _table(cost, whole, style)
    if found:
        yield from ("", *hanging(cell(NOTE, DIM), (), 0, style))


def headline(cost: ClientCost, style: Style) -> Iterator[str]:
    """Yield the length of a client's listing, what it may be, and what is cut."""
    size = f"{cost.asked:,} {cost.unit}"
    color = GREEN
    if cost.is_limited:
        size = f"{cost.asked:,} of {cost.budget:,} {cost.unit} ({percent_text(cost)})"
        color = RED if cost.cut else GREEN
    words = (Word(cost.runtime, BOLD), Word(": listing of "), Word(f"{size},", color if cost.budget else ""))
    yield from hanging(words, cell(f" ~{tokens(cost.sent):,} tokens"), 0, style)
    if cost.budget is not None and not cost.is_limited:
        yield from hanging(cell(f"budget of {cost.budget:,} {cost.budget_unit}"), (), 2, style)
    if cost.cut:
        names = ", ".join(f"`{key}`" for key in cost.cut[:_MOST_NAMES])
        more = f" and {len(cost.cut) - _MOST_NAMES:,} more" if len(cost.cut) > _MOST_NAMES else ""
        count = len(cost.cut)
        loss = f"{count:,} skill{'s' if count > 1 else ''} {cost.loss(count)}: "
        yield from hanging(cell(loss, YELLOW), cell(f"{names}{more}"), 2, style)
    elif cost.next_cut is not None:
        when = "next to be cut" if (cost.percent or 0) > 100 else "first to be cut over budget"
        yield from hanging((), cell(f"{when}: `{cost.next_cut}`", DIM), 2, style)


def _table(cost: ClientCost, whole: bool, style: Style) -> list[str]:
    fixed = [_fixed("fixed text", cost.fixed)] if whole and cost.fixed else []
    if whole and cost.own.asked:
        fixed.append(_fixed("its own skills", cost.own.asked))
    rows = [*fixed, *(_row(cost, skill) for skill in cost.skills)]
    if not rows:
        return []
    shown = table(_WHOLE, rows, style)
    if shown is not None:
        return shown
    short = [[row[0], row[2], row[4], row[6]] for row in rows]
    # A terminal that is too narrow for that wraps it.
    return table(_SHORT, short, style) or table(_SHORT, short, style._replace(width=None)) or []


def _fixed(title: str, size: int) -> list[Cell]:
    return [cell(title, DIM), *_sizes(size), *[cell("")] * 5]


def _row(cost: ClientCost, skill: SkillCost) -> list[Cell]:
    listing = skill.listing.asked if skill.listing is not None else 0
    files = _sizes(None) if skill.files is None else _sizes(skill.files.size)
    note = cell("cut", YELLOW) if skill.key in cost.cut else cell("")
    if skill.listing is None:
        note = cell("unlisted", DIM)
    return [cell(skill.key), *_sizes(listing), *_sizes(skill.body), *files, note]


def _sizes(size: int | None) -> list[Cell]:
    if size is None:
        return [cell("-", DIM), cell("-", DIM)]
    return [cell(f"{size:,}"), cell(f"{tokens(size):,}", DIM)]
