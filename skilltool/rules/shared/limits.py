"""Whose limit a field breaks: which runtimes a message has to name."""

from __future__ import annotations

from typing import Any, NamedTuple

from skilltool import runtimes
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.schema import Violation


class Limit(NamedTuple):
    """The `clause` and `owners` of a `Finding` about a length."""

    clause: tuple[str, str]
    owners: tuple[str, ...]


def broken_limit(target: Runtime, violation: Violation) -> Limit:
    """Return whose limit a violation of `maxLength` breaks.

    A common ground such as `portable` repeats the limits of others: those are named, and so is the
    open specification if its own limit is higher.
    """
    number = violation.limit
    limits = {name: _limit(name, violation) for name in target.limits_of}
    owners = tuple(name for name, limit in limits.items() if limit == number)
    higher = [
        f"`{runtimes.get(name).id}` {limit:,}"
        for name, limit in limits.items()
        if limit is not None and limit > number and runtimes.get(name).specification
    ]
    others = f" ({higher[0]})" if higher and owners else ""
    return Limit((f"allows {number:,}{others}", f"allow {number:,}{others}"), owners)


def owners_of(skill: Skill, target: Runtime, violation: Violation) -> tuple[str, ...]:
    """Return the runtimes whose schemas have the same violation, of those that a common ground stands for.

    Empty if `target` is not a common ground, or if the demand is its own.
    """
    return tuple(
        name
        for name in target.limits_of
        if any(
            (other.keyword, other.path) == (violation.keyword, violation.path)
            for other in schema.violations(skill.frontmatter, runtimes.get(name).schema)
        )
    )


def _limit(name: str, violation: Violation) -> int | None:
    """Return the number that the schema of the runtime `name` has for the same field, if it has one."""
    field: Any = schema.load(runtimes.get(name).schema)
    for key in violation.path:
        field = field.get("properties", {}).get(key, {})
    found: int | None = field.get(violation.keyword)
    return found
