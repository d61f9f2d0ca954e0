"""Finds comments inside a value, which a fix that rewrites the value would delete.

Source: YAML 1.2.2, sections 6.6 (comments) and 8.1.1 (the header of a block scalar).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.text.frontmatter.nodes import Mapping, Node, Sequence

_COMMENTED_HEADER = re.compile(r"[|>][-+0-9]*[ \t]+#")


def holds_comment(text: str, node: Node, start: int | None = None) -> bool:
    """Return whether there is a comment in a node of the document `text`, or between `start` and the node."""
    at = node.span.start if start is None else start
    for leaf in _leaves(node):
        if "#" in text[at : leaf.span.start] or _COMMENTED_HEADER.match(text, leaf.span.start):
            return True
        at = leaf.span.end
    return "#" in text[at : node.span.end]


def _leaves(node: Node) -> Iterator[Node]:
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _leaves(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from _leaves(key)
            yield from _leaves(value)
    else:
        yield node
