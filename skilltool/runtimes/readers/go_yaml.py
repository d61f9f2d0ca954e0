"""YAML text as both of Go's libraries scan it, where they differ from libyaml, which they were ported from.

Source: `scannerc.go`, `parserc.go` and `decode.go` of gopkg.in/yaml.v2 2.4.0 and yaml.v3 3.0.1, and what they
answered to generated texts.
"""

from __future__ import annotations

import re

import yaml

from skilltool.runtimes.readers.go_text import invalid
from skilltool.text.frontmatter.composing import compose as compose_events
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError

# A slash behind an odd number of backslashes: JSON's escape, which YAML 1.2 has and Go's scanner has not.
_SLASH = re.compile(r"(?<!\\)(?:\\\\)*\\/")
_CONTROL = "control characters are not allowed"
# libyaml passes over a byte order mark at the start of any line, Go's scanner at the start of the text only.
_BOM, _MOVED = "\ufeff", "\U0010fffd"
_TABS = re.compile(r"(?<=\A...)[ \t]+")
# What PyYAML says, and libyaml and Go in its place.
_WORDS = {"not allowed here": "not allowed in this context", "character '\\t' that": "character that"}
# yaml.v3 reads two tokens further than it has to, for the comments.
_AHEAD = 2


def compose(text: str, reads_ahead: bool = False) -> Node | None:
    """Return the tree of the first document in YAML `text`; raises `YamlError` with Go's words.

    With `reads_ahead`, as in yaml.v3, what follows the document must scan, too, as far as it is looked at.
    """
    if problem := invalid(text):
        raise YamlError(problem, 0)
    moved = text[:1] + text[1:].replace(_BOM, _MOVED)
    try:
        document = compose_events(moved, first_only=True)
    except YamlError as error:
        if error.problem.endswith(_CONTROL):
            raise YamlError(_CONTROL, error.start) from None
        raise
    root = document.root
    if root is not None and "\\/" in text:
        _check_escapes(text, root)
    if reads_ahead and document.end < len(moved):
        _scan_ahead(moved, document.end)
    return _restored(root) if root is not None and _MOVED in moved else root


def targets(root: Node) -> dict[int, Node]:
    """Return what each alias below `root` stands for, by the id of the alias; raises `YamlError`.

    An alias means the last node above it that has the anchor, which may be one that it is in.
    """
    anchors: dict[str, Node] = {}
    found: dict[int, Node] = {}
    _bind(root, anchors, found)
    return found


def is_merge(key: Node) -> bool:
    """Return whether a key is YAML 1.1's `<<`, which brings in the entries of other mappings."""
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
    """Scan the token at `start`, which ends a document, and two more; raises `YamlError`."""
    # PyYAML takes no tab where a token can begin; Go does, behind a marker.
    loader = yaml.SafeLoader(_TABS.sub(lambda found: " " * len(found[0]), text[start:], count=1))
    try:
        while len(loader.tokens) < _AHEAD + 2 and not loader.done:  # the first one is the stream's start
            loader.fetch_more_tokens()
    except yaml.MarkedYAMLError as error:
        mark = error.context_mark or error.problem_mark
        line = text.count("\n", 0, start) + (mark.line if mark else 0)
        words = error.problem or ""
        for ours, theirs in _WORDS.items():
            words = words.replace(ours, theirs)
        raise YamlError(words, start, go_line=line + 1 if line else 0) from None
    finally:
        loader.dispose()


def _restored(node: Node) -> Node:
    """Return a tree with the byte order marks that `compose` has moved out of the way."""
    if isinstance(node, Scalar):
        return node._replace(text=node.text.replace(_MOVED, _BOM))
    if isinstance(node, Sequence):
        return node._replace(items=tuple(map(_restored, node.items)))
    if isinstance(node, Mapping):
        entries = tuple((_restored(key), _restored(value)) for key, value in node.entries)
        return Mapping(node.span, entries, node.flow, node.tag, node.anchor)
    return node
