"""Whose limit a text breaks: what a finding about a length says of the runtimes."""

from __future__ import annotations

from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.schema import Violation


class Limit(NamedTuple):
    """What a `Finding` needs to name the owners of a limit: its `clause` and its `owners`."""

    clause: tuple[str, str]
    owners: tuple[str, ...]


def broken_limit(target: Runtime, violation: Violation) -> Limit:
    """Return whose limit a violation of `maxLength` breaks.

    A common ground repeats the limits of others: those are named, and so is the open specification
    where its own limit is a wider one.
    """
    number = violation.limit
    limits = {name: _limit(name, violation) for name in target.limits_of}
    owners = tuple(name for name, limit in limits.items() if limit == number)
    wider = [
        f"{runtimes.get(name).id} {limit:,}"
        for name, limit in limits.items()
        if limit is not None and limit > number and runtimes.get(name).specification
    ]
    others = f" (`{wider[0].replace(' ', '` ', 1)})" if wider and owners else ""
    return Limit((f"allows {number:,}{others}", f"allow {number:,}{others}"), owners)


def _limit(name: str, violation: Violation) -> int | None:
    field: Any = schema.load(runtimes.get(name).schema)
    for key in violation.path:
        field = field.get("properties", {}).get(key, {})
    found: int | None = field.get(violation.keyword)
    return found
