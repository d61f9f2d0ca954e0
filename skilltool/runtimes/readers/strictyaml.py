"""YAML as strictyaml 1.6.2 loads it without a schema: every scalar is text, and much of YAML is refused.

Source: strictyaml's documentation ("what it leaves out") and the recorded cases of skills-ref. What is
refused is exact; the messages are ours, shorter than the library's, which quote the lines.
"""

from __future__ import annotations

from typing import Any

from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError

Text = str | list["Text"] | dict[str, "Text"]


def load(text: str) -> Text:
    """Return the data of YAML `text`; an empty text is `""`.

    Raises `YamlError` for invalid YAML, tags, anchors, aliases, flow collections, repeated keys, and keys
    that are not scalars.
    """
    document = compose(text)
    root = document.root
    if root is None:
        return ""
    found: Text = _data(root)
    return found


def _data(node: Node) -> Any:
    if isinstance(node, Alias) or node.anchor:
        raise YamlError("Found confusing disallowed anchor token", node.span.start)
    if node.tag is not None:
        raise YamlError("Found disallowed tag tokens", node.span.start)
    if isinstance(node, Scalar):
        return node.text
    if node.flow:
        kind = "mapping" if isinstance(node, Mapping) else "sequence"
        raise YamlError(f"Found ugly disallowed JSONesque flow {kind}", node.span.start)
    if isinstance(node, Sequence):
        return [_data(item) for item in node.items]
    found: dict[str, Any] = {}
    for key, value in node.entries:
        if not isinstance(key, Scalar):
            raise YamlError("Found a key that is not text", key.span.start)
        name = _data(key)
        if name in found:
            raise YamlError(f"Duplicate key '{name}' found", key.span.start)
        found[name] = _data(value)
    return found
