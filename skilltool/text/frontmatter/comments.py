"""Finds comments inside a value, which a fix that rewrites the value would delete.

Source: YAML 1.2.2, sections 6.6 (comments) and 8.1.1 (the header of a block scalar).
"""

from __future__ import annotations

import re

from skilltool.text.frontmatter.nodes import Node, leaves

_COMMENTED_HEADER = re.compile(r"[|>][-+0-9]*[ \t]+#")


def holds_comment(text: str, node: Node, start: int | None = None) -> bool:
    """Return whether there is a comment in a node of the document `text`, or between `start` and the node."""
    at = node.span.start if start is None else start
    for leaf in leaves(node):
        if "#" in text[at : leaf.span.start] or _COMMENTED_HEADER.match(text, leaf.span.start):
            return True
        at = leaf.span.end
    return "#" in text[at : node.span.end]
