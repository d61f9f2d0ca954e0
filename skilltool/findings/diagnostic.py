"""What a rule finds, and what a person sees of it.

A rule yields a `Finding` with offsets. The engine stamps it with id, severity, file and
runtimes and turns the offsets into lines and columns: a `Diagnostic`, which stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Literal, NamedTuple

from skilltool.source import Position, Source, Span


class Severity(IntEnum):
    """How bad a finding is for a declared target; a larger number is worse."""

    INFO = 1  # only other runtimes are affected
    WARNING = 2  # the target cuts, renames or shadows the skill, or the skill misleads the model
    ERROR = 3  # the target drops, rejects or corrupts the skill

    def __str__(self) -> str:
        return self.name.lower()


class Edit(NamedTuple):
    """Replace the characters from offset `start` up to `end` of the file by `text`."""

    start: int
    end: int
    text: str


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Return `text` after edits that do not overlap; insertions at one place stand in the order given."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


class Fix(NamedTuple):
    """What would mend a finding: edits of the file, sorted and apart, or a rename.

    A `safe` fix keeps name, description and the lines of the body in every runtime that loads the
    file now. `rename` is from and to, paths with `/` relative to the skill's directory; `..` as the
    beginning of both means the directory itself.
    """

    safe: bool
    edits: tuple[Edit, ...] = ()
    rename: tuple[str, str] | None = None


class Finding(NamedTuple):
    """One defect at one place of one file, as a rule states it.

    `message` states the fact, with the author's text in backticks, in lower case and
    without a full stop; `help` says what to do. `span` are offsets into the file.
    `severity` is set only where a rule has two and this finding is not of the default one.
    `fix` would mend it; only where there is one way to.
    """

    message: str
    span: Span
    help: str | None = None
    severity: Severity | None = None
    fix: Fix | None = None


class Excerpt(NamedTuple):
    """The part of a line that a report shows, and where in it the finding is.

    `start` and `end` are code-point offsets into `text`; text that was left out at
    either side is marked by an ellipsis that belongs to `text`.
    """

    text: str
    start: int
    end: int


class Place(NamedTuple):
    """Where in its file a finding is: from `start` up to, not including, `end`, and what stands there."""

    start: Position
    end: Position
    excerpt: Excerpt


class Diagnostic(NamedTuple):
    """A finding with everything a report needs; it refers to no open file.

    `path` is the file as a report prints it, with `/`. `skill` is the name of the skill's
    directory. `runtimes` are the ids of the targets concerned, in the order they were asked for.
    `bom` is True where the file begins with a UTF-8 byte order mark, which the offsets of `fix` count.
    """

    path: str
    place: Place
    rule: str
    severity: Severity
    message: str
    help: str | None
    skill: str
    runtimes: tuple[str, ...]
    fix: Fix | None = None
    bom: bool = False

    @property
    def fingerprint(self) -> str:
        """A short hash of rule, skill and text: the same after the finding has moved to another line."""
        import hashlib

        parts = (self.rule, self.skill, self.message, self.place.excerpt.text.strip())
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def order(self) -> tuple[object, ...]:
        """The key that sorts diagnostics the same way on every machine."""
        return (self.path.split("/"), self.place.start, self.place.end, self.rule, self.message)


class Suppressed(NamedTuple):
    """A finding that somebody decided to live with, and why.

    `by` says where that was decided: in a comment of the file, in `per-file-ignores`, in a baseline.
    `reason` is the comment's, or names the pattern or file; `comment` is the comment's place in the
    same file, None for the other two.
    """

    diagnostic: Diagnostic
    by: Literal["comment", "per-file-ignores", "baseline"]
    reason: str
    comment: Place | None = None


# A report shows at most this many characters of a line: a line of a real skill can have 130,000.
_BEFORE, _SHOWN = 60, 150


def place(source: Source, span: Span) -> Place:
    """Turn offsets into a place: lines, columns, and the first line concerned, cut around the span."""
    line = source.line_span(span.start)
    first = max(line.start, span.start - _BEFORE) if line.end - line.start > _SHOWN else line.start
    last = min(line.end, first + _SHOWN)
    before, behind = "\u2026" if first > line.start else "", "\u2026" if last < line.end else ""
    shift = len(before) - first
    start = min(max(span.start, first), last)
    end = min(max(span.end, start), last)
    excerpt = Excerpt(before + source.text[first:last] + behind, start + shift, end + shift)
    return Place(source.position(span.start), source.position(max(span.end, span.start)), excerpt)
