"""Which client sees which copy of a skill: as tables, and as lists where a terminal is too narrow."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from skilltool.inspect.resolve.copies import Copy, Seen
from skilltool.report import states
from skilltool.report.fitting import tail
from skilltool.report.grid import Cell, Column, Word, cell, hanging, table
from skilltool.report.states import COLORS, NOT_ASKED, UNDETERMINED
from skilltool.report.style import BOLD, DIM, Style

_SHORT_PATH = 20  # cells that the paths are left where the table does not fit
_MOST_LOSERS = 5
MEANINGS = {
    **states.LEGEND,
    "cut": "the listing has only a part of its text, or only its name",
    "shadowed": "the client loads another copy with the same key",
    "refused": "the client does not load the copy",
    UNDETERMINED: "the client may load this copy or another with the same key, from one start to the next",
    "hidden": "a setting, or what is installed here, keeps the client from offering it",
    NOT_ASKED: "not seen: the client does not look in this directory",
}


def overview(copies: Sequence[Copy], clients: Sequence[str], style: Style) -> Iterator[str]:
    """Yield a table with a row for each copy and a column for each client, and what its words mean."""
    kinds = {word.text for copy in copies for seen in copy.seen.values() for word in _kinds(seen, copy)}
    if any(client not in copy.seen for copy in copies for client in clients):
        kinds.add(NOT_ASKED)
    columns = [Column("skill"), Column("copy"), *map(Column, clients)]
    narrow = [Column("copy", least=_SHORT_PATH, shorten=tail), *map(Column, clients)]
    rows = [
        [
            cell(copy.skill if number == 0 else "", BOLD),
            cell(copy.shown),
            *(_state(copy.seen.get(client), copy) for client in clients),
        ]
        for _, group in groupby(copies, lambda copy: copy.skill)
        for number, copy in enumerate(group)
    ]
    # With many clients a list reads better than a wide table, in a file or a pipe, too.
    room = style._replace(width=style.snippet_width)
    lines = table(columns, rows, room) or table(narrow, [row[1:] for row in rows], room)
    if lines is None:
        kinds.discard(NOT_ASKED)
        lines = list(_list(copies, clients, style))
    yield from lines
    if losers := list(_losers(copies, style)):
        yield from ("", *losers)
    words = [kind for kind in MEANINGS if kind in kinds]
    yield from [""] if words else []
    for word in words:
        head = cell(word, COLORS[word])
        yield from hanging(head, cell(MEANINGS[word]), 0, style, max(map(len, words)) + 2)


def _list(copies: Sequence[Copy], clients: Sequence[str], style: Style) -> Iterator[str]:
    """Yield the copies of each skill, with the clients that see them below each."""
    for name, group in groupby(copies, lambda copy: copy.skill):
        yield from hanging(cell(name, BOLD), (), 0, style)
        for copy in group:
            yield from hanging(cell(copy.shown), (), 2, style)
            seen = [copy.seen[client] for client in clients if client in copy.seen]
            by_state: dict[Cell, list[str]] = {}
            for each in seen:
                by_state.setdefault(tuple(_state(each, copy)), []).append(each.runtime)
            for words, names in by_state.items():
                yield from hanging((*words, Word(": ")), cell(", ".join(names)), 4, style)


def _losers(copies: Sequence[Copy], style: Style) -> Iterator[str]:
    """Yield a line for each copy that shadows others, with the clients in which it does."""
    losers: dict[tuple[str, str, bool], list[str]] = {}
    for copy in copies:
        for seen in copy.seen.values():
            if seen.by is not None:
                key = (seen.by_shown, seen.runtime, seen.undetermined)
                losers.setdefault(key, []).append(copy.shown)
    told: dict[tuple[str, str, bool], list[str]] = {}
    for (winner, client, chance), paths in losers.items():
        more = f" and {len(paths) - _MOST_LOSERS} more" if len(paths) > _MOST_LOSERS else ""
        shown = f"{', '.join(paths[:_MOST_LOSERS])}{more}"
        told.setdefault((winner, shown, chance), []).append(client)
    for (winner, shown, chance), clients in told.items():
        *others, last = clients
        names = f"{', '.join(others)} and {last}" if others else last
        sentence = f"{winner} shadows {shown} in {names}"
        if chance:
            loads = "load" if others else "loads"
            sentence = f"{names} {loads} one of {winner}, {shown}; which one is not determined"
        yield from hanging(cell(sentence), (), 0, style)


def details(copies: Sequence[Copy], clients: Sequence[str], style: Style) -> Iterator[str]:
    """Yield what becomes of each copy in each client that looks at it, and why."""
    columns = [
        Column("copy", least=18),
        Column("root"),
        Column("client"),
        Column("becomes", least=9),
        Column("why", least=24),
    ]
    seen = [
        (copy, number, copy.seen[client])
        for copy in copies
        for number, client in enumerate(client for client in clients if client in copy.seen)
    ]
    rows = [
        [
            cell(copy.shown if number == 0 else "", BOLD),
            cell(each.role),
            cell(each.runtime),
            _state(each, copy),
            cell(_reason(each)),
        ]
        for copy, number, each in seen
    ]
    lines = table(columns, rows, style)
    if lines is not None:
        yield from lines
        return
    for copy, number, each in seen:
        if number == 0:
            yield from hanging(cell(copy.shown, BOLD), (), 0, style)
        head = (Word(f"{each.runtime} ({each.role}): "), *_state(each, copy))
        yield from hanging(head, (), 2, style)
        if reason := _reason(each):
            yield from hanging((), cell(reason, DIM), 4, style)


def _reason(seen: Seen) -> str:
    return " ".join(seen.why.split())


def words(seen: Seen, copy: Copy) -> Iterator[tuple[str, str]]:
    """Yield the words of a cell: for each its entry in the legend, and the text."""
    for kind, _ in _kinds(seen, copy):
        yield kind, f"as {seen.key}" if kind == "as KEY" else kind


def _kinds(seen: Seen, copy: Copy) -> Iterator[Word]:
    """Yield the words of a cell, by their entries in the legend."""
    as_other = seen.key is not None and seen.key != copy.skill
    kind = UNDETERMINED if seen.undetermined else "as KEY" if as_other else seen.state
    yield Word(kind, COLORS[kind])
    if seen.cut:
        yield Word("cut", COLORS["cut"])
    if not seen.listed:
        yield Word("unlisted", COLORS["unlisted"])


def _state(seen: Seen | None, copy: Copy) -> Cell:
    if seen is None:
        return cell(NOT_ASKED, DIM)
    found: list[Word] = []
    for kind, text in words(seen, copy):
        found += [Word(", ")] if found else []
        found.append(Word(text, COLORS[kind]))
    return found
