"""Whose limit a field breaks: which runtimes a message has to name."""

from __future__ import annotations

import re
from typing import Any

from skilltool import runtimes
from skilltool.findings.finding import Finding
from skilltool.rules.shared.violations import span_over_limit
from skilltool.runtimes.base import Runtime
from skilltool.skill import schema
from skilltool.skill.model import Skill
from skilltool.skill.schema import Violation


def over_limit(skill: Skill, target: Runtime, violation: Violation, named: str, advice: str) -> Finding:
    """Return the finding for a violation of `maxLength`, at the part of the text that is over the limit.

    `named` is what is too long. A common ground such as `portable` repeats the limits of others: those are
    named, and so is the open specification if its own limit is higher.
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
    return Finding(
        f"{named} has {len(str(violation.value)):,} characters",
        span_over_limit(skill, violation),
        help=advice,
        clause=(f"allows {number:,}{others}", f"allow {number:,}{others}"),
        owners=owners,
        accepted=acceptance(target, violation),
    )


def acceptance(target: Runtime, violation: Violation) -> str | None:
    """Return, as a clause, how many runtimes accept a value that a common ground does not.

    None for a runtime, and where none accepts it.
    """
    if not target.ground:
        return None
    accepting = sum(not _refuses(name, violation) for name in runtimes.BARE)
    return f"{accepting} of {len(runtimes.BARE)} runtimes accept it" if accepting else None


def _refuses(name: str, violation: Violation) -> bool:
    """Return whether the schema of the runtime `name` refuses a value for its length or its pattern."""
    known = _keyword(name, violation)
    if known is None or not isinstance(violation.value, str):
        return False
    if violation.keyword == "maxLength":
        return len(violation.value) > int(known)
    return re.search(str(known), violation.value) is None


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
    found: int | None = _keyword(name, violation)
    return found


def _keyword(name: str, violation: Violation) -> Any:
    """Return the value of the same keyword for the same field in the schema of the runtime `name`, or None."""
    field: Any = schema.load(runtimes.get(name).schema)
    for key in violation.path:
        field = field.get("properties", {}).get(key, {})
    return field.get(violation.keyword)
