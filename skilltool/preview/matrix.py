"""The matrix of skills and clients: which columns agree, how bad each cell is, and the sentence about all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from functools import cache
from typing import NamedTuple

from skilltool import runtimes
from skilltool.explain.cost import ClientCost
from skilltool.lint.result import count_of
from skilltool.lint.targets import COMMON
from skilltool.packages.manifest import leading_clients, places
from skilltool.preview.model import Client, Project, Row, View
from skilltool.preview.signs import LEVELS, PROBLEMS, TYPED, UNCALLABLE

# How bad it is that a cell has this word, from 0; what a client does not look at is worse than nothing.
RANKS = {
    "unseen": 0,
    "loaded": 1,
    "as KEY": 2,
    "named": 2,
    TYPED: 2,
    "unlisted": 3,
    "shadowed": 4,
    "hidden": 4,
    "not determined": 5,
    "cut": 6,
    UNCALLABLE: 6,
    "unread": 7,
    "refused": 8,
    "failed": 8,
}
_OF_SPECIFICATION = {"refused": "invalid", "loaded": "valid", "as KEY": "valid"}
_OMITS = "unlisted-skill"
_LISTED = 5  # names in one such finding
_FINE = RANKS["as KEY"]
_LOST = frozenset({"refused", "failed", "unread"})
_OTHER_COPY = frozenset({"shadowed", "hidden", "not determined"})
_LOSING = _OTHER_COPY - {"hidden"}
_NAMED = 3  # clients that a sentence names; of more it says how many


class Column(NamedTuple):
    """Clients that do the same with every skill; `is_apart` as in `Project.apart`."""

    runtimes: tuple[str, ...]
    is_apart: bool
    is_specification: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether it is that of several clients."""
        return len(self.runtimes) > 1


class Standing(NamedTuple):
    """How bad a row is: the worst cell, in how many clients it is so, and its errors and warnings."""

    worst: int
    clients: int
    errors: int
    warnings: int


def columns(project: Project) -> list[Column]:
    """Return the columns; clients that do the same with every skill share the one of the first of them.

    A specification shares none with a client.
    """
    found: dict[object, list[str]] = {}
    for runtime in project.runtimes:
        cells = tuple((row.views[runtime].words, row.views[runtime].told) for row in project.rows)
        kind = runtime in project.apart, runtimes.get(runtime).specification
        found.setdefault((kind, cells), []).append(runtime)
    return [
        Column(tuple(ids), ids[0] in project.apart, runtimes.get(ids[0]).specification)
        for ids in found.values()
    ]


def word(view: View) -> tuple[str, str]:
    """Return the worst word of a cell, with its text."""
    return max(view.words, key=lambda each: RANKS[each[0]])


def sign(row: Row, column: Column) -> str:
    """Return the word whose sign a cell has: to a specification a skill is `valid` or `invalid`."""
    kind = word(row.views[column.runtimes[0]])[0]
    return _OF_SPECIFICATION.get(kind, kind) if column.is_specification else kind


def states(row: Row, found: Sequence[Column]) -> set[str]:
    """Return the words whose signs the cells of a row have that tell a problem."""
    return {kind for column in found if LEVELS[kind := sign(row, column)] in PROBLEMS}


def rank(view: View) -> int:
    """Return how bad a cell is; 0 is that the client does not look there."""
    return RANKS[word(view)[0]]


def found_by_themselves(project: Project) -> frozenset[str]:
    """Return the names of the skills of which some client finds a copy by itself."""
    return frozenset(row.name for row in project.rows if row.is_skill and not is_away(row))


def standing(row: Row, apart: Iterable[str] = ()) -> Standing:
    """Return how bad a row is for the clients that are not `apart`."""
    ranks = [rank(view) for name, view in row.views.items() if name not in apart]
    worst = max(ranks, default=0)
    worst = 0 if worst <= _FINE or not row.is_skill else worst
    return Standing(worst, ranks.count(worst) if worst else 0, *row.findings[:2])


