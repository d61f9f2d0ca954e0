"""Which name calls which skill? Keys first, then the names of the frontmatter that are still free."""

from __future__ import annotations

from collections.abc import Iterable

from skilltool.runtimes.claude_code.data import facts
from skilltool.runtimes.claude_code.entry import Entry, callable_name, shown_name, visible

_FARTHEST = 2


def with_aliases(entries: Iterable[Entry], taken: Iterable[str] = ()) -> list[Entry]:
    """Return entries with their alias and label: a name that no key, built-in command or earlier name has.

    `taken` are names in use by entries that are not given. In a plugin, a name has the plugin's prefix.
    """
    given = list(entries)
    used = {entry.key for entry in given} | set(taken) | set(facts()["commands"]["names"])
    found = []
    for entry in given:
        name = callable_name(entry)
        if name is not None and entry.plugin is not None:
            prefix = f"{entry.plugin}:"
            name = name if name.startswith(prefix) else prefix + name
        if name is None or name in used or name == entry.key:
            found.append(entry)
            continue
        used.add(name)
        found.append(entry._replace(alias=name, label=name if shown_name(name) else None))
    return found


def find(entries: Iterable[Entry], name: str) -> Entry | None:
    """Return the entry that a name calls: by its key, its alias, or either without the plugin's prefix."""
    known = list(entries)
    for match in (
        lambda entry: entry.key == name,
        lambda entry: entry.alias == name,
        lambda entry: entry.plugin is not None and f"{entry.plugin}:{name}" in (entry.key, entry.alias),
    ):
        if found := next(filter(match, known), None):
            return found
    return None


def nearest(name: str, entries: Iterable[Entry]) -> str | None:
    """Return the key or name that is spelled most like `name`, None if none is near."""
    known = [each for entry in entries for each in (entry.key, entry.name) if each and visible(each)]
    best, least = None, _FARTHEST + 1
    for each in (*known, *facts()["commands"]["names"]):
        steps = _distance(name, each, least)
        if steps < least:
            best, least = each, steps
    return best


def _distance(left: str, right: str, limit: int) -> int:
    """Return how many letters must change, up to `limit`."""
    if abs(len(left) - len(right)) >= limit:
        return limit
    row = list(range(len(right) + 1))
    for number, letter in enumerate(left, start=1):
        before, row[0] = row[0], number
        for at, other in enumerate(right, start=1):
            before, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, before + (letter != other))
    return min(row[-1], limit)
