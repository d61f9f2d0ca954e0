"""The rows of the matrix as HTML, and what a script needs to find and to sort them.

A page begins with the rows that are seen first; a script asks for all of them, and puts them in as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from skilltool import runtimes
from skilltool.preview.markup import clipped, visible
from skilltool.preview.matrix import (
    RANKS,
    Column,
    by_problems,
    group,
    is_command,
    loaded_by,
    no_reader,
    over_budget,
    rank,
    sign,
    standing,
    states,
    word,
)
from skilltool.preview.model import Project, Row
from skilltool.preview.signs import LEVELS, PROBLEMS, SIGNS, name
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import printable

FIRST = 40  # rows that a page begins with
_FEW_MORE = 20  # rows that are not worth a second step
_SHADOWED_FILE = lazy_pattern(r"it shadows [^,]+\.md\Z")
Address = Callable[[str], str]
_Drawn = tuple[Row, Markup]
_MOST_WINNERS = 2  # copies that are loaded instead
_MOST_WHY = 160  # characters of a reason in a title
_MOST_SAID = 70  # characters of a reason in a cell
_MOST_TEXT = 400  # characters of a row that a search looks at


def row_html(
    row: Row, address: str, found: Sequence[Column], nobody: str, over: Sequence[str] = ()
) -> Markup:
    """Return a row of the matrix.

    `address` is that of the skill's page, `nobody` its `no_reader`, `over` its clients of `over_budget`.
    """
    above, _, name = row.shown.rstrip("/").rpartition("/")
    head = Markup(
        '<tr data-row id="row-{}"><th scope="row"><div><span><a href="{}">{}</a>{}</span>'
        ' <span class="path" title="{}"><span>{}</span><span>{}</span>{}</span></div></th>'
    ).format(
        row.id,
        address,
        visible(row.name),
        _notes(_other_name(row), _shadowed_by(row), _shadowed_file(row)),
        visible(row.shown).striptags(),
        _breaking(f"{above}/" if above else ""),
        _breaking(name),
        _linked(row),
    )
    cells = Markup("").join(_cell(row, column) for column in found)
    return Markup("{}{}{}{}</tr>").format(head, _counts(row, over), cells, _states(row, found, nobody))


def _breaking(path: str) -> Markup:
    """Return a path that a narrow column breaks after its slashes."""
    return Markup("/<wbr>").join(visible(part) for part in path.split("/"))


def _notes(*found: Markup) -> Markup:
    """Return what is said after a name, each apart from the one before."""
    return Markup("").join(Markup(' <span class="as">{}</span>').format(each) for each in found if each)


def _other_name(row: Row) -> Markup:
    """Return the other name than its directory's under which clients know a skill, if there is one."""
    clients: dict[str, list[str]] = {}
    for runtime, view in row.views.items():
        if view.key is not None and "not determined" not in dict(view.words):
            clients.setdefault(view.key, []).append(runtime)
    others = [key for key in clients if key != row.name]
    if len(others) != 1:
        return Markup("")
    where = f" in {', '.join(clients[others[0]])}" if len(clients) > 1 else ""
    return Markup("as {}{}").format(visible(others[0]), where)


def _linked(row: Row) -> Markup:
    """Return a note that clients find a skill at other paths, too, which are its title."""
    if not row.also:
        return Markup("")
    paths = ", ".join(str(visible(path).striptags()) for path in row.also)
    where = row.also[0].rpartition("/")[0] if len(row.also) == 1 else f"{len(row.also)} more places"
    return Markup(' <span class="as" title="also found as {}">also in {}</span>').format(
        paths, _breaking(where)
    )