# Who reads a row: groups of the matrix, in this order.
HERE, NOWHERE, TOLD, NO_SKILL = range(4)


def group(row: Row) -> int:
    """Return the group of a row: who reads it, or that it is not a skill."""
    if not row.is_skill:
        return NO_SKILL
    return NOWHERE if is_unread(row) else TOLD if row.stand_in else HERE


def groups(project: Project) -> list[int]:
    """Return the groups that need a heading: all, unless clients started here read every row."""
    found = sorted(set(map(group, project.rows)))
    return [] if found == [HERE] else found


def by_problems(project: Project) -> list[Row]:
    """Return the rows by their groups, in each those with the worst problems first; copies stay together."""

    def order(row: Row) -> tuple[object, ...]:
        found = standing(row, project.apart)
        return (
            group(row),
            -max(found.worst, RANKS["refused"] if found.errors else RANKS["cut"] if found.warnings else 0),
            *(-number for number in found[1:]),
            not row.is_here,
            row.name,
            row.shown,
        )

    found = sorted(project.rows, key=order)
    first = {(group(row), row.name): at for at, row in reversed(list(enumerate(found)))}
    return sorted(found, key=lambda row: first[group(row), row.name])


def counted_rows(project: Project) -> str:
    """Return how many rows there are, and of what: `58 skills, and below them 11 other files`."""
    skills = sum(row.is_skill for row in project.rows)
    others = len(project.rows) - skills
    files = f", and below them {count_of(others, 'other file')}" if others else ""
    return f"{count_of(skills, 'skill')}{files}"


def is_unread(row: Row) -> bool:
    """Return whether no client looks at a skill, whatever it is told."""
    return not any(map(rank, row.views.values()))


class LeftOut(NamedTuple):
    """Clients and specifications without a column, for one reason, which is a clause in brackets."""

    names: tuple[str, ...]
    reason: str


def left_out(project: Project) -> list[LeftOut]:
    """Return which clients have no column, and the specification if it has none, by the reason."""
    found: dict[str, list[str]] = {}
    for name in (*_clients(), COMMON):
        if name not in project.runtimes:
            why = dict(project.unscanned).get(name) or _why_left_out(name, project.is_selected)
            found.setdefault(why, []).append(name)
    return [LeftOut(tuple(names), reason) for reason, names in found.items()]


def leading_without(project: Project) -> str:
    """Return a clause about the leading clients that read none of the skills here; empty if all read some."""
    if project.is_selected or not any(group(row) == HERE for row in project.rows):
        return ""
    names = [name for name in leading_clients() if name not in project.runtimes]
    names = [name for name in names if name not in dict(project.unscanned)]
    *others, last = names or [""]
    listed = f"{', '.join(others)} or {last}" if others else last
    return f"no skill here is read by {listed}" if names else ""


def _why_left_out(name: str, is_selected: bool) -> str:
    """Return why a client or a specification has no column; `is_selected` as in `Project`."""
    if is_selected:
        return "not selected"
    if name in runtimes.REPORTED:
        return "known only from third-party reports"
    if name == COMMON:
        return "a specification, shown only with skills in directories such as `.agents/skills`"
    return "no skill here is in a directory that the client searches"


@cache
def _clients() -> tuple[str, ...]:
    """Return the ids of the programs that look somewhere by themselves, the leading ones first."""
    shared = [place for place in places() if place.path in (".claude/skills", ".agents/skills")]
    readers = (name for each in shared for name in each.readers)
    return tuple(dict.fromkeys((*runtimes.GROUPS["clients"], *readers)))


def no_reader(project: Project) -> str:
    """Return by whom an unread skill is read: `no client`, or none of those shown if others are not."""
    return "no client" if set(_clients()) <= set(project.runtimes) else "none of the clients shown"


def is_omitted(project: Project) -> bool:
    """Return whether a manifest that lists skills lacks those that nobody reads."""
    names = [f"`{row.name}`" for row in project.rows if is_unread(row)][:_LISTED]
    omitting = (each.message for each in project.in_manifests if each.rule == _OMITS)
    return bool(names) and any(all(name in message for name in names) for message in omitting)


