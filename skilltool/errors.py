"""What goes wrong outside a skill: one exception class for users and its few children.

    SkilltoolError            skilltool could not do what was asked; exit status 2
    ├── ConfigError           a configuration file cannot be read or says something unknown
    ├── PathError             a path does not exist, cannot be read, or holds no skill
    └── UnknownNameError      a runtime, rule or schema that does not exist

What is wrong *inside* a skill is a diagnostic, never an exception.
"""

from __future__ import annotations

from collections.abc import Iterable


class SkilltoolError(Exception):
    """A failure a user can act on; its text is shown as it is, with exit status 2."""


class ConfigError(SkilltoolError):
    """A configuration file that cannot be read, or a key or value in it that is not known."""


class PathError(SkilltoolError):
    """A path that does not exist, cannot be read, or holds nothing to check."""


class UnknownNameError(SkilltoolError):
    """A name that is not in a closed list; the text names the nearest one, and a short list whole."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        """Say that `name` is no `kind` (a singular noun) and which names are `known`."""
        names = sorted(known)
        hint = nearest(name, names)
        meant = f"; did you mean `{hint}`?" if hint else ""
        listed = "" if hint and len(names) > 20 else f" (known: {', '.join(names)})"
        super().__init__(f"unknown {kind} `{name}`{meant}{listed}")


def nearest(name: str, known: Iterable[str], cutoff: float = 0.75) -> str | None:
    """Return the entry of `known` that a person who typed `name` most likely meant, or None.

    `cutoff` is how alike the two must be, from 0 to 1 (the ratio of `difflib.SequenceMatcher`).
    """
    from difflib import get_close_matches

    candidates = {_folded(entry): entry for entry in known}
    if exact := candidates.get(_folded(name)):
        return exact
    close = get_close_matches(_folded(name), candidates, n=1, cutoff=cutoff)
    return candidates[close[0]] if close else None


def _folded(name: str) -> str:
    return name.casefold().replace("_", "-").replace(" ", "-")
