"""What a rule finds, and what a person sees of it.

A rule yields a `Finding` with offsets. The engine stamps it with id, severity, file and
runtimes and turns the offsets into lines and columns: a `Diagnostic`, which stands alone.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from skilltool.findings.finding import Fix, Severity
from skilltool.text.source import Position, Source, Span


class Excerpt(NamedTuple):
    """The part of a line that a report may show, and where in it the finding is.

    `start` and `end` are code-point offsets into `text`; an ellipsis, which belongs to `text`, stands
    at either side for what was cut off. A report cuts it again to the width of its reader's terminal.
    """

    text: str
    start: int
    end: int


class Location(NamedTuple):
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
    location: Location
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

        parts = (self.rule, self.skill, self.message, self.location.excerpt.text.strip())
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @property
    def order(self) -> tuple[object, ...]:
        """The key that sorts diagnostics the same way on every machine."""
        return (self.path.split("/"), self.location.start, self.location.end, self.rule, self.message)


class Suppressed(NamedTuple):
    """A finding that somebody decided to live with, and why.

    `by` says where that was decided: in a comment of the file, in `per-file-ignores`, in a baseline.
    `reason` is the comment's, or names the pattern or file; `comment` is the comment's place in the
    same file, None for the other two.
    """

    diagnostic: Diagnostic
    by: Literal["comment", "per-file-ignores", "baseline"]
    reason: str
    comment: Location | None = None


# An excerpt has at most this many characters of a line: a line of a real skill can have 130,000.
_BEFORE, _SHOWN = 60, 150


def locate(source: Source, span: Span) -> Location:
    """Return the location of a span: its lines and columns, and an excerpt of the first line it touches."""
    line = source.line_span(span.start)
    first = max(line.start, span.start - _BEFORE) if line.end - line.start > _SHOWN else line.start
    last = min(line.end, first + _SHOWN)
    before, after = "\u2026" if first > line.start else "", "\u2026" if last < line.end else ""
    shift = len(before) - first
    start = min(max(span.start, first), last)
    end = min(max(span.end, start), last)
    excerpt = Excerpt(before + source.text[first:last] + after, start + shift, end + shift)
    return Location(source.position(span.start), source.position(max(span.end, span.start)), excerpt)
