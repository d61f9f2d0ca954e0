"""Records what the result of checking a skill depends on besides the text of its SKILL.md."""

from __future__ import annotations


class Dependencies:
    """The paths that rules looked at, so that a cached result is valid until one of them changes.

    `files` are the files that were read, relative to the skill. `above` maps absolute paths outside the skill
    to whether they existed, `contents` those of files outside it to the digest of what they held, None for
    none. `everything` is True if any file of the skill may have been read, `unbounded` if
    anything outside it may have been.
    """

    def __init__(self) -> None:
        """Start without dependencies."""
        self.files: set[str] = set()
        self.above: dict[str, bool] = {}
        self.contents: dict[str, str | None] = {}
        self.everything = False
        self.unbounded = False
