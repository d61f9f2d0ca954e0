"""YAML as PyYAML's `BaseLoader` reads it where each key may be there once: every scalar is its text.

Tags are ignored and nothing is a number, a date or null. Keys that are there twice, or that are not scalars,
raise an error as the constructors of PyYAML do. The bounds are those of `pyyaml`.
"""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from typing import Any

import yaml
from yaml.constructor import BaseConstructor, ConstructorError

from skilltool.emulation.common_yaml import is_common
from skilltool.emulation.pyyaml import PyYamlError, bounded_node
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Mapping, Node, Scalar, Sequence

_WHILE = "while constructing a mapping"


class _Constructor(BaseConstructor):
    """PyYAML's constructor without any type, which refuses keys that are there twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Construct a mapping; raises `ConstructorError` for its keys before it looks at a value."""
        keys: set[str] = set()
        for key_node, _ in node.value:
            at = key_node.start_mark
            if not isinstance(key_node, yaml.ScalarNode):
                raise ConstructorError(_WHILE, node.start_mark, "found a non-scalar key", at)
            if key_node.value in keys:
                raise ConstructorError(_WHILE, node.start_mark, f"found duplicate key {key_node.value!r}", at)
            keys.add(key_node.value)
        found: dict[Hashable, Any] = super().construct_mapping(node, deep=deep)
        return found


def base_load(text: str) -> Any:
    """Return the data of YAML `text`: text, lists and mappings; None for nothing at all.

    Raises `PyYamlError` for whatever PyYAML raises, and `BoundError` as `pyyaml.safe_load` does.
    """
    if is_common(text):
        with suppress(Exception):  # PyYAML refuses it, too, and says why
            return _data(compose(text).root)
    node = bounded_node(text)
    try:
        return None if node is None else _Constructor().construct_document(node)
    except Exception as error:
        raise PyYamlError(error) from None


def _data(node: Node | None) -> Any:
    """Return the data of a tree without tags and aliases; raises ValueError for a key that is refused."""
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [_data(item) for item in node.items]
    if not isinstance(node, Mapping):
        raise ValueError(node)
    keys = [key.text if isinstance(key, Scalar) else None for key, _ in node.entries]
    if None in keys or len(set(keys)) < len(keys):
        raise ValueError(keys)
    return {key: _data(value) for key, (_, value) in zip(keys, node.entries, strict=True)}
