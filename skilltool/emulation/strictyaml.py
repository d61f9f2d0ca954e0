"""YAML as strictyaml 1.7.3 loads it without a schema: every scalar is text, and much of YAML is refused.

Source: the library itself, on recorded cases of skills-ref and on generated ones. What is refused is
the same on all of them; the messages are shorter than the library's, which quote the lines. Not reproduced:
which of U+0085, U+2028 and U+2029 stay in a value, a line of tabs before the first key, and the text of a
document that is one scalar.
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import (
    Alias,
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlError,
    leaves,
)
from skilltool.text.lazy_pattern import lazy_pattern

Text = str | list["Text"] | dict[str, "Text"] | None

_LITERALLY = " (surround with ' and ' to make text appear literally)"
# libyaml ends a line at these, the library does not: characters without a meaning stand in.
_STAND_INS = {0x85: " ", 0x2028: "\U000f2028", 0x2029: "\U000f2029"}
_STOOD_FOR = {0xF2028: "\u2028", 0xF2029: "\u2029"}
_TAB_OR_COMMENT = lazy_pattern(r"\t|(?:^|(?<=[\s]))#[^\n]*", re.MULTILINE)


def load(text: str) -> Text:
    """Return the data of YAML `text`; an empty text is `""`, a plain `=` or `<<` is None, being no text.

    Raises `YamlError` for invalid YAML, tags, anchors, aliases, flow collections, tabs outside quotes,
    repeated keys, keys that are not scalars, and mappings indented differently from the one before.
    """
    if not text.isascii():
        text = text.translate(_STAND_INS)
    document = compose(text)
    if "\t" in text:
        _refuse_tabs(text, document)
    root = document.root
    if root is None:
        return ""
    found: Text = _data(root, text)
    return found


def _data(node: Node, text: str) -> Any:
    if isinstance(node, Alias) or node.anchor:
        raise YamlError(f"Found confusing disallowed anchor token{_LITERALLY}", node.span.start)
    if node.tag is not None:
        raise YamlError("Found disallowed tag tokens (do not specify types in markup)", node.span.start)
    if isinstance(node, Scalar):
        if node.plain and node.text in ("=", "<<"):
            return None
        return node.text if node.text.isascii() else node.text.translate(_STOOD_FOR)
    if node.flow:
        raise YamlError(f"Found ugly disallowed JSONesque flow mapping{_LITERALLY}", node.span.start)
    if isinstance(node, Sequence):
        return [_data(item, text) for item in node.items]
    return _mapping(node, text)


def _mapping(node: Mapping, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    merged: list[dict[str, Any]] = []
    for key, value in node.entries:
        if not isinstance(key, Scalar):
            raise YamlError("Found a key that is not text", key.span.start)
        name, data = _data(key._replace(style="'"), text), _data(value, text)
        merges = name == "<<" and key.plain
        if merged if merges else name in found:
            raise YamlError(f"Duplicate key '{name}' found", key.span.start)
        if merges:
            merged = _merged(value, data)
        else:
            found[name] = data
    _refuse_uneven_mappings(node, text)
    for each in merged:
        found = {**found, **{name: data for name, data in each.items() if name not in found}}
    return found


def _merged(node: Node, data: Any) -> list[dict[str, Any]]:
    """Return the mappings that a `<<` key merges; raises `YamlError` for any other value."""
    mappings = data if isinstance(data, list) else [data]
    if not all(isinstance(mapping, dict) for mapping in mappings):
        raise YamlError("expected a mapping or list of mappings for merging", node.span.start)
    return mappings


def _refuse_uneven_mappings(node: Mapping, text: str) -> None:
    columns = [
        (value.span.start - text.rfind("\n", 0, value.span.start), value.span.start)
        for _, value in node.entries
        if isinstance(value, Mapping)
    ]
    for column, start in columns:
        if column != columns[0][0]:
            problem = "Found mapping with indentation inconsistent with previous mapping"
            raise YamlError(problem, start)


def _refuse_tabs(text: str, document: Document) -> None:
    """Raise `YamlError` at the first tab outside quotes, block scalars and comments."""
    root = document.root
    scalars = [leaf for leaf in leaves(root) if isinstance(leaf, Scalar) and leaf.style] if root else []
    at = 0
    for start, end in [*(scalar.span for scalar in scalars), (len(text), len(text))]:
        for match in _TAB_OR_COMMENT.finditer(text, at, start):
            if match[0] == "\t":
                raise YamlError("found character '\\t' that cannot start any token", match.start())
        at = end
