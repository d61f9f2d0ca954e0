"""markdown-it-py with the one thing it lacks: where in the text an inline token stands.

Each inline rule that matters is wrapped: what it consumed of the inline text is written
into the `meta` of the token it pushed, as offsets into that inline text. `places` turns
those into offsets into the document.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline, autolink, backtick, html_inline, image, link

SPAN = "span"  # token.meta: (start, end) of the token in its inline text
TARGET = "target"  # token.meta: (start, end) of the destination between the parentheses, if inline

_InlineRule = Callable[[StateInline, bool], bool]


class _Parser(MarkdownIt):
    """Keeps link destinations as written: nothing is percent-encoded, no scheme is refused."""

    def normalizeLink(self, url: str) -> str:  # noqa: N802 - the library's name
        return url

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return True


@cache
def parser() -> MarkdownIt:
    """Return the parser: CommonMark and tables, with spans in the meta of inline tokens."""
    md = _Parser("commonmark").enable("table")
    rules: tuple[tuple[str, _InlineRule, str], ...] = (
        ("autolink", autolink, "link_open"),
        ("backticks", backtick, "code_inline"),
        ("html_inline", html_inline, "html_inline"),
        ("image", image, "image"),
        ("link", link, "link_open"),
    )
    for name, rule, token_type in rules:
        md.inline.ruler.at(name, _with_span(rule, token_type))
    return md


def _with_span(rule: _InlineRule, token_type: str) -> _InlineRule:
    """Return `rule`, which now also says in its token's meta what it consumed."""

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
    """Return where the destination stands in `[text](destination "title")`, the whole if not found."""
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
