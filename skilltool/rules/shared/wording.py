"""Wording that messages share: text in backticks, counts, types, and why a finding has no fix."""

from __future__ import annotations

from collections.abc import Iterable

from skilltool.text.lazy_pattern import lazy_pattern

# Why there is no fix where a value would be rewritten; ends a `help`.
WOULD_DELETE_COMMENT = "not fixed automatically, because that would delete a comment"


def backticked(value: object, limit: int = 60) -> str:
    """Return the author's text in backticks, on one line and cut to `limit` characters; other data as JSON."""
    if not isinstance(value, str):
        import json

        value = json.dumps(value, ensure_ascii=False)
    text = " ".join(value.split())
    text = text if len(text) <= limit else text[: limit - 1] + "\u2026"
    return f"`{text}`"


def and_more(others: int, what: str = "") -> str:
    """Return how many more a message stands for, such as ` (and 6 more in this skill)`; empty if none."""
    return f" (and {others:,} more{f' {what}' if what else ''})" if others > 0 else ""


def one_of_types(types: Iterable[str]) -> str:
    """Return types with their articles as a list: "a string or null", "a string, number or boolean"."""
    first, *others = dict.fromkeys(types)
    if len(others) > 1:
        others = [other.removeprefix("a ").removeprefix("an ") for other in others]
    return " or ".join([", ".join([first, *others[:-1]]), *others[-1:]])


def without_role(why: str) -> str:
    """Return what a client says about copies, without the roles of their directories after their paths."""
    return _ROLE.sub("", why)


_ROLE = lazy_pattern(r"(?<=`) \((?:user|project|bundled|built-in|extension)[\w-]*\)")
