"""What the npm package `yaml` 2.8.2 requires of indentation and comments, and libyaml does not.

Sources: YAML 1.2.2 (flow lines are indented deeper than the block they are in; a comment needs white space
before it), and the results of `yaml` for generated texts. Columns are counted from 0, in code points.
"""

from __future__ import annotations

import re

from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence

_FILLED_ITEM = re.compile(r"[ \t]*-[ \t]+[^\s#]")
_COMMENT = "Comments must be separated from other tokens by white space characters"


def layout_problem(text: str, root: Node) -> str | None:
    """Return the error of `yaml` for the layout of a tree that libyaml read from `text`, or None."""
    return _problem(text, root, -1)


def problem_after_mark(text: str, root: Node, start: int) -> str | None:
    """Return the error of `yaml` for a block that begins in a line, at `start`, that had a byte order mark.

    The mark counts as a column, so the first item of a list, or the first of several indented keys, is not
    in the column of the others.
    """
    if isinstance(root, Scalar | Alias) or root.flow or text[start : root.span.start].strip(" \t"):
        return None
    if isinstance(root, Sequence):
        return "Unexpected scalar at node end" if _FILLED_ITEM.match(text, start) else None
    indented = len(root.entries) > 1 and _column(text, root) > 0
    return "All mapping items must start at the same column" if indented else None


def _problem(text: str, node: Node, indent: int) -> str | None:
    """Return the first problem in a node inside a block that is indented by `indent` columns."""
    if isinstance(node, Alias):
        return None
    if isinstance(node, Scalar):
        return _in_quotes(text, node, indent)
    if node.flow:
        return _in_flow(text, node, indent)
    inner = _column(text, node)
    return next(filter(None, (_problem(text, child, inner) for child in _children(node))), None)


def _children(node: Mapping | Sequence) -> list[Node]:
    if isinstance(node, Sequence):
        return list(node.items)
    return [child for entry in node.entries for child in entry]


def _column(text: str, node: Mapping | Sequence) -> int:
    """Return the column of a block collection: of its first key, or of its first dash."""
    if isinstance(node, Mapping):  # a key after `? ` is not the leftmost one
        starts = [key.span.start for key, _ in node.entries]
    else:
        starts = [max(node.items[0].span.start - 2, 0) if node.tag or node.anchor else node.span.start]
    return min(start - (text.rfind("\n", 0, start) + 1) for start in starts)


def _in_quotes(text: str, node: Scalar, indent: int) -> str | None:
    if node.style not in ("'", '"'):
        return None
    if text[node.span.end : node.span.end + 1] == "#":
        return _COMMENT
    for line in text[node.span.start : node.span.end].split("\n")[1:]:
        rest = line.lstrip(" ")
        if rest.rstrip("\r") and len(line) - len(rest) <= indent:
            return f"Missing closing {node.style}quote"
    return None


def _in_flow(text: str, node: Mapping | Sequence, indent: int) -> str | None:
    """Return the first problem of a flow collection; those inside it belong to the same block."""
    kind, bracket = ("map", "}") if isinstance(node, Mapping) else ("sequence", "]")
    lines = text[node.span.start : node.span.end].split("\n")
    for number, line in enumerate(lines[1:], start=2):
        rest = line.lstrip(" ")
        column = len(line) - len(rest)
        closing = number == len(lines) and rest.startswith(bracket) and column == indent
        if rest.strip("\t\r") and column <= indent and not rest.startswith("#") and not closing:
            return f"Flow {kind} in block collection must be sufficiently indented and end with a {bracket}"
    if text[node.span.end : node.span.end + 1] == "#":
        return _COMMENT
    return next(filter(None, (_glued(text, child) for child in _children(node))), None)


def _glued(text: str, node: Node) -> str | None:
    """Return the problem of a comment that touches a quote or bracket anywhere in a flow collection."""
    if isinstance(node, Alias):
        return None
    if isinstance(node, Scalar):
        quoted = node.style in ("'", '"')
        return _COMMENT if quoted and text[node.span.end : node.span.end + 1] == "#" else None
    if text[node.span.end : node.span.end + 1] == "#":
        return _COMMENT
    return next(filter(None, (_glued(text, child) for child in _children(node))), None)
