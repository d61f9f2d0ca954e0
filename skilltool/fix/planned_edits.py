"""What a run of fixes is to do, or did: to files, and to the names of directories."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from pathlib import Path

from skilltool.fix.renames import resolve_name


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """What is to become of one skill's file, or of its directory.

    `path` is the file as reports print it, `before` and `after` are texts.
    `applied` counts fixes by rule, `refused` says of a rule why its fix was not taken. `rename` is from
    and to, relative to the skill's directory; `names` are the frontmatter's name before and after.
    """

    directory: Path
    path: str
    before: str
    after: str
    applied: dict[str, int]
    refused: dict[str, str]
    rename: tuple[str, str] | None = None
    names: tuple[str | None, str | None] = (None, None)

    @property
    def changes(self) -> bool:
        """Whether anything is to be written or renamed."""
        return self.after != self.before or self.rename is not None

    @property
    def file(self) -> Path:
        """The file as it is called before."""
        return self.directory / posixpath.basename(self.path)

    @property
    def moves(self) -> bool:
        """Whether it is the directory that is renamed."""
        return self.rename is not None and self.rename[0].startswith("../")

    @property
    def renamed(self) -> tuple[Path, Path]:
        """From where to where `rename` leads, which must be there."""
        old, new = self.rename or ("", "")
        return resolve_name(self.directory, old), resolve_name(self.directory, new)


@dataclass(slots=True)
class FixOutcome:
    """What a run of fixes did or would do, and in words for a user what could not be done.

    `unread` says what could not be looked at (a check of the same paths says it, too); `skills` were.
    """

    changes: list[PlannedEdit] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    skills: int = 0
    unread: tuple[str, ...] = ()

    @property
    def count(self) -> int:
        """How many fixes were applied."""
        return sum(sum(change.applied.values()) for change in self.changes)
