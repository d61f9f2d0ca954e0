"""Parses the body of a skill into headings, links, images, code and comments, each with its exact span."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from skilltool.text.markdown.anchors import anchors
from skilltool.text.source import Span

if TYPE_CHECKING:
    from markdown_it.token import Token

    from skilltool.text.markdown.inline_spans import InlineText, Lines

__all__ = ["Code", "Comment", "Fence", "Heading", "Link", "Markdown", "anchors", "read"]

_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:-->|\Z))", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading: its level from 1 to 6, its text without markup, and the span of the text with markup."""

    span: Span
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image: `[text](target)`, `![text](target)`, `[text][label]`, `<https://...>`.

    `target` is the destination with Markdown escapes resolved, otherwise as written. `span` is the whole
    link, `target_span` the destination between the parentheses, or the whole link for the other forms.
    """

    span: Span
    target_span: Span
    target: str
    image: bool


@dataclass(frozen=True, slots=True)
class Code:
    """A code span: `span` includes the backticks, `text` does not."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Fence:
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


@dataclass(frozen=True, slots=True)
class Comment:
    """An HTML comment, including `<!--` and `-->`."""

    span: Span


@dataclass(frozen=True, slots=True)
class Markdown:
    """The parts of a body, each list in the order of the text. All spans are offsets into the document."""

    headings: list[Heading] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    codes: list[Code] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    comments: list[Comment] = field(default_factory=list)
    html: list[str] = field(default_factory=list)


def read(text: str, base: int = 0) -> Markdown:
    """Parse Markdown `text`, which starts at offset `base` of its document. Never raises."""
    from skilltool.text.markdown.inline_spans import Lines
    from skilltool.text.markdown.parser import parser

    result = Markdown()
    lines = Lines(text, base)
    tokens = parser().parse(text)
    for index, token in enumerate(tokens):
        if token.map is None:
            continue
        first, after = token.map
        if token.type == "inline":
            opener = tokens[index - 1]
            inline = lines.inline_text(token.meta.get("pieces", ()), first, after)
            if opener.type == "heading_open":
                span = inline.span(0, len(token.content))
                result.headings.append(Heading(span, int(opener.tag[1]), _plain(token.children or [])))
            _read_inline(token.children or [], inline, result)
        elif token.type == "fence":
            result.fences.append(_fence(token, lines, first, after))
        elif token.type == "html_block":
            result.html.append(token.content)
            span = lines.span(first, after)
            for start, end in _comments(text[span.start - base : span.end - base]):
                result.comments.append(Comment(Span(span.start + start, span.start + end)))
    return result


def _read_inline(tokens: list[Token], inline: InlineText, result: Markdown) -> None:
    for token in tokens:
        if "span" not in token.meta:
            continue
        span = inline.span(*token.meta["span"])
        if token.type in {"link_open", "image"}:
            image = token.type == "image"
            target = inline.span(*token.meta["target"]) if "target" in token.meta else span
            value = str(token.attrs["src" if image else "href"])
            result.links.append(Link(span, target, value, image))
        elif token.type == "code_inline":
            result.codes.append(Code(span, token.content))
        elif token.content.startswith("<!--"):
            result.comments.append(Comment(span))
        else:
            result.html.append(token.content)


def _plain(tokens: list[Token]) -> str:
    """Return the text from which GitHub makes the anchor of a heading: code without backticks, no tags."""
    kinds = {"text", "code_inline", "text_special"}
    breaks = {"softbreak", "hardbreak"}
    return "".join("\n" if t.type in breaks else t.content for t in tokens if t.type in kinds | breaks)


def _fence(token: Token, lines: Lines, first: int, after: int) -> Fence:
    opening = lines.inline_text(token.meta["pieces"], first, first + 1)
    marks = opening.span(0, len(token.markup) + len(token.info))
    span, closed = lines.span(first, after), token.meta["closed"]
    return Fence(span, marks, token.markup, token.info.strip(), token.content, closed)


def _comments(html: str) -> Iterator[tuple[int, int]]:
    for match in _COMMENT.finditer(html):
        yield match.span()
