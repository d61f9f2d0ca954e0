"""What a rule finds: one defect at one location of one file, and what would fix it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import IntEnum
from typing import NamedTuple

from skilltool.text.source import Span


class Severity(IntEnum):
    """How bad a finding is for a runtime that the skill is checked against; a larger number is worse."""

    INFO = 1  # a note: only other runtimes are affected, or it is worth knowing once
    WARNING = 2  # the runtime truncates, renames or shadows the skill, or the skill misleads the model
    ERROR = 3  # the runtime drops, rejects or corrupts the skill, or its text does harm

    def __str__(self) -> str:
        return self.name.lower()


class Edit(NamedTuple):
    """Replace the characters from offset `start` up to `end` of the finding's file by `text`."""

    start: int
    end: int
    text: str


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` after edits that do not overlap; insertions at one offset keep their order."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


class Fix(NamedTuple):
    """What would fix a finding: edits of the file, sorted and without overlap, or a rename.

    A `safe` fix keeps name, description and the lines of the body in every runtime that loads the
    file now. `rename` is from and to, paths with `/` relative to the skill's directory; `..` as the
    beginning of both means the directory itself.
    """

    safe: bool
    edits: tuple[Edit, ...] = ()
    rename: tuple[str, str] | None = None


class Finding(NamedTuple):
    """One defect at one location of one file, as a rule states it.

    `message` states the fact, with the author's text in backticks, in lower case and
    without a full stop; `help` says what to do. `span` are offsets into the file.
    `severity` is set only where a rule has two and this finding is not of the default one.
    `fix` would fix it; only where there is one way to.

    `clause` is what the runtimes concerned do, for one and for several of them ("allows 500", "allow 500"):
    the engine puts their names before it, so that every message says whose limit it is. `owners` are the
    ids to name where they are not those of the targets: a common ground repeats the limits of others.
    `accepted` is how many runtimes accept what a common ground does not; messages have it where only that
    objects.
    `file` is the path under the skill, with `/`, of the file that `span` and `fix` are about, empty for its
    SKILL.md.
    `note` is what one runtime itself says of it: findings that differ in nothing else are one, with the notes
    of all.
    `cause` is what it shares with findings of other skills, such as a directory that all of them lack: of
    many with one cause, one is told.
    """

    message: str
    span: Span
    help: str | None = None
    severity: Severity | None = None
    fix: Fix | None = None
    clause: tuple[str, str] | None = None
    owners: tuple[str, ...] = ()
    note: str | None = None
    accepted: str | None = None
    file: str = ""
    cause: str = ""


_MOST_NAMES = 4  # in a message; `runtimes` of a diagnostic has all


def stated(message: str, clause: tuple[str, str] | None, names: Sequence[str]) -> str:
    """Return a message with the clause that names the runtimes, if it has one.

    `stated("the name has 70 characters", ("allows 64", "allow 64"), ["agent"])` is
    ``the name has 70 characters; `agent` allows 64``.
    """
    if clause is None:
        return message
    listed = listed_names(names)
    text = f"{listed} {clause[len(names) > 1]}"
    return f"{message}; {text}" if message else text


def listed_names(names: Sequence[str]) -> str:
    """Return names in backticks as a list in a sentence: "`a`, `b` and `c`"; of many only the first."""
    quoted = [f"`{name}`" for name in names]
    if len(quoted) > _MOST_NAMES:
        quoted = [*quoted[: _MOST_NAMES - 1], f"{len(quoted) - _MOST_NAMES + 1} more"]
    *others, last = quoted
    return f"{', '.join(others)} and {last}" if others else last
