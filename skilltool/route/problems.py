"""What is wrong with a collection and its cases, as sentences; several clients may have one problem."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple

from skilltool.findings.finding import Severity


class Problem(NamedTuple):
    """One thing that is wrong: how bad, of which kind, in words, and what to do.

    The message begins with a predicate if there are `clients`, who are its subject. `places` are those of the
    cases concerned, `skills` the names of the skills.
    """

    severity: Severity
    kind: str
    message: str
    help: str = ""
    places: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    clients: tuple[str, ...] = ()


def merged(problems: Iterable[Problem]) -> list[Problem]:
    """Return problems that are the same for several cases, clients or skills once, the worst first."""
    for_clients = _merged(problems, lambda each: (each.kind, each.message, each.skills))
    found = _merged(for_clients, lambda each: (each.kind, each.message, each.help, each.clients))
    return sorted(found, key=lambda each: -each.severity)


def _merged(problems: Iterable[Problem], key_of: Callable[[Problem], Hashable]) -> list[Problem]:
    found: dict[Hashable, Problem] = {}
    for each in problems:
        key = key_of(each)
        known = found.get(key)
        if known is None:
            found[key] = each
            continue
        found[key] = known._replace(
            places=tuple(dict.fromkeys((*known.places, *each.places))),
            clients=tuple(dict.fromkeys((*known.clients, *each.clients))),
            skills=tuple(dict.fromkeys((*known.skills, *each.skills))),
            severity=max(known.severity, each.severity),
        )
    return list(found.values())
