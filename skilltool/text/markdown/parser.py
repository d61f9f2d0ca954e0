"""Extends markdown-it-py with the one thing it lacks: the positions of inline tokens.

The block rules that produce inline text are wrapped. While their state still knows how much of each line is
list marker, quote mark or indent, they record in the `meta` of the token from which pieces of lines the text
is made. The inline rules are wrapped as well: they record in the `meta` of their token which part of the
inline text they consumed. `inline_spans` combines both into offsets in the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, fence, heading, lheading, paragraph, table
from markdown_it.rules_inline import StateInline, autolink, backtick, html_inline, image, link
from markdown_it.token import Token

SPAN = "span"  # meta of an inline token: (start, end) of the token in its inline text
TARGET = "target"  # the same for the destination between the parentheses, if there are any
PIECES = "pieces"  # meta of a block's inline text or fence: a list of `Piece`
CLOSED = "closed"  # meta of a fence: whether its last line is a closing one

# `(at, line, from_end)`: from offset `at` on, the inline text is the part of line `line` (numbered from 0)
# that starts `from_end` characters before the end of that line. Line ends are not counted.
Piece = tuple[int, int, int]

_BlockRule = Callable[[StateBlock, int, int, bool], bool]
_InlineRule = Callable[[StateInline, bool], bool]
_Locate = Callable[[StateBlock, list[Token]], None]

_SEPARATOR = re.compile(r"(?<!\\)\|")
_ESCAPED_PIPE = re.compile(r"\\\|")


class _Parser(MarkdownIt):
    """Keeps link destinations as written: without percent-encoding, and with any scheme."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        return url

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return True


@cache
def parser() -> MarkdownIt:
    """Return the parser: CommonMark and tables, with positions in the `meta` of tokens."""
    md = _Parser("commonmark").enable("table")
    inline_rules: tuple[tuple[str, _InlineRule, str], ...] = (
        ("autolink", autolink, "link_open"),
        ("backticks", backtick, "code_inline"),
        ("html_inline", html_inline, "html_inline"),
        ("image", image, "image"),
        ("link", link, "link_open"),
    )
    for name, inline_rule, token_type in inline_rules:
        md.inline.ruler.at(name, _with_span(inline_rule, token_type))
    block_rules: tuple[tuple[str, _BlockRule, _Locate, list[str]], ...] = (
        ("fence", fence, _locate_fence, ["paragraph", "reference", "blockquote", "list"]),
        ("heading", heading, _locate_heading, ["paragraph", "reference", "blockquote"]),
        ("lheading", lheading, _locate_lines, []),
        ("paragraph", paragraph, _locate_lines, []),
        ("table", table, _locate_cells, ["paragraph", "reference"]),
    )
    for name, block_rule, locate, interrupts in block_rules:
        md.block.ruler.at(name, _with_pieces(block_rule, locate), {"alt": interrupts})
    return md


def _with_pieces(rule: _BlockRule, locate: _Locate) -> _BlockRule:
    """Wrap `rule` so that `locate` is called with the tokens that it pushed."""

    def wrapped(state: StateBlock, first: int, after: int, silent: bool) -> bool:
        pushed = len(state.tokens)
        matched = rule(state, first, after, silent)
        if matched and not silent:
            locate(state, state.tokens[pushed:])
        return matched

    return wrapped


def _locate_fence(state: StateBlock, tokens: list[Token]) -> None:
    """Record the position of the opening marks, and whether the last line closes the fence."""
    first, after = tokens[0].map or (0, 0)
    start = state.bMarks[first] + state.tShift[first]
    tokens[0].meta[PIECES] = [(0, first, state.eMarks[first] - start)]
    last = after - 1
    start = state.bMarks[last] + state.tShift[last]
    marks = state.src[start : state.eMarks[last]].rstrip(" \t")
    mark = tokens[0].markup
    only_marks = len(marks) >= len(mark) and not marks.strip(mark[0])
    tokens[0].meta[CLOSED] = last > first and only_marks and not state.is_code_block(last)