def is_away(row: Row) -> bool:
    """Return whether no client looks at a skill by itself."""
    return bool(row.stand_in) or is_unread(row)


def is_library(project: Project) -> bool:
    """Return whether no client looks at any of the skills by itself."""
    return all(map(is_away, project.rows))


def verdict(project: Project) -> tuple[str, ...]:
    """Return what becomes of the skills, the worst first, each a clause without a full stop."""
    counted = [name for name in project.runtimes if name not in project.apart] or list(project.runtimes)
    project = project._replace(rows=tuple(row for row in project.rows if row.is_skill))
    number = len(project.rows)
    if not number:
        return ("No skills found here",)
    parts = [_without_losses(project, counted, number)]
    is_told = is_library(project)
    if lost := _having(project, counted, _LOST):
        is_rejected = len(_having(project, counted, frozenset({"refused"}))) == len(lost)
        what = "rejected by" if is_rejected else "not loaded by"
        who = counted[0] if len(counted) == 1 else "at least one client"
        be, told = ("would be", f" {_that_are(project.rows, number)}") if is_told else (_be(lost), "")
        parts = [f"{len(lost):,} of {count_of(number, 'skill')} {be} {what} {who}{told}"]
    for word, one, many in (
        (UNCALLABLE, "fails when called", "fail when called"),
        ("cut", "is truncated", "are truncated"),
        ("not determined", "is ambiguous", "are ambiguous"),
        ("shadowed", "is shadowed", "are shadowed"),
        ("hidden", "is hidden", "are hidden"),
        ("unlisted", "is unlisted", "are unlisted"),
    ):
        if found := _having(project, counted, frozenset({word})):
            why = _why_truncated(project, found) if word == "cut" else ""
            why = _by_identical_copies(project, found) if word == "shadowed" else why
            what = one if len(found) == 1 else many
            what = f"would {many.replace('are ', 'be ')}" if is_told else what
            parts.append(f"{len(found):,} {what}{_in(list(found.values()))}{why}")
    for name in project.apart:
        if invalid := _having(project, [name], _LOST):
            does = "does" if len(invalid) == 1 else "do"
            covered = sum(row.views[name].state != "unseen" for row in project.rows)
            of = f" of the {covered:,} in its directories" if len(invalid) < covered < number else ""
            parts.append(f"{len(invalid):,}{of} {does} not meet the specification {name}")
    if not is_library(project):
        parts += _if_clients_were_told(project, counted)
    if spare := _spare(project, counted, but_nowhere=not lost):
        how = _that_are(project.rows, spare)
        parts.append(f"{spare:,} would be shadowed or ambiguous in clients {how}")
    unread = sum(map(is_unread, project.rows))
    away = sum(map(is_away, project.rows)) - unread
    if unread and (lost or unread < number):
        why = f": the manifest does not list {_them(unread)}" if is_omitted(project) else ""
        parts.append(f"{unread:,} {'is' if unread == 1 else 'are'} read by {no_reader(project)}{why}")
    if away and is_told:
        which = f"any of the {number:,}" if unread else _them(number)
        parts.append(f"no client started in this directory looks for {which}")
    elif away:
        more = " more" if unread else ""
        which = f"{away:,}{more} {'is' if away == 1 else 'are'}"
        parts.append(f"{which} read only by clients {_that_are(project.rows, away)}")
    return tuple(parts)