def _shadowed_by(row: Row) -> Markup:
    """Return a note about the copies that clients load instead, if there are at most two."""
    clients: dict[str, list[str]] = {}
    for runtime, view in row.views.items():
        if view.winner_path and "shadowed" in dict(view.words):
            kind = "command" if is_command(view.winner_path) else "file"
            shown = view.winner_path if view.winner else f"a {kind} in {view.winner_path}"
            above, _, name = shown.rpartition("/")
            if above and name == row.name and view.winner:
                kind = "" if view.is_same is None else "identical " if view.is_same else "differing "
                shown = f"the {kind}copy in {above}"
            clients.setdefault(shown, []).append(runtime)
    if not clients or len(clients) > _MOST_WINNERS:
        return Markup("")
    by = (
        Markup("by {}{}").format(visible(winner), f" ({', '.join(names)})" if len(row.views) > 1 else "")
        for winner, names in clients.items()
    )
    return Markup("shadowed {}").format(Markup(", ").join(by))


def _shadowed_file(row: Row) -> Markup:
    """Return a note about a file that a skill keeps a client from loading: a command of its name."""
    clients: dict[str, list[str]] = {}
    for runtime, view in row.views.items():
        if _SHADOWED_FILE.match(view.why):
            clients.setdefault(view.why, []).append(runtime)
    if len(clients) != 1:
        return Markup("")
    ((why, names),) = clients.items()
    return Markup("{} in {}").format(visible(why.removeprefix("it ")), ", ".join(names))


def _states(row: Row, found: Sequence[Column], nobody: str) -> Markup:
    """Return a cell with a line for each problem, else one for all states, which a phone shows."""
    states: dict[tuple[str, str], list[str]] = {}
    for column in found:
        kind = sign(row, column)
        if kind != "unseen":
            states.setdefault((kind, row.views[column.runtimes[0]].told), []).extend(column.runtimes)
    troubles = [each for each in states if LEVELS[each[0]] in PROBLEMS]
    lines = [
        Markup('<p><i class="tile {}">{}</i> <span><b>{}</b> {}</span></p>').format(
            LEVELS[kind], SIGNS[kind], name(kind), _those(kind, told, states[kind, told])
        )
        for kind, told in sorted(troubles, key=lambda each: -RANKS.get(each[0], 0))
    ]
    fine = "; ".join(
        f"{name(kind)} {_those(kind, told, names)}"
        for (kind, told), names in states.items()
        if (kind, told) not in troubles
    )
    if fine or not troubles:
        lines.append(Markup("<p>{}</p>").format(fine or f"read by {nobody}"))
    return Markup('<td class="troubles">{}</td>').format(Markup("").join(lines))


def _those(kind: str, told: str, names: Sequence[str]) -> str:
    """Return in how many clients something is so, in which if they are few, and on which condition."""
    if kind in ("invalid", "valid"):
        return f"for {', '.join(names)}"
    by = "by" if kind in ("refused", "loaded", "as KEY") else "in"
    who = f"{len(names)}: {', '.join(names)}" if len(names) > 1 else names[0]
    if kind == "loaded" and len(names) > _MOST_LOADING:
        who = f"{len(names)} clients"
    return f"{by} {who}{f', {told}' if told else ''}"


_MOST_LOADING = 4  # clients that a phone names where all is fine


def _counts(row: Row, over: Sequence[str]) -> Markup:
    """Return the cell with the numbers of findings, and what no finding tells."""
    parts = [
        Markup('<span class="{}">{}</span>').format(kind, _of(number, kind))
        for number, kind in zip(row.findings, ("error", "warning", "note"), strict=True)
        if number
    ]
    errors, warnings, notes = row.findings
    if row.rule and not (errors or warnings or ":" in row.rule):
        after = f"{_rejecting(row)}{_more(notes - 1, 'note')}"
    else:
        after = _more(errors + warnings - 1, "warning" if errors <= 1 else "problem" if warnings else "error")
    rule = Markup("<small>{}{}</small>").format(row.rule, after) if row.rule else Markup("")
    if not row.is_here:
        rule = Markup("<small>not checked: outside the project</small>")
    if over:
        rule += Markup("<small>over budget in {}</small>").format(_listed(over))
    hidden = (view.why for view in row.views.values() if "hidden" in dict(view.words))
    if why := next(hidden, ""):
        rule += Markup("<small>{}</small>").format(visible(clipped(why, _MOST_SAID)))
    return Markup('<td class="counts">{}{}</td>').format(Markup(" ").join(parts), rule)


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names) if len(names) <= _MOST_REJECTING else f"{len(names)} clients"


