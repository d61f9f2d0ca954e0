"""The sign and the colour of each word of the matrix: few of them, each with one meaning."""

from __future__ import annotations

from skilltool.report.resolved import name_of

TYPED = "typed"  # a skill that asks to be left out of the listing: a person can call it
UNCALLABLE = "uncallable"  # a skill that is loaded, and whose calls fail
SIGNS = {
    "loaded": "\u2713",
    "as KEY": "\u2192",
    "named": "Aa",
    TYPED: "/",
    "cut": "\u2702",
    UNCALLABLE: "\u2298",
    "unlisted": "\u2013",
    "shadowed": "\u25d0",
    "not determined": "?",
    "hidden": "\u25cb",
    "refused": "\u2715",
    "unread": "\u2715",
    "failed": "\u2715",
    "invalid": "!",
    "valid": "\u2713",
    "unseen": "",
}
# A class of the style: `ok` and `plain` are quiet, `part` loses something, `other` is not this copy, `bad`
# does not load.
LEVELS = {
    "loaded": "ok",
    "as KEY": "ok",
    "named": "plain",
    TYPED: "plain",
    "cut": "part",
    UNCALLABLE: "part",
    "unlisted": "part",
    "shadowed": "other",
    "hidden": "other",
    "not determined": "part",
    "refused": "bad",
    "unread": "bad",
    "failed": "bad",
    "invalid": "invalid",
    "valid": "ok",
    "unseen": "none",
}
# The levels of what is not as its author would have it.
PROBLEMS = frozenset({"bad", "part", "other", "invalid"})
# In the order of a legend.
WORDS = tuple(SIGNS)
# Words that a terminal does not print.
_NAMES = {
    "as KEY": "renamed",
    TYPED: "typed only",
    UNCALLABLE: "call fails",
    "invalid": "not valid",
    "valid": "valid",
}


def name(kind: str) -> str:
    """Return the word that people read beside a sign."""
    return _NAMES.get(kind) or name_of(kind)
