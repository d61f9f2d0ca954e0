"""What the sources of a survey have in common."""

from __future__ import annotations

from collections.abc import Iterator

from skilltool.registry.submitted import Input


class Source:
    """One source. `inputs` yields each skill once, and is read only as fast as skills are checked.

    `fraction` is how much of it was read, from 0 to 1; `problems` are messages about what could not be read.
    """

    def __init__(self, label: str) -> None:
        """Take the name by which rows refer to the source."""
        self.label = label
        self.fraction = 0.0
        self.problems: list[str] = []

    def inputs(self) -> Iterator[Input]:
        """Yield the skills, also those that cannot be read."""
        raise NotImplementedError

    def close(self) -> None:
        """Delete what was unpacked, if anything was."""
