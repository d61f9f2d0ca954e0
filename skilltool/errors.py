"""The exceptions that end a command with exit status 2: one base class and its three children.

    SkilltoolError            skilltool could not do what was asked
    ├── ConfigError           a configuration file cannot be read, or holds an unknown key or value
    ├── PathError             a path does not exist, cannot be read, or holds no skill
    └── UnknownNameError      a runtime, rule, group, schema, template or setting that does not exist

What is wrong *inside* a skill is a finding, never an exception.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_MOST_SUGGESTIONS = 3


class SkilltoolError(Exception):
    """Reports a failure that the user can act on; the command line prints its text and exits with 2."""


class ConfigError(SkilltoolError):
    """Reports a configuration file that cannot be read, or a key or value in it that is unknown."""


class PathError(SkilltoolError):
    """Reports a path that does not exist, cannot be read, or holds nothing to check."""


class UnknownNameError(SkilltoolError):
    """Reports a name that is not in a closed list; suggests up to three names, and how to list them all."""

    def __init__(self, kind: str, name: str, known: Iterable[str], listed_by: str = "") -> None:
        """Say that `name` is not a `kind` (a singular noun).

        `known` are the names that exist, `listed_by` is the command that lists them.
        """
        self.suggestions = suggestions(name, known)
        meant = f"; did you mean {_either(self.suggestions)}?" if self.suggestions else ""
        listed = f" (see `{listed_by}`)" if listed_by else ""
        super().__init__(f"unknown {kind} `{name}`{meant}{listed}")


def suggestions(name: str, known: Iterable[str]) -> list[str]:
    """Return up to three entries of `known` that a person who typed `name` may have meant, best first.

    Where none is spelled alike, these are the entries that hold `name` as a part: `link` is in `broken-link`.
    """
    names = sorted(known)
    alike = _close_matches(name, names, _MOST_SUGGESTIONS, 0.75)
    if alike or len(name) < 3:
        return alike
    return [entry for entry in names if _folded(name) in _folded(entry)][:_MOST_SUGGESTIONS]


def nearest(name: str, known: Iterable[str], cutoff: float = 0.75) -> str | None:
    """Return the entry of `known` that a person who typed `name` most likely meant, or None.

    `cutoff` is how alike the two must be, from 0 to 1 (the ratio of `difflib.SequenceMatcher`).
    """
    return next(iter(_close_matches(name, known, 1, cutoff)), None)


def _close_matches(name: str, known: Iterable[str], most: int, cutoff: float) -> list[str]:
    from difflib import get_close_matches

    candidates, wanted = _by_folded(tuple(known)), _folded(name)
    if exact := candidates.get(wanted):
        return [exact]
    # The ratio cannot be higher than the lengths allow, and comparing them takes no time.
    similar = [entry for entry in candidates if _highest_ratio(len(entry), len(wanted)) >= cutoff]
    return [candidates[match] for match in get_close_matches(wanted, similar, most, cutoff)]


@lru_cache(maxsize=64)
def _by_folded(known: tuple[str, ...]) -> dict[str, str]:
    return {_folded(entry): entry for entry in known}


def _highest_ratio(one: int, other: int) -> float:
    """Return the ratio of two texts of these lengths if the shorter is part of the longer."""
    return 2.0 * min(one, other) / (one + other) if one or other else 1.0


def _either(names: list[str]) -> str:
    """Return names as a list in a sentence: "`a`, `b` or `c`"."""
    *first, last = (f"`{name}`" for name in names)
    return f"{', '.join(first)} or {last}" if first else last


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")
