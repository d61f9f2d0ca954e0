"""What a run of fixes plans to do, or has done, to files and to the names of directories."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field
from pathlib import Path

from skilltool.fix.renames import resolve_name


@dataclass(frozen=True, slots=True)
class PlannedEdit:
    """What becomes of one file of a skill, or of its directory.

    `path` is the file as reports print it; `before` and `after` are its texts. `applied` counts fixes by
    rule, `refused` gives for a rule the reason why its fix was left out. `rename` is from and to, relative to
    the skill's directory; `names` are the frontmatter's name before and after. `inner` is the path below the
    skill of a file other than its SKILL.md.
    """

    directory: Path
    path: str
    before: str
    after: str
    applied: dict[str, int]
    refused: dict[str, str]
    rename: tuple[str, str] | None = None
    names: tuple[str | None, str | None] = (None, None)
    inner: str = ""

    @property
    def is_change(self) -> bool:
        """Whether anything is written or renamed."""
        return self.after != self.before or self.rename is not None

    @property
    def file(self) -> Path:
        """The file, by its name before the edit."""
        return self.directory / (self.inner or posixpath.basename(self.path))

    @property
    def renames_directory(self) -> bool:
        """Whether the directory, and not the file, gets another name."""
        return self.rename is not None and self.rename[0].startswith("../")

    @property
    def renamed(self) -> tuple[Path, Path]:
        """The paths before and after the rename; there must be one."""
        old, new = self.rename or ("", "")
        return resolve_name(self.directory, old), resolve_name(self.directory, new)


@dataclass(slots=True)
class FixOutcome:
    """What a run of fixes did or would do.

    `problems` says in words for a user what could not be fixed, `unread` what could not be read (a check of
    the same paths reports that, too), `hints` what is good to know; `skills` is the number of skills found.
    `given_up` has the directories of skills that were given up, each with the reason, as in a `GivenUpError`.
    """

    edits: list[PlannedEdit] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    skills: int = 0
    unread: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    given_up: dict[Path, str] = field(default_factory=dict)

    @property
    def fixed(self) -> int:
        """How many findings were fixed."""
        return sum(sum(edit.applied.values()) for edit in self.edits)

    @property
    def changes(self) -> list[PlannedEdit]:
        """The edits that change anything."""
        return [edit for edit in self.edits if edit.is_change]
