"""What a rule finds, and what a person sees of it.

A rule yields a `Finding` with offsets. The engine stamps it with id, severity, file and
runtimes and turns the offsets into lines and columns: a `Diagnostic`, which stands alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from skilltool.findings.finding import Fix, Severity
from skilltool.findings.secrets import Concealer, hidden
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
    """Where in its file a finding is: from `start` up to, not including, `end`, and what is written there.

    `digest` is a short hash of the author's text from `start` to `end`, the same for LF and CRLF.
    """

    start: Position
    end: Position
    excerpt: Excerpt
    digest: str = ""


# The ids of runtimes, and their own words, which may have several lines.
Note = tuple[tuple[str, ...], str]


class Told(NamedTuple):
    """What else a finding tells: the message of another rule about the same cause, and its fingerprint."""

    rule: str
    message: str
    fingerprint: str


class Diagnostic(NamedTuple):
    """A finding with everything a report needs; it refers to no open file.

    `path` is the file as a report prints it, with `/`. `skill` is the name of the skill's
    directory. `runtimes` are the ids of the targets concerned, in the order they were asked for.
    `bom` is True where the file begins with a UTF-8 byte order mark, which the offsets of `fix` count.
    `notes` are what runtimes themselves say, each by their ids; a note may have several lines.
    `ordinal` counts, from 0, the findings of one rule in one file that are about equal texts.
    `file` is the path under the skill of a file other than its SKILL.md, empty for that.
    `also` is what other rules say of the same cause, which is not reported a second time.
    `cause` is as in a `Finding`.
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
    ordinal: int = 0
    notes: tuple[Note, ...] = ()
    also: tuple[Told, ...] = ()
    file: str = ""
    cause: str = ""

    @property
    def directory(self) -> str:
        """The directory of the skill as reports print it, empty for the working directory."""
        return directory_of(self.path, self.file)

    @property
    def statement(self) -> str:
        """The message, and after it what other rules say of the same cause: for formats with one text."""
        return "; ".join((self.message, *(told.message for told in self.also)))

    @property
    def fingerprint(self) -> str:
        """A short hash of rule, skill, file, the author's text and `ordinal` (version 2).

        It is the same after the finding has moved to another line, with another wording of the message, and
        for other runtimes. Message and excerpt are no part of it, so that a new release keeps baselines.
        """
        skill = f"{self.skill}/{self.file}" if self.file else self.skill
        return _digest(f"2\0{self.rule}\0{skill}\0{self.location.digest}\0{self.ordinal}")

    @property
    def order(self) -> tuple[object, ...]:
        """The key that sorts diagnostics the same way on every machine."""
        return (self.path.split("/"), self.location.start, self.location.end, self.rule, self.message)


class Suppressed(NamedTuple):
    """A suppressed finding, and why.

    `by` is what suppresses it: a comment in the file, `per-file-ignores`, or a baseline. `reason` is that of
    the comment, or names the pattern or file; `comment` is the comment's location in the same file, None for
    the other two.
    """

    diagnostic: Diagnostic
    by: Literal["comment", "per-file-ignores", "baseline"]
    reason: str
    comment: Location | None = None


def directory_of(path: str, file: str) -> str:
    """Return the directory of the skill that has `file` at `path`; an empty `file` is its SKILL.md."""
    return path.removesuffix(file).rstrip("/") if file else path.rpartition("/")[0]


# An excerpt has at most this many characters of a line: a line of a real skill can have 130,000.
_BEFORE, _SHOWN = 60, 150


def locate(source: Source, span: Span) -> Location:
    """Return the location of a span: its lines and columns, and an excerpt of the first line it touches.

    No excerpt shows a secret.
    """
    line = source.line_span(span.start)
    first = max(line.start, span.start - _BEFORE) if line.end - line.start > _SHOWN else line.start
    last = min(line.end, first + _SHOWN)
    before, after = "\u2026" if first > line.start else "", "\u2026" if last < line.end else ""
    shift = len(before) - first
    start = min(max(span.start, first), last)
    end = min(max(span.end, start), last)
    excerpt = Excerpt(before + hidden(source, Span(first, last)) + after, start + shift, end + shift)
    digest = _digest(source.text[span.start : span.end].replace("\r\n", "\n"))
    return Location(source.position(span.start), source.position(max(span.end, span.start)), excerpt, digest)


def numbered(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics, sorted, each with its `ordinal`: fingerprints are then unique within a file."""
    seen: Counter[tuple[str, str, str]] = Counter()
    result: list[Diagnostic] = []
    for diagnostic in sorted(diagnostics, key=lambda diagnostic: diagnostic.order):
        key = diagnostic.path, diagnostic.rule, diagnostic.location.digest
        result.append(diagnostic._replace(ordinal=seen[key]) if seen[key] else diagnostic)
        seen[key] += 1
    return result


def concealed(diagnostic: Diagnostic, conceal: Concealer) -> Diagnostic:
    """Return a diagnostic without secrets in its words; a fix that would write one is left out."""
    fix = diagnostic.fix
    if fix is not None and any(conceal(edit.text) != edit.text for edit in fix.edits):
        fix = None
    return diagnostic._replace(
        message=conceal(diagnostic.message),
        help=diagnostic.help and conceal(diagnostic.help),
        notes=tuple((names, conceal(note)) for names, note in diagnostic.notes),
        fix=fix,
    )


def _digest(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
