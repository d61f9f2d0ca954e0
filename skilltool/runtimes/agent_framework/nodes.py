"""The YAML tree of a frontmatter as Agent Framework looks at it: scalars are text, nothing is data.

Source: `yaml.compose` with PyYAML's safe loader.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import yaml

from skilltool.emulation.pyyaml import PyYamlError, composed, is_common, tag_of
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar

_TAG = "tag:yaml.org,2002:"
_TEXT_TAGS = frozenset(_TAG + kind for kind in ("str", "bool", "int", "float", "timestamp"))
_SURROGATE = re.compile("[\ud800-\udfff]")


class Value(NamedTuple):
    """A node: its `text` if it counts as text, its `entries` if it is a plain mapping; `null` for null."""

    text: str | None = None
    entries: tuple[tuple[Value, Value], ...] | None = None
    null: bool = False


def read(yaml_text: str) -> Value:
    """Return the tree of a YAML text; nothing at all counts as neither text nor mapping.

    Below the second level mappings have no entries. Raises `PyYamlError` and `BoundError`.
    """
    if is_common(yaml_text):
        with suppress(Exception):  # PyYAML refuses it, too, and says why
            return _of_common(compose(yaml_text).root, depth=2)
    found = composed(yaml_text)
    if isinstance(found, BoundError):
        raise BoundError(found.problem, found.start)
    if isinstance(found, Exception):
        raise PyYamlError(found)
    return _of_node(found, depth=2)


def _of_common(node: Node | None, depth: int) -> Value:
    if isinstance(node, Alias):
        raise ValueError(node.name)
    if isinstance(node, Scalar):
        return _scalar(tag_of(node.text, bool(node.style)), node.text)
    if isinstance(node, Mapping):
        below = node.entries if depth else ()
        return Value(entries=_entries((_of_common(k, 0), _of_common(v, depth - 1)) for k, v in below))
    return Value()


def _of_node(node: yaml.Node | None, depth: int) -> Value:
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node.tag, node.value)
    if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
        below = node.value if depth else ()
        return Value(entries=_entries((_of_node(k, 0), _of_node(v, depth - 1)) for k, v in below))
    return Value()


def _entries(pairs: Iterable[tuple[Value, Value]]) -> tuple[tuple[Value, Value], ...]:
    return tuple(pairs)


def _scalar(tag: str, text: str) -> Value:
    is_text = tag in _TEXT_TAGS and _SURROGATE.search(text) is None
    return Value(text if is_text else None, null=tag == f"{_TAG}null")
