"""What js-yaml refuses and libyaml does not: characters, indentation of what is in quotes.

Source: the results of js-yaml 4.1.1 and 3.15.2 for generated texts. Columns are counted from 0.
"""

from __future__ import annotations

import re

from skilltool.runtimes.readers.npm_yaml_characters import PRIVATE
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar

_PRINTABLE = frozenset({0x85, 0x2028, 0x2029, 0xFEFF})
_COMMENT_IN_HEADER = re.compile(r"[|>][-+0-9]*#")
_ESCAPED = re.compile("[\U00100000-\U0010ffff]")


def layout_problem(text: str, root: Node, version: int) -> str | None:
    """Return why js-yaml refuses a tree that libyaml read from `text`, or None; `version` is 3 or 4."""
    return _problem(text, root)


def _problem(text: str, node: Node) -> str | None:
    if isinstance(node, Alias):
        return None
    if isinstance(node, Scalar):
        return _in_scalar(text, node)
    if isinstance(node, Mapping):
        if not node.flow and any(map(_anchored_key, node.entries)):
            return "end of the stream or a document separator is expected"
        children = [child for entry in node.entries for child in entry]
    else:
        children = list(node.items)
    return next(filter(None, (_problem(text, child) for child in children)), None)


def _anchored_key(entry: tuple[Node, Node]) -> bool:
    """Return whether a key has an anchor, which js-yaml takes for that of the whole mapping."""
    return isinstance(entry[0], Scalar) and entry[0].anchor is not None


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
