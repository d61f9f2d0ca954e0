"""The words for what a runtime does with a skill: their colours, and their explanation in a legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from skilltool.report.style import CYAN, DIM, GREEN, RED, YELLOW, Style

NOT_ASKED = "-"
UNDETERMINED = "not determined"
LEGEND = {
    "as KEY": "loaded under this key, not under the name of its directory",
    "cut": "the listing has only the beginning of the description",
    "unlisted": "loaded, but not in the listing",
    "shadowed": "another skill with the same key is loaded instead",
    "refused": "the runtime does not load the skill",
    "unread": "unknown: skilltool does not read the skill, which is over a bound",
    "hidden": "a setting, or what is installed here, keeps the runtime from offering the skill",
    "failed": "the runtime loads no skill at all here",
    "unseen": "the runtime does not look in this directory",
    NOT_ASKED: "not a runtime that loads skills",
}
COLORS = {
    "loaded": GREEN,
    "as KEY": CYAN,
    "refused": RED,
    "unread": RED,
    "failed": RED,
    "hidden": YELLOW,
    "shadowed": YELLOW,
    UNDETERMINED: YELLOW,
    "cut": YELLOW,
    "unlisted": YELLOW,
    "unseen": DIM,
    NOT_ASKED: DIM,
}


def legend(kinds: Iterable[str], style: Style) -> Iterator[str]:
    """Yield a line for each of the words that its name does not explain."""
    present = set(kinds)
    words = [kind for kind in LEGEND if kind in present]
    width = max(map(len, words), default=0)
    for word in words:
        yield f"{style.paint(word, COLORS[word])}{' ' * (width - len(word))}  {LEGEND[word]}"