def _locate_heading(state: StateBlock, tokens: list[Token]) -> None:
    """Record the position of the text of an ATX heading."""
    line = (tokens[1].map or (0, 0))[0]
    start = state.bMarks[line] + state.tShift[line] + len(tokens[0].markup)
    start = _skip_blank(state.src, start, tokens[1].content)
    tokens[1].meta[PIECES] = [(0, line, state.eMarks[line] - start)]


def _locate_lines(state: StateBlock, tokens: list[Token]) -> None:
    """Record the position of each line of a paragraph or setext heading; all run to the end of the line."""
    inline = tokens[1]
    first, after = inline.map or (0, 0)
    written = state.getLines(first, after, state.blkIndent, False)
    at = -_skip_blank(written, 0, inline.content)
    pieces: list[Piece] = []
    for line, text in enumerate(written.split("\n"), start=first):
        pieces.append((at, line, len(text)))
        at += len(text) + 1
    inline.meta[PIECES] = pieces


def _locate_cells(state: StateBlock, tokens: list[Token]) -> None:
    """Record the position of the text of each table cell; no pieces if the position is not certain."""
    columns: Iterator[tuple[int, str]] = iter(())
    line = 0
    for token in tokens:
        if token.type == "tr_open":
            line = (token.map or (0, 0))[0]
            columns = _columns(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])
        elif token.type == "inline":
            from_end, column = next(columns, (0, ""))
            written = column.replace("\\|", "|").strip()
            certain = written == token.content.strip()
            token.meta[PIECES] = _cell(column, token.content, line, from_end) if certain else []


def _columns(row: str) -> Iterator[tuple[int, str]]:
    """Yield each cell of a row as written, with the distance of its start from the end of the row."""
    columns = _SEPARATOR.split(row)
    from_end = len(row)
    for number, column in enumerate(columns):
        if number or column.strip():
            yield from_end, column
        from_end -= len(column) + 1


def _cell(column: str, content: str, line: int, from_end: int) -> list[Piece]:
    """Return the pieces of a cell; each escaped pipe, whose backslash is removed, starts another piece."""
    blank = _skip_blank(column, 0, content.replace("|", "\\|"))
    pipes = enumerate(_ESCAPED_PIPE.finditer(column))
    rest = [(pipe.start() - blank - count, line, from_end - pipe.start() - 1) for count, pipe in pipes]
    return [(0, line, from_end - blank), *rest]


def _skip_blank(text: str, start: int, content: str) -> int:
    """Return the offset of `content` in `text`; only whitespace is between `start` and it."""
    return max(text.find(content[:1], start), start)


def _with_span(rule: _InlineRule, token_type: str) -> _InlineRule:
    """Wrap `rule` so that it records the span that it consumed in the `meta` of its token."""

    def wrapped(state: StateInline, silent: bool) -> bool:
        start, pushed = state.pos, len(state.tokens)
        matched = rule(state, silent)
        if not matched or silent:
            return matched
        for token in state.tokens[pushed:]:
            if token.type == token_type:
                token.meta[SPAN] = (start, state.pos)
                if token_type in {"link_open", "image"} and state.src[state.pos - 1] == ")":
                    token.meta[TARGET] = _target(state, start, state.pos)
                break
        return matched

    return wrapped


def _target(state: StateInline, start: int, end: int) -> tuple[int, int]:
    """Return the span of the destination in `[text](destination "title")`; the whole link if not found."""
    bracket = start + 1 if state.src[start] == "!" else start
    label_end = state.md.helpers.parseLinkLabel(state, bracket, False)
    position = label_end + 2
    if label_end < 0 or state.src[label_end + 1 : position] != "(":
        return (start, end)
    while position < end and state.src[position] in " \t\n":
        position += 1
    destination = state.md.helpers.parseLinkDestination(state.src, position, end)
    if not destination.ok or destination.pos == position:
        return (start, end)
    return (position, destination.pos)
