"""Markdown as markdown-it-py reads it, for comparison with our reading."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from skilltool.text import markdown

Reading = dict[str, list[Any]]

_COMMENT = re.compile(r"<!--(?:-?>|.*?(?:-->|\Z))", re.DOTALL)
_DEPTH = 1000  # levels of nesting; beyond its own limit of 20, markdown-it leaves text out


class _Judge(MarkdownIt):
    """Keeps destinations as written: without percent-encoding, and with any scheme."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        return url

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return True


@dataclass(frozen=True)
class Difference:
    """What the two readings differ in, an example of it, and what every such text contains."""

    reason: str
    example: str
    pattern: str

    def may_be_in(self, text: str) -> bool:
        same = re.sub(r"\r\n?", "\n", text)
        return any(re.search(self.pattern, each, re.MULTILINE) for each in (text, same))


DIFFERENCES = [
    Difference(
        "markdown-it-py strips what Python calls a blank; the specification strips spaces and tabs only",
        "# \xa0",
        "[\x0b\x0c\x1c-\x1f\x85\xa0\u2028\u2029]",
    ),
    Difference(
        "pulldown-cmark keeps a tab before the end of a line of a heading, or before its closing marks",
        "# a\t#",
        r"\t[ \t#]*$",
    ),
    Difference(
        "markdown-it-py ends a paragraph at a definition, so that code or a block of HTML may follow at once",
        "[a]: b\n    [a]",
        r"\]:[^\n]*\n[^\n]",
    ),
    Difference(
        "markdown-it-py reads a heading, list item or quote as the first row of a table",
        "# a|b\n-|-",
        r"^[ \t]*(?:[#>*+-]|\d+[.)]).*\|.*\n[ \t]*[-:|]",
    ),
    Difference(
        "markdown-it-py reads a heading that contains a pipe and is underlined as a table of one column",
        "|a\n--",
        r"\|.*\n[ \t>]*:?-+:?[ \t]*$",
    ),
    Difference(
        "markdown-it-py drops a last line of code that is blank and has no line end",
        "```\n    ",
        r"\n[ \t>]+\Z",
    ),
    Difference(
        "markdown-it-py ends a comment within a line by an older edition of the specification",
        "-<!----->",
        "<!---",
    ),
    Difference(
        "pulldown-cmark reads a carriage return and line feed in a code span as two blanks",
        "`a\r\nb`",
        r"`[^`]*\r\n",
    ),
    Difference(
        "markdown-it-py takes a line end after a backslash as a part of the destination",
        "[a](\\\n)",
        r"\(\\\n",
    ),
]


def is_alike(text: str) -> bool:
    """Whether nothing in the text is known to be read differently."""
    return not any(difference.may_be_in(text) for difference in DIFFERENCES)


_JUDGE = _Judge("commonmark", {"maxNesting": _DEPTH}).enable("table")


def ours(text: str) -> Reading:
    """What our reading finds, without its places."""
    found = markdown.read(text)
    return {
        "headings": [(heading.level, heading.text) for heading in found.headings],
        "links": [(link.image, link.target) for link in found.links],
        "codes": [code.text for code in found.codes],
        "fences": [(fence.marks, fence.info, fence.text) for fence in found.fences],
        "comments": [_bare(text[comment.span.start : comment.span.end]) for comment in found.comments],
    }


def _bare(comment: str) -> str:
    """A comment without what is before its lines in quotes and lists, and with one kind of line end."""
    return re.sub(r"(?:\r\n?|\n)[ \t>]*", "\n", comment.replace("\0", "\ufffd"))


def judged(text: str) -> Reading:
    """What markdown-it-py finds in the same form."""
    found: Reading = {"headings": [], "links": [], "codes": [], "fences": [], "comments": []}
    tokens = _JUDGE.parse(text)
    for before, token in zip([None, *tokens], tokens, strict=False):
        if token.type == "inline":
            children = token.children or []
            if before is not None and before.type == "heading_open":
                found["headings"].append((int(before.tag[1]), _plain(children)))
            _add_inline(children, found)
        elif token.type == "fence":
            found["fences"].append((token.markup, token.info.strip(), token.content))
        elif token.type == "html_block":
            found["comments"] += map(_bare, _COMMENT.findall(token.content))
    return found


def _add_inline(tokens: list[Token], found: Reading) -> None:
    for token in tokens:
        if token.type == "link_open":
            found["links"].append((False, token.attrs["href"]))
        elif token.type == "image":
            found["links"].append((True, token.attrs["src"]))
        elif token.type == "code_inline":
            found["codes"].append(token.content)
        elif token.type == "html_inline" and token.content.startswith("<!--"):
            found["comments"].append(_bare(token.content))


def _plain(tokens: list[Token]) -> str:
    breaks = {"softbreak", "hardbreak"}
    kinds = {"text", "code_inline", "text_special", *breaks}
    return "".join("\n" if token.type in breaks else token.content for token in tokens if token.type in kinds)