def _if_clients_were_told(project: Project, counted: Sequence[str]) -> Iterator[str]:
    """Yield a clause about skills of which clients have to be told, and would not take as they are."""
    away = project._replace(rows=tuple(row for row in project.rows if row.stand_in))
    kinds = (
        (_LOST, "be rejected"),
        (frozenset({UNCALLABLE}), "fail when called"),
        (frozenset({"cut"}), "be truncated"),
    )
    found = [(what, _having(away, counted, words)) for words, what in kinds]
    losing = [(what, each) for what, each in found if each]
    if len(losing) == 1 and len(losing[0][1]) == 1:
        yield _of_one_away(away, *losing[0])
        return
    if clauses := [f"{len(each):,} would {what}" for what, each in found if each]:
        told = {name for _, each in found for name in each}
        rows = [row for row in away.rows if row.id in told]
        yield f"{' and '.join(clauses)} in clients {_that_are(rows, len(told))}"


def _of_one_away(away: Project, what: str, found: Mapping[str, Sequence[str]]) -> str:
    """Return the clause about the only skill that clients would not take: its name, which, and when."""
    ((name, clients),) = found.items()
    row = next(row for row in away.rows if row.id == name)
    who = f"{len(clients)} clients" if len(clients) > _NAMED else " and ".join(clients)
    by = "by" if what == "be rejected" else "in"
    top = row.stand_in.partition("/.")[0]
    when = f"started in `{top}`" if row.conditions == ("if started there",) and top else _that_are([row], 1)
    return f"`{row.name}` would {what} {by} {who} {when}"


def _by_identical_copies(project: Project, found: Mapping[str, Sequence[str]]) -> str:
    """Return in brackets how many of the skills lose only to copies with the same text; empty for none."""
    rows = [row for row in project.rows if row.id in found]
    views = ([view for view in row.views.values() if "shadowed" in dict(view.words)] for row in rows)
    same = sum(all(view.is_same for view in each) for each in views)
    if not same:
        return ""
    return f" ({'all' if same == len(rows) else f'{same:,}'} by identical copies)"


def _without_losses(project: Project, counted: Sequence[str], number: int) -> str:
    """Return the first clause if no client rejects a skill: that all load, are not read, or not rejected."""
    unread = sum(map(is_unread, project.rows))
    if unread == number:
        return "No client reads the skill" if number == 1 else f"No client reads any of the {number:,} skills"
    others = _having(project, counted, _OTHER_COPY, told=True)
    if others and len(counted) == 1 and not unread:
        loaded = f"{number - len(others):,} of {count_of(number, 'skill')} load in {counted[0]}"
        return f"{loaded}{_if_told(project, number)}"
    if nowhere := [row for row in project.rows if row.id in others and _is_loaded_nowhere(row)]:
        which = "The skill" if number == 1 else f"{len(nowhere):,} of {number:,} skills"
        why = f"because {_winners(nowhere)} has the same name"
        if all(row.stand_in for row in nowhere):
            how = _that_are(nowhere, len(nowhere))
            return f"{which} would be loaded by no client {how}, {why}"
        return f"{which} {_be(nowhere)} loaded by no client, {why}"
    spare = _spare(project, counted)
    if unread and is_library(project) and not (others or spare):
        who, count = counted[0] if len(counted) == 1 else "each client", number - unread
        return f"{count:,} of {number:,} skills load in {who} {_that_are(project.rows, count)}"
    if unread or others or spare:
        which = "the skill" if number == 1 else f"any of the {number:,} skills"
        return f"{counted[0]} does not reject {which}" if len(counted) == 1 else f"No client rejects {which}"
    it, load = ("it", "The skill loads") if number == 1 else ("them", f"All {number:,} skills load")
    if len(counted) == 1:
        return f"{load} in {counted[0]}{_if_told(project, number)}"
    if is_library(project):
        return f"{load} in each client {_that_are(project.rows, number)}"
    return f"{load} in each client that looks for {it}"


def _winners(rows: Iterable[Row]) -> str:
    """Return what clients load instead of skills: `another copy`, `a command`, or either."""
    won = {is_command(view.winner_path) for row in rows for view in row.views.values() if view.winner_path}
    return " or ".join("a command" if each else "another copy" for each in sorted(won)) or "another copy"


def is_command(path: str) -> bool:
    """Return whether a path for people is of a directory of commands."""
    return path.endswith("commands")


