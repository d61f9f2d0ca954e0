"""What js-yaml refuses and libyaml does not: characters, indentation of what is in quotes.

Source: the results of js-yaml 4.1.1 and 3.15.2 for generated texts. Columns are counted from 0.
"""

from __future__ import annotations

import re

from skilltool.emulation.npm_yaml_characters import PRIVATE
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence

_PRINTABLE = frozenset({0x85, 0x2028, 0x2029, 0xFEFF})
_NO_END = "end of the stream or a document separator is expected"
_COMMENT_IN_HEADER = re.compile(r"[|>][-+0-9]*#")
_ESCAPED = re.compile("[\U00100000-\U0010ffff]")


def layout_problem(text: str, root: Node) -> str | None:
    """Return why js-yaml refuses a tree that libyaml read from `text`, or None."""
    return _problem(text, root, -1)


def _problem(text: str, node: Node, indent: int) -> str | None:
    """Return the first problem in a node inside a block that is indented by `indent` columns."""
    if isinstance(node, Alias):
        return None
    if isinstance(node, Scalar):
        return _in_scalar(text, node)
    if node.flow:
        return _in_flow(text, node, indent)
    if isinstance(node, Mapping):
        if any(isinstance(key, Scalar) and key.anchor is not None for key, _ in node.entries):
            return _NO_END  # it takes the anchor for that of the whole mapping
        inner = min(_key_column(text, key.span.start) for key, _ in node.entries)
        if any(_outdented(text, key.span.end, value, inner) for key, value in node.entries):
            return _NO_END
    else:
        inner = _column(text, node.span.start)
    return next(filter(None, (_problem(text, child, inner) for child in _children(node))), None)


def _children(node: Mapping | Sequence) -> list[Node]:
    if isinstance(node, Sequence):
        return list(node.items)
    return [child for entry in node.entries for child in entry]


def _column(text: str, at: int) -> int:
    return at - (text.rfind("\n", 0, at) + 1)


def _key_column(text: str, at: int) -> int:
    """Return the column of a key, or of the `?` before it."""
    line_start = text.rfind("\n", 0, at) + 1
    before = text[line_start:at].rstrip(" \t")
    return (len(before) - 1) if before.endswith("?") else at - line_start


def _outdented(text: str, key_end: int, value: Node, indent: int) -> bool:
    """Return whether a value in quotes or brackets, or a block scalar, is below its key and no deeper."""
    if isinstance(value, Mapping | Sequence) and not value.flow:
        return False
    start = value.span.start
    colon, line_end, _ = text[key_end:start].partition("\n")
    return bool(line_end) and ":" in colon and start < value.span.end and _column(text, start) <= indent


def _in_flow(text: str, node: Node, indent: int) -> str | None:
    """Return the first problem of what is in brackets: a plain scalar goes on in indented lines only."""
    if isinstance(node, Mapping | Sequence):
        return next(filter(None, (_in_flow(text, child, indent) for child in _children(node))), None)
    if isinstance(node, Scalar) and not node.style:
        lines = text[node.span.start : node.span.end].split("\n")[1:]
        if any(line.strip() and len(line) - len(line.lstrip(" ")) <= indent for line in lines):
            return "missed comma between flow collection entries"
    return _in_scalar(text, node) if isinstance(node, Scalar) else None


def _in_scalar(text: str, node: Scalar) -> str | None:
    """Return the problem of a character: in quotes any control but the tab, elsewhere what does not print."""
    written = text[node.span.start : node.span.end] if node.style in ("'", '"') else node.text
    if node.style in ("|", ">") and _COMMENT_IN_HEADER.match(text, node.span.start):
        return "a line break is expected"
    for found in _ESCAPED.findall(written):
        code = ord(found) - PRIVATE
        if node.style in ("'", '"') and code < 0x20:
            return "expected valid JSON character"
        if node.style not in ("'", '"') and code not in _PRINTABLE:
            return "the stream contains non-printable characters"
    return None
