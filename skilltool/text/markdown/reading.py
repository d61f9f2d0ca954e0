"""Reads Markdown as CommonMark with tables, by pulldown-cmark, and keeps what rules ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import pyromark

from skilltool.text.markdown.offsets import code_points
from skilltool.text.markdown.parsable import parsable
from skilltool.text.markdown.parts import Code, Comment, Fence, Heading, Link, Markdown
from skilltool.text.source import Span

if TYPE_CHECKING:
    from pyromark.event import Range

_PARSER = pyromark.Markdown(options=pyromark.Options.ENABLE_TABLES)
_made: Callable[..., Any] = tuple.__new__  # a named tuple in half the time: a body may have 200,000 parts
_ENDS = ("CodeBlock", "HtmlBlock", "Link", "Image")
_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:-->|\Z))", re.DOTALL)
_FENCE = re.compile(r"(`+|~+)([^\r\n]*)")
# After the parenthesis: blanks, at most one line end, and the quote marks of the line after it.
_TARGET = re.compile(r"[ \t]*(?:\r?\n[ \t>]*)?(?P<target><(?:[^<>\\\r\n]|\\.)*>|[^ \t\r\n]*)")


def read(text: str, base: int = 0) -> Markdown:
    """Parse Markdown `text`, which starts at offset `base` of its document. Never raises."""
    text = parsable(text)
    return _Reader(text, base).read(_PARSER.events_with_range(text))


class _Reader:
    """Collects the parts of a text from the parser's events, whose ranges are in bytes."""

    def __init__(self, text: str, base: int) -> None:
        self.found = Markdown()
        self._text = "\n" * base + text  # offsets into it are those of the document
        self._offset = code_points(text, base)
        self._written: list[str] | None = None  # what the open heading, fence or block of HTML says so far
        self._links: list[Any] = []  # what is known of the open links and images, the innermost last
        self._images = 0  # how many of them are images: all in an image is its description
        self._last: Range = {"start": 0, "end": 0}  # of the last event

    def read(self, events: Iterable[tuple[Any, Range]]) -> Markdown:
        """Take each `pyromark.event.Event`: the name of a break, or a dictionary of one kind and its data.

        Most events are text and the ends of paragraphs, of which nothing is kept: they cost next to nothing.
        """
        last = self._last
        for event, where in events:
            if "Text" in event:
                if self._written is not None and not self._images:
                    self._written.append(event["Text"])
            elif "End" in event:
                tag = event["End"]
                if tag in _ENDS or (tag.__class__ is dict and "Heading" in tag):
                    self._last = last
                    self.end(tag, where)
            elif "Start" in event:
                tag = event["Start"]
                if tag.__class__ is dict or tag == "HtmlBlock":
                    self.start(tag)
            elif "Code" in event:
                self.code(event["Code"], where)
            elif event.__class__ is str:
                self.text("\n")
            else:
                self.html(event, where)
            last = where
        self.found.links.sort()
        return self.found

    def start(self, tag: Any) -> None:
        if isinstance(tag, str):
            self._written = []
            return
        if "Link" in tag:
            self._links.append(tag["Link"])
        elif "Image" in tag:
            self._links.append(tag["Image"])
            self._images += 1
        elif "Heading" in tag or ("CodeBlock" in tag and tag["CodeBlock"] != "Indented"):
            self._written = []

    def end(self, tag: Any, where: Range) -> None:
        if tag == "Link" or tag == "Image":
            link = self._links.pop()
            self._images -= tag == "Image"
            if not self._images:
                self._add_link(link, where, image=tag == "Image")
        elif self._written is not None:
            written, self._written = "".join(self._written), None
            if tag == "CodeBlock":
                self._add_fence(written, where)
            elif tag == "HtmlBlock":
                comments = _COMMENT.finditer(self._text, *self._span(where))
                self.found.comments += [Comment(Span(*comment.span())) for comment in comments]
                self.found.html.append(written)
            else:
                self.found.headings.append(Heading(self._span(where), int(tag["Heading"][1]), written))

    def text(self, written: str) -> None:
        if self._written is not None and not self._images:
            self._written.append(written)

    def code(self, written: str, where: Range) -> None:
        if not self._images:
            self.found.codes.append(_made(Code, (self._span(where), written)))
            if self._written is not None:
                self._written.append(written)

    def html(self, event: dict[str, str], where: Range) -> None:
        if "Html" in event:
            self.text(event["Html"])
        elif not self._images:
            written = event["InlineHtml"]
            if written.startswith("<!--"):
                self.found.comments.append(Comment(self._span(where)))
            else:
                self.found.html.append(written)

    def _add_link(self, data: Any, where: Range, *, image: bool) -> None:
        kind, destination, span = data["link_type"], data["dest_url"], self._span(where)
        if kind == "Collapsed":
            span = Span(span.start, span.end + len("[]"))  # which the parser leaves out
        target = self._target(destination, where, span.end) if kind == "Inline" else span
        destination = f"mailto:{destination}" if kind == "Email" else destination
        self.found.links.append(Link(span, target or span, destination, image))

    def _target(self, destination: str, link: Range, end: int) -> Span | None:
        """Return the span of the destination of an inline link, which ends at `end`; None if it is empty."""
        last = end - len(")")
        start = last - len(destination)
        if destination and self._text.endswith(f"]({destination}", 0, last):  # as most are written
            return Span(start, last)
        at = self._text.index("](", self._end_inside(link)) + len("](")
        found = _TARGET.match(self._text, at, last)
        return Span(*found.span("target")) if found and found["target"] else None

    def _add_fence(self, written: str, where: Range) -> None:
        text = self._text
        start, end = self._span(where)
        opening = _FENCE.match(text, start)
        if opening is None:
            return  # never so: a fence starts with its marks
        marks, info = opening.groups()
        span = Span(text.rfind("\n", 0, start) + 1, text.find("\n", end - 1) + 1 or len(text))
        closed = text.find(marks, max(opening.end(), self._end_inside(where)), end) >= 0
        opened = Span(start, opening.end())
        self.found.fences.append(Fence(span, opened, marks, info.strip(), written, closed))

    def _end_inside(self, where: Range) -> int:
        """Return where the last thing inside a link or block ends; its start if there is nothing in it."""
        return self._offset(where["start"] if self._last == where else self._last["end"])

    def _span(self, where: Range) -> Span:
        offset = self._offset
        span: Span = _made(Span, (offset(where["start"]), offset(where["end"])))
        return span
