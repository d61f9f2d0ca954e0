"""YAML text as both of Go's libraries scan it, where they differ from libyaml, which they were ported from.

Source: what gopkg.in/yaml.v2 2.4.0 and yaml.v3 3.0.1 answered to generated texts.
"""

from __future__ import annotations

import re

from skilltool.frontmatter.nodes import Mapping, Node, Scalar, Sequence, YamlError
from skilltool.frontmatter.nodes import compose as compose_events

# A slash behind an odd number of backslashes: JSON's escape, which YAML 1.2 has and Go's scanner has not.
_SLASH = re.compile(r"(?<!\\)(?:\\\\)*\\/")
_CONTROL = "control characters are not allowed"


def compose(text: str) -> Node | None:
    """Return the tree of the first document in YAML `text`; raises `YamlError` with Go's words."""
    try:
        root = compose_events(text, first_only=True).root
    except YamlError as error:
        if error.problem.endswith(_CONTROL):
            raise YamlError(_CONTROL, error.start) from None
        raise
    if root is not None and "\\/" in text:
        _check_escapes(text, root)
    return root


def _check_escapes(text: str, node: Node) -> None:
    if isinstance(node, Scalar):
        if node.style == '"' and _SLASH.search(text[node.span.start : node.span.end]):
            line = text.count("\n", 0, node.span.start)
            words = "found unknown escape character"
            raise YamlError(words, node.span.start, go_line=line + 1 if line else 0)
    elif isinstance(node, Sequence):
        for item in node.items:
            _check_escapes(text, item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            _check_escapes(text, key)
            _check_escapes(text, value)