def _spare(project: Project, counted: Sequence[str], but_nowhere: bool = False) -> int:
    """Return how many skills lose to another copy in a client that is told about them.

    Those that are loaded nowhere are left out if another clause tells them.
    """
    told = (row for row in project.rows if row.stand_in and not (but_nowhere and _is_loaded_nowhere(row)))
    return sum(any(_LOSING & {kind for kind, _ in row.views[name].words} for name in counted) for row in told)


def _them(count: int) -> str:
    return "it" if count == 1 else "them"


def _is_loaded_nowhere(row: Row) -> bool:
    """Return whether no client loads a skill, because each that looks there has another copy."""
    kinds = {kind for view in row.views.values() for kind, _ in view.words}
    return kinds <= {*_OTHER_COPY, "unseen"} - {"not determined"}


# What clients are that come to skills under a condition (`Row.conditions`).
_THAT_ARE = {
    "if pointed at the directory": "pointed at {them}",
    "if started there": "started in {its} own {directory}",
    "if the plugin is installed": "with {their} plugin installed",
}


def _that_are(rows: Iterable[Row], count: int) -> str:
    """Return what clients have to be to come to so many skills: `pointed at them or started there`."""
    conditions = sorted({each for row in rows for each in row.conditions})
    its = "its" if count == 1 else "their"
    directory = "directory" if count == 1 else "directories"
    words = {"them": _them(count), "their": its, "its": its, "directory": directory}
    return " or ".join(_THAT_ARE[each].format(**words) for each in conditions)


def _if_told(project: Project, count: int) -> str:
    """Return the condition under which the only client loads skills where it does not look by itself."""
    return f", {_that_are(project.rows, count)}" if is_library(project) else ""


def _be(found: Sized) -> str:
    return "is" if len(found) == 1 else "are"


def _having(
    project: Project, counted: Sequence[str], words: frozenset[str], told: bool = False
) -> dict[str, list[str]]:
    """Return the clients that do with a skill what one of the words says, by the id of its row.

    Skills of which clients have to be told count only where all are such skills. That a client has another
    copy instead counts of those that it is `told` about only if that is said, and never where some client
    finds a copy by itself: see `standing`.
    """
    found, names = {}, found_by_themselves(project)
    is_told = told or is_library(project)
    for row in project.rows:
        if row.stand_in and words <= _OTHER_COPY and row.name in names:
            continue
        if row.stand_in and (not is_told or (words <= _LOSING and not told)):
            continue
        views = ((name, row.views[name]) for name in counted)
        clients = [name for name, view in views if not view.told and words & {kind for kind, _ in view.words}]
        if clients:
            found[row.id] = clients
    return found


def _why_truncated(project: Project, found: Mapping[str, Sequence[str]]) -> str:
    """Return in brackets why skills are truncated: each has one cause, or both; empty if it is not known."""
    over = {client.ids.get(key) for client in project.clients for key in client.cost.cut}.intersection(found)
    long = {client.ids.get(key) for client in project.clients for key in client.cost.clipped}.intersection(
        found
    )
    if over and long:
        return f" ({len(over):,} over budget, {len(long):,} with too long a description)"
    return " (over budget)" if over else " (description too long)" if long else ""


def _in(clients: Sequence[Sequence[str]]) -> str:
    """Return in which clients something is so of skills, of which each has its own, with a space before."""
    names = list(dict.fromkeys(name for each in clients for name in each))
    is_same = all(len(each) == len(names) for each in clients)
    if len(names) > _NAMED:
        counts = {len(each) for each in clients}
        if is_same:
            return f" in {len(names)} clients"
        return f", each in {max(counts)} clients" if len(counts) == 1 else f" in up to {max(counts)} clients"
    *others, last = names
    return f" in {', '.join(others)} {'and' if is_same else 'or'} {last}" if others else f" in {last}"


class Bar(NamedTuple):
    """A listing against its budget, in percent of the bar: what the client lists itself, and the skills.

    `over` is what is over the budget, `budget` where that ends. `is_cut` says that the bar goes on.
    """

    own: float
    skills: float
    over: float
    budget: float
    is_cut: bool = False


