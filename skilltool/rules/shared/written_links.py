"""Finds links that are not Markdown: `<img src>`, `<a href>`, and destinations with a blank, which end a link."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.rules.shared.doubtful_links import html_tags
from skilltool.rules.shared.regions import Regions
from skilltool.skill.texts import Text
from skilltool.text.markdown import Link
from skilltool.text.source import Span

# Bounded, since lines are untrusted and can be a megabyte long.
_BLANK_HINT = re.compile(r"\]\([\w./-]+ [\w./-]")
_BLANK = re.compile(
    r"(?P<image>!?)\[[^\[\]\n]{1,200}\]\((?P<target>[\w./-]{1,200}(?:[ ][\w./-]{1,100}){1,10}\.[A-Za-z]\w{0,5})\)"
)


def html_links(text: Text) -> Iterator[Link]:
    """Yield the links and images of a page that are written in HTML, without those in code and comments."""
    tags = list(html_tags(text))
    hidden = _hidden(text) if tags else Regions(())
    for found in tags:
        if found.start() not in hidden:
            target = Span(*found.span("target"))
            yield Link(Span(*found.span()), target, found["target"].strip(), found["name"].lower() == "img")


def blank_links(text: Text) -> Iterator[Link]:
    """Yield what was meant as a link to a file, but is text because its path has a blank."""
    if _BLANK_HINT.search(text.source.text) is None:
        return
    found = list(_BLANK.finditer(text.source.text, *text.body_span))
    hidden = _hidden(text) if found else Regions(())
    for each in found:
        if each.start() not in hidden:
            target = Span(*each.span("target"))
            yield Link(Span(*each.span()), target, each["target"], bool(each["image"]))


def _hidden(text: Text) -> Regions:
    comments = (comment.span for comment in text.markdown.comments)
    codes = (part.span for parts in (text.markdown.codes, text.markdown.fences) for part in parts)
    return Regions((*comments, *codes))