def _more(others: int, what: str) -> str:
    return f" and {others} more {what}{'s' if others > 1 else ''}" if others > 0 else ""


def _rejecting(row: Row) -> str:
    """Return who rejects a skill that has notes only, to be said after the rule."""
    names = [name for name, view in row.views.items() if "refused" in dict(view.words)]
    specifications = [name for name in names if runtimes.get(name).specification]
    clients = [name for name in names if name not in specifications]
    if not names:
        return ""
    if not clients:
        return f" (not valid for {' and '.join(specifications)})"
    return f" (rejected by {_listed(clients)})"


_MOST_REJECTING = 2


def _of(number: int, kind: str) -> str:
    return f"{number:,} {kind}{'s' if number > 1 else ''}"


def _cell(row: Row, column: Column) -> Markup:
    views = [row.views[name] for name in column.runtimes]
    why = next((view.why for view in views if view.why), "")
    return _drawn(column, views[0].words, sign(row, column), word(views[0])[1], why, views[0].told)


@lru_cache(maxsize=10_000)  # most cells of many rows are the same
def _drawn(
    column: Column, words: tuple[tuple[str, str], ...], kind: str, text: str, why: str, told: str
) -> Markup:
    apart = f"{' apart' if column.is_apart else ''}{' told' if told else ''}"
    if kind == "unseen":
        return Markup(f'<td class="t none{apart}"></td>')
    names = ", ".join(column.runtimes)
    what = " and ".join(each for _, each in words)
    title = f"{names}: {what}{f', {told}' if told else ''}{f'; {clipped(why, _MOST_WHY)}' if why else ''}"
    shown = text if kind in ("as KEY", "named") else name(kind)
    return Markup(
        '<td class="t {}{}" data-c="{}" title="{}"><i aria-hidden="true">{}</i><s>{}</s></td>'
    ).format(LEVELS[kind], apart, names, visible(title).striptags(), SIGNS[kind], visible(shown))


def _all(
    project: Project, found: Sequence[Column], address_of: Address, most: int | None
) -> Iterator[_Drawn]:
    """Yield the rows by their groups, in each those with problems first, as HTML."""
    unread, over = no_reader(project), over_budget(project)
    for row in by_problems(project)[:most]:
        yield row, row_html(row, address_of(row.id), found, unread, over.get(row.id, ()))


def data(project: Project, found: Sequence[Column], address_of: Address) -> list[dict[str, Any]]:
    """Return all rows, those with problems first, as data for a script.

    `html` is the row, `group` as in `matrix`, `text` what a search looks at, `findings` the numbers of
    errors, warnings and notes, `name` sorts by name, `ranks` has a digit for each column, `states` the names
    of its problems, each on a line, `is_trouble` tells that a client does not take the skill as it is.
    """
    return [
        {
            "html": str(html),
            "group": group(row),
            "text": printable(f"{row.name} {row.shown} {row.description}").lower()[:_MOST_TEXT],
            "name": printable(row.name).lower(),
            "findings": list(row.findings),
            "ranks": "".join(str(rank(row.views[column.runtimes[0]])) for column in found),
            "states": "\n".join(sorted(map(name, states(row, found)))),
            "is_trouble": standing(row, project.apart).worst > 0,
            "loaded": " ".join(loaded_by(row)),
        }
        for row, html in _all(project, found, address_of, None)
    ]


def first_rows(
    project: Project, found: Sequence[Column], address_of: Address, every: bool = False
) -> list[Markup]:
    """Return the rows that a page begins with, or all of them."""
    is_short = len(project.rows) <= FIRST + _FEW_MORE
    return [html for _, html in _all(project, found, address_of, None if every or is_short else FIRST)]