_WIDEST = 200  # percent of a budget, to which bars are drawn at most


def widest(costs: Iterable[ClientCost]) -> float:
    """Return how many percent of a budget the whole width of a bar is, so that bars can be compared."""
    percents = (cost.percent(built_in=True) for cost in costs)
    return max(100, min(max((each for each in percents if each is not None), default=100), _WIDEST))


def bar(cost: ClientCost, most: float) -> Bar | None:
    """Return the bar of a listing, None for a client without a budget: it cannot be full.

    Its whole width is `most` percent of the budget, at least 100; a longer bar is cut there.
    """
    whole, skills = cost.percent(built_in=True), cost.percent(built_in=False)
    if whole is None or skills is None or whole == float("inf"):
        return None
    scale = 100 / most
    own, fitting = min(whole - skills, 100), min(whole, 100)
    over = min(whole, most) - fitting
    return Bar(own * scale, (fitting - own) * scale, over * scale, 100 * scale, whole > most)


class Listing(NamedTuple):
    """What a client lists: the session with the fullest listing, its bar, and how many others there are.

    `over` are skills of the matrix that it truncates over its budget, `long` others, whose descriptions are
    longer than it shows of any. `files` are other files of which it truncates the description.
    """

    client: Client
    bar: Bar | None
    others: int = 0
    over: int = 0
    long: int = 0
    files: int = 0

    @property
    def is_spared(self) -> bool:
        """Whether it is over its budget, and nothing is truncated all the same."""
        cost = self.client.cost
        return self.bar is not None and self.bar.over > 0 and not cost.cut and not cost.clipped


def listings(project: Project) -> list[Listing]:
    """Return one listing for each client, those with a budget first, the fullest first.

    A specification lists nothing, but where all are specifications.
    """
    shown = [client for client in project.clients if not runtimes.get(client.runtime).specification]
    of_runtime: dict[str, list[Client]] = {}
    for client in shown or project.clients:
        of_runtime.setdefault(client.runtime, []).append(client)
    fullest = [
        (max(found, key=_fullness), max(sum(client.shown > 0 for client in found) - 1, 0))
        for found in of_runtime.values()
    ]
    most = widest(client.cost for client, _ in fullest)
    made = [listing(client, most, others) for client, others in fullest]
    return sorted(
        made, key=lambda each: (each.client.cost.percent(built_in=True) is None, -_fullness(each.client))
    )


def listing(client: Client, most: float, others: int = 0) -> Listing:
    """Return the listing of a client, with a bar of which the whole width is `most` percent of the budget."""
    return Listing(client, bar(client.cost, most), others, *_truncated(client))


def _fullness(client: Client) -> float:
    percent = client.cost.percent(built_in=True)
    return client.cost.sent if percent is None else percent


def _truncated(client: Client) -> tuple[int, int, int]:
    """Return how many skills a client truncates over its budget, how many others, and of other files."""
    over, long = (
        {client.ids[key] for key in keys if client.ids.get(key)}
        for keys in (client.cost.cut, client.cost.clipped)
    )
    return len(over), len(long - over), sum(not client.ids.get(key) for key in client.cost.cut)


def over_budget(project: Project) -> dict[str, list[str]]:
    """Return the clients that truncate a description since the list is too long, by the id of the row."""
    found: dict[str, list[str]] = {}
    for client in project.clients:
        for key in client.cost.cut:
            names = found.setdefault(client.ids.get(key) or "", [])
            if client.runtime not in names:
                names.append(client.runtime)
    found.pop("", None)
    return found


def is_empty(listing: Listing) -> bool:
    """Return whether a client has no skill here, so that there is nothing to show of it."""
    return not listing.client.cost.skills


def loaded_by(row: Row) -> Iterator[str]:
    """Yield the clients that load a skill."""
    return (name for name, view in row.views.items() if view.key is not None)
