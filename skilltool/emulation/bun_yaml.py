"""YAML as `Bun.YAML.parse` of Bun 1.4 reads it: core schema of YAML 1.2, last of repeated keys, merge keys.

It is built on our node tree, which comes from libyaml. `bun_yaml_tolerance` bridges the texts that only
libyaml refuses, `bun_yaml_layout` those that only Bun refuses. Source: the results of Bun 1.4.0 and 1.4.5,
which are the same, for generated texts (`tests/libraries/bun-yaml-1.4.5.jsonl`).
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.emulation.bun_yaml_layout import (
    UNEXPECTED_CHARACTER,
    UNRESOLVED_ALIAS,
    layout_problem,
    message_for,
)
from skilltool.emulation.bun_yaml_tolerance import escaped, rewritten_for_libyaml, unescaped
from skilltool.emulation.javascript import as_key, in_key_order
from skilltool.emulation.simple_yaml import simple_mapping
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.frontmatter.scalars import core_value

_ALIASING = "Excessive aliasing"
_MOST_EXPANDED = 1_000_000
# Bun has no bound that a skill could reach; ours keeps the recursion below Python's limit.
_MAX_DEPTH = 200
_LARGEST = 2**64 - 1
_STRING_TAGS = frozenset({"!", "tag:yaml.org,2002:str"})
_NEGATIVE_HEX = re.compile(r"-0x[0-9a-fA-F]+")


class BunYamlError(ValueError):
    """A text that Bun refuses: `str()` is its message after `YAML Parse error: `.

    `offset` is where libyaml stops, in code points, None if unknown.
    """

    def __init__(self, message: str, offset: int | None = None) -> None:
        """Take Bun's message."""
        super().__init__(message)
        self.offset = offset


def load(text: str) -> Any:
    """Return the data of YAML `text`: dict, list, str, int, float, bool or None; keys are strings.

    Raises `BunYamlError`, and `BoundError` for what exceeds skilltool's bounds.
    """
    if (simple := simple_mapping(text)) is not None:
        return simple
    if (at := text.find("\0")) >= 0:
        raise BunYamlError(UNEXPECTED_CHARACTER, at)
    parsed, root = _composed(escaped(text.removeprefix("\ufeff")))
    if root is None:
        return None
    if problem := layout_problem(parsed, root):
        raise BunYamlError(problem)
    return _Reader().data(root)


def _composed(text: str) -> tuple[str, Node | None]:
    """Return the text that libyaml accepts, as given or rewritten, and its tree."""
    given = text if text.endswith("\n") else f"{text}\n"
    refusal = None
    for candidate in (given, *rewritten_for_libyaml(given)):
        try:
            return candidate, compose(candidate, max_depth=_MAX_DEPTH).root
        except BoundError:
            raise
        except YamlError as error:
            refusal = refusal or error
    assert refusal is not None
    raise BunYamlError(message_for(given, refusal), refusal.start)


class _Reader:
    """Turns nodes into data, in the order of the text, so that anchors come before their aliases."""

    def __init__(self) -> None:
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._nodes = 0

    def data(self, node: Node) -> Any:
        if isinstance(node, Alias):
            return self._followed(node)
        before = self._nodes
        self._nodes += 1
        if isinstance(node, Scalar):
            value = _value(node)
        elif isinstance(node, Sequence):
            value = [self.data(item) for item in node.items]
        else:
            value = self._mapping(node)
        if node.anchor:
            self._anchors[node.anchor] = value, self._nodes - before
        return value

    def _followed(self, alias: Alias) -> Any:
        """Return what an alias stands for; its nodes count again, so that aliases of aliases end."""
        if alias.name not in self._anchors:
            raise BunYamlError(UNRESOLVED_ALIAS, alias.span.start)
        found, nodes = self._anchors[alias.name]
        self._nodes += nodes
        if self._nodes > _MOST_EXPANDED:
            raise BunYamlError(_ALIASING, alias.span.start)
        return found

    def _mapping(self, node: Mapping) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.entries:
            name, data = text_of(self.data(key)), self.data(value)
            if name == "<<" and isinstance(data, dict | list):
                for each in data if isinstance(data, list) else [data]:
                    merged = each if isinstance(each, dict) else {}
                    found.update({inner: merged[inner] for inner in merged if inner not in found})
            else:
                found[name] = data
        return in_key_order(found)


def text_of(value: Any) -> str:
    """Return what JavaScript's `String(value)` returns for data of YAML: `1.5`, `true`, `a,b`."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return ",".join("" if item is None else text_of(item) for item in value)
    return "[object Object]" if isinstance(value, dict) else as_key(value)


def _value(node: Scalar) -> Any:
    text = unescaped(node.text)
    if node.style or node.tag in _STRING_TAGS:
        return text
    if _NEGATIVE_HEX.fullmatch(text):
        return int(text, 16)
    value = core_value(text)
    too_large = isinstance(value, int) and abs(value) > _LARGEST
    return value if not too_large else text if text.startswith("0") else float(text)
