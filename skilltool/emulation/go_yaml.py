"""YAML text as gopkg.in/yaml.v2 2.4.0 and yaml.v3 3.0.1 scan it, where they differ from libyaml.

Both are ports of libyaml. Source: `scannerc.go`, `parserc.go` and `decode.go` of both, and their results for
generated texts (`tests/libraries/yaml-go-2.4.0-3.0.1.jsonl`).
"""

from __future__ import annotations

import re
from itertools import islice

import yaml

from skilltool.emulation.go_text import invalid_utf8
from skilltool.emulation.go_yaml_directives import CONTROL, all_tokens, check_directives
from skilltool.text.frontmatter.composing import compose as compose_events
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError

# A slash after an odd number of backslashes: JSON's escape, which YAML 1.2 has and Go's scanner does not.
_SLASH = re.compile(r"(?<!\\)(?:\\\\)*\\/")
# libyaml skips a byte order mark at the start of any line, Go's scanner only at the start of the text.
_BOM, _BOM_STAND_IN = "\ufeff", "\U0010fffd"
# yaml.v3 reads two tokens past the end of the document, looking for comments.
_TOKENS_AHEAD = 2


def compose(text: str, reads_ahead: bool = False) -> Node | None:
    """Return the tree of the first document in YAML `text`, None if it is empty.

    Raises `YamlError` with Go's messages. With `reads_ahead`, as in yaml.v3, the first tokens after the
    document must be valid, too.
    """
    if problem := invalid_utf8(text):
        raise YamlError(problem, 0)
    scanned = text[:1] + text[1:].replace(_BOM, _BOM_STAND_IN)
    try:
        check_directives(scanned, _TOKENS_AHEAD if reads_ahead else 0)
        document = compose_events(scanned, first_only=True)
    except YamlError as error:
        if error.problem.endswith(CONTROL):
            raise YamlError(CONTROL, error.start) from None
        raise
    root = document.root
    if root is not None and "\\/" in text:
        _check_escapes(text, root)
    if reads_ahead and document.end < len(scanned):
        _scan_ahead(scanned, document.end)
    return _with_byte_order_marks(root) if root is not None and _BOM_STAND_IN in scanned else root


def targets(root: Node) -> dict[int, Node]:
    """Return the target of each alias below `root`, by the `id()` of the alias; raises `YamlError`.

    The target is the last node before the alias that has the anchor; the alias may be inside it.
    """
    anchors: dict[str, Node] = {}
    found: dict[int, Node] = {}
    _bind(root, anchors, found)
    return found


def is_merge(key: Node) -> bool:
    """Return whether a key is YAML 1.1's `<<`, which merges the entries of other mappings."""
    if not isinstance(key, Scalar) or key.text != "<<":
        return False
    return key.plain or key.tag == "tag:yaml.org,2002:merge"


def _bind(node: Node, anchors: dict[str, Node], found: dict[int, Node]) -> None:
    if isinstance(node, Alias):
        if node.name not in anchors:
            raise YamlError(f"unknown anchor '{node.name}' referenced", node.span.start)
        found[id(node)] = anchors[node.name]
        return
    if node.anchor:
        anchors[node.anchor] = node
    for child in _children(node):
        _bind(child, anchors, found)


def _children(node: Node) -> list[Node]:
    if isinstance(node, Sequence):
        return list(node.items)
    return [child for entry in node.entries for child in entry] if isinstance(node, Mapping) else []


def _check_escapes(text: str, node: Node) -> None:
    quoted = isinstance(node, Scalar) and node.style == '"'
    if quoted and _SLASH.search(text[node.span.start : node.span.end]):
        line = text.count("\n", 0, node.span.start)
        words = "found unknown escape character"
        raise YamlError(words, node.span.start, go_line=line + 1 if line else 0)
    for child in _children(node):
        _check_escapes(text, child)


def _scan_ahead(text: str, start: int) -> None:
    """Scan the token at offset `start`, which ends a document, and two more; raises `YamlError`."""
    try:
        for _ in islice(all_tokens(text[start:]), _TOKENS_AHEAD + 2):  # one is the start of the stream
            pass
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark or error.problem_mark
        line = text.count("\n", 0, start) + (mark.line if mark else 0)
        raise YamlError(error.problem or "", start, go_line=line + 1 if line else 0) from None


def _with_byte_order_marks(node: Node) -> Node:
    """Return a tree with the byte order marks back that `compose` replaced."""
    if isinstance(node, Scalar):
        return node._replace(text=node.text.replace(_BOM_STAND_IN, _BOM))
    if isinstance(node, Sequence):
        return node._replace(items=tuple(map(_with_byte_order_marks, node.items)))
    if isinstance(node, Mapping):
        entries = tuple(
            (_with_byte_order_marks(key), _with_byte_order_marks(value)) for key, value in node.entries
        )
        return Mapping(node.span, entries, node.flow, node.tag, node.anchor)
    return node
