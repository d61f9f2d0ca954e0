"""The parts of a body that rules ask for, each with its span in the document."""

from __future__ import annotations

from typing import NamedTuple

from skilltool.text.source import Span


class Heading(NamedTuple):
    """A heading: its level from 1 to 6, and its text without markup. `span` is all of it, with its marks."""

    span: Span
    level: int
    text: str


class Link(NamedTuple):
    """A link or image: `[text](target)`, `![text](target)`, `[text][label]`, `<https://...>`.

    `target` is the destination with Markdown escapes resolved, otherwise as written. `span` is the whole
    link, `target_span` the destination between the parentheses, or the whole link for the other forms.
    """

    span: Span
    target_span: Span
    target: str
    image: bool


class Code(NamedTuple):
    """A code span: `span` includes the backticks, `text` does not."""

    span: Span
    text: str


class Fence(NamedTuple):
    """A fenced code block; `closed` is False if it runs to the end of its container.

    `span` includes all its lines. `opening` is the span of the opening backticks or tildes, which are
    `marks`, and of the info string, which is `info`.
    """

    span: Span
    opening: Span
    marks: str
    info: str
    text: str
    closed: bool


class Comment(NamedTuple):
    """An HTML comment, including `<!--` and `-->`."""

    span: Span


class Markdown:
    """The parts of a body, each list in the order of the text. All spans are offsets into the document."""

    def __init__(self) -> None:
        """Start without parts."""
        self.headings: list[Heading] = []
        self.links: list[Link] = []
        self.codes: list[Code] = []
        self.fences: list[Fence] = []
        self.comments: list[Comment] = []
        self.html: list[str] = []
