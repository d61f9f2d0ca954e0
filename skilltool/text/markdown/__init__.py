"""The body of a skill: headings, links, images, code and comments, each with its exact span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from skilltool.text.markdown.anchors import anchors
from skilltool.text.source import Span

if TYPE_CHECKING:
    from markdown_it.token import Token

    from skilltool.text.markdown.places import Lines, Place

__all__ = ["Code", "Comment", "Fence", "Heading", "Link", "Markdown", "anchors", "read"]

_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:-->|\Z))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level from 1 to 6, its text without markup, and the span of that text's source."""

    span: Span
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image: `[text](target)`, `![text](target)`, `[text][label]`, `<https://...>`.

    `target` is the destination with Markdown escapes undone and nothing else. `span` is the
    whole; `target_span` the destination between the parentheses, or the whole for the other forms.
    """

    span: Span
    target_span: Span
    target: str
    image: bool


@dataclass(frozen=True, slots=True)
class Code:
    """A code span: the span with its backticks, and the text between them."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fence:
    """A fenced code block: all its lines, its info string, its text; `closed` is False if it runs on.

    `opening` is the span of the marks and the info string, `marks` the marks alone.
    """

    span: Span
    opening: Span
    marks: str
    info: str
    text: str
    closed: bool


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment with its marks."""

    span: Span


@dataclass(frozen=True, slots=True)
class Markdown:
    """What a body holds, each list in the order of the text. All spans are offsets into the document."""

    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    html: list[str] = field(default_factory=list)


def read(text: str, base: int = 0) -> Markdown:
    """Read Markdown `text`, which begins at offset `base` of its document. Any text has a reading."""
    from skilltool.text.markdown.parser import parser
    from skilltool.text.markdown.places import Lines

    result = Markdown()
    lines = Lines(text, base)
    tokens = parser().parse(text)
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        first, after = token.map
        if token.type == "inline":
            opener = tokens[index - 1]
            place = lines.place(token.meta.get("pieces", ()), first, after)
            if opener.type == "heading_open":
                span = place.span(0, len(token.content))
                result.headings.append(Heading(span, int(opener.tag[1]), _plain(token.children or [])))
            _read_inline(token.children or [], place, result)
        elif token.type == "fence":
            result.fences.append(_fence(token, lines, first, after))
        elif token.type == "html_block":
            result.html.append(token.content)
            span = lines.span(first, after)
            for start, end in _comments(text[span.start - base : span.end - base]):
                result.comments.append(Comment(Span(span.start + start, span.start + end)))
    return result


def _read_inline(tokens: list[Token], place: Place, result: Markdown) -> None:
    for token in tokens:
        if "span" not in token.meta:
            continue
        span = place.span(*token.meta["span"])
        if token.type in {"link_open", "image"}:
            image = token.type == "image"
            target = place.span(*token.meta["target"]) if "target" in token.meta else span
            value = str(token.attrs["src" if image else "href"])
            result.links.append(Link(span, target, value, image))
        elif token.type == "code_inline":
            result.codes.append(Code(span, token.content))
        elif token.content.startswith("<!--"):
            result.comments.append(Comment(span))
        else:
            result.html.append(token.content)


def _plain(tokens: list[Token]) -> str:
    """Return the text of a heading as GitHub's anchors see it: code without backticks, no tags."""
    kinds = {"text", "code_inline", "text_special"}
    breaks = {"softbreak", "hardbreak"}
    return "".join("\n" if t.type in breaks else t.content for t in tokens if t.type in kinds | breaks)


def _fence(token: Token, lines: Lines, first: int, after: int) -> Fence:
    opening = lines.place(token.meta["pieces"], first, first + 1)
    marks = opening.span(0, len(token.markup) + len(token.info))
    span, closed = lines.span(first, after), token.meta["closed"]
    return Fence(span, marks, token.markup, token.info.strip(), token.content, closed)


def _comments(html: str) -> Iterator[tuple[int, int]]:
    for match in _COMMENT.finditer(html):
        yield match.span()
