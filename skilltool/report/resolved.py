"""Which client sees which copy of a skill: as tables, and as lists where a terminal is too narrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from skilltool import runtimes
from skilltool.explain.copies import Copy, Seen
from skilltool.explain.installed import View
from skilltool.lint.result import count_of
from skilltool.packages.installer import Target
from skilltool.report.grid import ELLIPSIS, Cell, Column, Word, cell, hanging, table, tail
from skilltool.report.style import BOLD, CYAN, DIM, GREEN, RED, YELLOW, Style
from skilltool.text.printable import display_width

NOT_ASKED = "-"
UNDETERMINED = "not determined"
# What people read for a state that JSON calls otherwise.
_NAMES = {
    "cut": "truncated",
    "refused": "rejected",
    "unread": "over a limit",
    "unseen": "not read",
    "named": "name only",
    UNDETERMINED: "ambiguous",
}
LEGEND = {
    "as KEY": "loaded under this name, which differs from its directory name",
    "named": "the client lists names but no descriptions",
    "cut": "the listing contains only part of the description",
    "unlisted": "loaded, but not in the listing",
    "shadowed": "another skill with the same name is loaded instead",
    "refused": "the runtime does not load the skill",
    "unread": "too large or too slow for skilltool, so it is not known what the runtime does",
    "hidden": "a setting, missing software or the field `paths` keeps the runtime from offering the skill",
    "failed": "the runtime fails and loads no skills",
    "unseen": "the runtime does not look in this directory",
    NOT_ASKED: "not a runtime that loads skills",
}
COLORS = {
    "loaded": GREEN,
    "as KEY": CYAN,
    "named": CYAN,
    "refused": RED,
    "unread": RED,
    "failed": RED,
    "hidden": YELLOW,
    "shadowed": YELLOW,
    UNDETERMINED: YELLOW,
    "cut": YELLOW,
    "unlisted": YELLOW,
    "unseen": DIM,
    NOT_ASKED: DIM,
}


def legend(kinds: Iterable[str], style: Style) -> Iterator[str]:
    """Yield a line for each of the words that its name does not explain."""
    present = set(kinds)
    words = [kind for kind in LEGEND if kind in present]
    width = max((len(name_of(word)) for word in words), default=0)
    for word in words:
        name = name_of(word)
        yield f"{style.paint(name, COLORS[word])}{' ' * (width - len(name))}  {LEGEND[word]}"


def name_of(kind: str) -> str:
    """Return the word that people read for a state."""
    return _NAMES.get(kind, kind)


_SHORT_PATH = 20  # cells that the paths are left where the table does not fit
_WIDEST = 2  # cells of a character
_MOST_LOSERS = 5
MEANINGS = {
    **LEGEND,
    "cut": "the model sees only part of the description, or only the name",
    "shadowed": "the client loads a different copy, or a command, with the same name",
    "refused": "the client does not load this copy",
    UNDETERMINED: "the client loads one of the copies; which one can vary between starts",
    "hidden": "a setting, missing software or the field `paths` keeps the client from offering the skill",
    NOT_ASKED: "the client does not look in this directory",
}


def overview(copies: Sequence[Copy], clients: Sequence[str], style: Style) -> Iterator[str]:
    """Yield a table with a row for each copy and a column for each client, and what its words mean."""
    kinds = {word.text for copy in copies for seen in copy.seen.values() for word in _kinds(seen, copy)}
    if any(client not in copy.seen for copy in copies for client in clients):
        kinds.add(NOT_ASKED)
    columns = [Column("skill"), Column("copy"), *map(Column, clients)]
    narrow = [Column("copy", least=_least_path(copies), shorten=tail), *map(Column, clients)]
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
    lines = table(columns, rows, room)
    if lines is None and all(copy.shown.rpartition("/")[2] == copy.skill for copy in copies):
        lines = table(narrow, [row[1:] for row in rows], room)
        if lines is not None and style.width is None:  # nothing is cut in a file or a pipe
            lines = table(narrow, [row[1:] for row in rows], style)
    if lines is None:
        kinds.discard(NOT_ASKED)
        lines = list(_list(copies, clients, style))
    yield from lines
    if losers := list(_losers(copies, style)):
        yield from ("", *losers)
    words = [kind for kind in MEANINGS if kind in kinds]
    yield from [""] if words else []
    for word in words:
        head = cell(name_of(word), COLORS[word])
        column = max(len(name_of(each)) for each in words) + 2
        yield from hanging(head, cell(MEANINGS[word]), 0, style, column)


def _least_path(copies: Sequence[Copy]) -> int:
    """Return in how many cells the ends of the paths differ from each other and have the whole name."""
    reversed_paths = sorted(copy.shown[::-1] for copy in copies)
    alike = [_common_beginning(*pair) for pair in pairwise(reversed_paths)]
    differing = [display_width(end) + len(ELLIPSIS) + _WIDEST for end in alike]
    return max(_SHORT_PATH, *differing, *(display_width(copy.skill) + len(ELLIPSIS) for copy in copies))


def _common_beginning(one: str, other: str) -> str:
    pairs = enumerate(zip(one, other, strict=False))
    return one[: next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))]


def _list(copies: Sequence[Copy], clients: Sequence[str], style: Style) -> Iterator[str]:
    """Yield the copies of each skill, with the clients that see them under each."""
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
            sentence = f"{names} {loads} {winner} or {shown}; which one can vary between starts"
        yield from hanging(cell(sentence), (), 0, style)


def details(copies: Sequence[Copy], clients: Sequence[str], style: Style) -> Iterator[str]:
    """Yield what becomes of each copy in each client that looks at it, and why."""
    columns = [
        Column("copy", least=18),
        Column("role"),
        Column("client"),
        Column("status", least=9),
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
        yield kind, f"as {seen.key}" if kind == "as KEY" else name_of(kind)


def _kinds(seen: Seen, copy: Copy) -> Iterator[Word]:
    """Yield the words of a cell, by their entries in the legend."""
    as_other = seen.key is not None and seen.key != copy.skill
    kind = UNDETERMINED if seen.undetermined else "as KEY" if as_other else seen.state
    yield Word(kind, COLORS[kind])
    if seen.key is not None and runtimes.get(seen.runtime).lists_names:
        yield Word("named", COLORS["named"])
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


def lines(view: View, style: Style) -> Iterator[str]:
    """Yield what is installed, a skill per row, then what is passed over, and why."""
    head = f"{view.name} ({view.manifest}) for {view.runtime}"
    has_plugins = any(installed.plugin for installed in [*view.skills]) or any(
        passed_over.plugin for passed_over in view.passed
    )
    if view.refused is not None:
        yield from hanging(cell(f"{head}: nothing is installed"), (), 0, style)
        yield from hanging(cell(view.refused), (), 2, style)
        return
    counts = count_of(len(view.skills), "skill")
    counts = f"{count_of(len(view.plugins), 'plugin')}, {counts}" if has_plugins else counts
    yield from hanging(cell(f"{head}: {counts}"), (), 0, style)
    skills = [[cell(skill.key, BOLD), cell(skill.directory), cell(skill.found, DIM)] for skill in view.skills]
    yield from _table(("name", "skill", "found"), skills, style)
    passed = [
        [cell(passed_over.what, BOLD), cell(passed_over.plugin), cell(passed_over.why)]
        for passed_over in view.passed
    ]
    if has_plugins:
        yield from _table(("not installed", "plugin", "why"), passed, style)
    else:
        yield from _table(("not installed", "why"), [[row[0], row[2]] for row in passed], style)


def targets(places: Sequence[Target], style: Style) -> Iterator[str]:
    """Yield where an installer puts a skill for each agent."""
    rows = [[cell(place.agent, BOLD), cell(place.path), cell(_kind(place), DIM)] for place in places]
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
