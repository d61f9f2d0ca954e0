"""What the result of checking a skill depends on besides the text of its SKILL.md."""

from __future__ import annotations


class Dependencies:
    """Paths that the rules looked at, so that a result can be kept until one of them changes.

    `files` were read, paths relative to the skill; `above` are paths outside (absolute), and whether they
    were there. `everything`: any file of the skill may have been read; `unbounded`: other places may.
    """

    def __init__(self) -> None:
        """Start with no path."""
        self.files: set[str] = set()
        self.above: dict[str, bool] = {}
        self.everything = False
        self.unbounded = False
