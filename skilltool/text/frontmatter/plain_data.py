"""Converts a YAML tree to plain data, by the YAML 1.2 core schema."""

from __future__ import annotations

from skilltool.text.frontmatter.nodes import Alias, Mapping, Node, Scalar
from skilltool.text.frontmatter.scalars import Scalar as Value

Plain = Value | list["Plain"] | dict[str, "Plain"]


def plain(node: Node) -> Plain:
    """Return the data of `node`.

    The last of duplicate keys wins. An alias is not followed: it becomes its own text, `"*name"`. Keys are
    the text of their scalars; keys that are not scalars are left out.
    """
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Alias):
        return f"*{node.name}"
    if isinstance(node, Mapping):
        return mapping(node)
    return [plain(item) for item in node.items]


def mapping(node: Mapping) -> dict[str, Plain]:
    """Return the data of a mapping, as `plain` does."""
    return {key.text: plain(value) for key, value in node.entries if isinstance(key, Scalar)}
