"""YAML as gopkg.in/yaml.v2 2.4.0 decodes it into `map[string]interface{}`.

Only the string values are kept, since runtimes ask for nothing else. Source: yaml.v2's `decode.go` (the
last of repeated keys wins, merge keys apply where they are written, timestamps stay text), and recordings
of kodelet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from skilltool.emulation.go_yaml import OLD_BOOLS, compose, is_merge, kind_of, targets, text_of
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError

_T = TypeVar("_T")
_TEXTS = frozenset({"str", "merge", "timestamp", "binary"})
# Steps of decoding: yaml.v2's bounds on alias expansion, and ours on all steps.
_FEW_ALIASES, _FEW_STEPS, _LOW, _HIGH = 100, 1000, 400_000, 4_000_000
_MOST_STEPS = 1_000_000


def strings(text: str) -> dict[str, str] | None:
    """Return the string values of the mapping in YAML `text`, by key; the last of repeated keys wins.

    Keys with other values are left out; an empty text gives `{}`. Raises `YamlError` where yaml.v2 returns an
    error, and `BoundError` for what exceeds skilltool's bounds.
    """
    root = compose(text)
    if root is None:
        return {}
    decoder = _Decoder(targets(root))
    if isinstance(root, Scalar) and decoder.is_null(root):
        return {}
    if not isinstance(root, Mapping):
        raise YamlError("cannot unmarshal into map[string]interface {}", root.span.start)
    found: dict[str, str | None] = {}
    try:
        decoder.add_entries(root, found)
    except RecursionError:
        raise BoundError("aliases nested too deep", 0) from None
    return {key: value for key, value in found.items() if value is not None}


class _Decoder:
    """Decodes nodes; the target of an alias is decoded again for each alias."""

    def __init__(self, bound: dict[int, Node]) -> None:
        self._targets = bound
        self._open: set[int] = set()
        self._steps = 0
        self._steps_in_aliases = 0

    def add_entries(self, node: Node, found: dict[str, str | None]) -> None:
        """Add the entries of a mapping, or of an alias to one, to `found`; None for other than strings."""
        self._step(node)
        if isinstance(node, Alias):
            self._follow(node, lambda target: self.add_entries(target, found))
        elif isinstance(node, Mapping):
            for key, value in node.entries:
                if is_merge(key):
                    self._merge(value, lambda part: self.add_entries(part, found))
                else:
                    name = self._key(key)
                    found[name] = self.value(value)

    def value(self, node: Node) -> str | None:
        """Return the value of a node if it is a string; raises `YamlError` for what cannot be decoded."""
        self._step(node)
        if isinstance(node, Alias):
            return self._follow(node, self.value)
        if isinstance(node, Scalar):
            kind = kind_of(node, OLD_BOOLS)
            return text_of(node, kind) if kind in _TEXTS else None
        if isinstance(node, Sequence):
            for item in node.items:
                self.value(item)
            return None
        for key, value in node.entries:
            if is_merge(key):
                self._merge(value, self.value)
                continue
            self.value(key)
            if not isinstance(self._target(key), Scalar):
                raise YamlError("invalid map key", key.span.start)
            self.value(value)
        return None

    def is_null(self, node: Scalar) -> bool:
        """Return whether a scalar is null."""
        return kind_of(node, OLD_BOOLS) == "null"

    def _key(self, node: Node) -> str:
        """Return the text of a key: numbers and bools as they are written, null as the empty string."""
        self._step(node)
        if isinstance(node, Alias):
            return self._follow(node, self._key)
        if not isinstance(node, Scalar):
            raise YamlError("cannot unmarshal a key into string", node.span.start)
        kind = kind_of(node, OLD_BOOLS)
        return "" if kind == "null" else text_of(node, kind)

    def _merge(self, node: Node, decode: Callable[[Node], object]) -> None:
        """Decode what a merge key adds; of several mappings the first one wins."""
        for part in reversed(node.items) if isinstance(node, Sequence) else (node,):
            if not isinstance(self._target(part), Mapping):
                words = "map merge requires map or sequence of maps as the value"
                raise YamlError(words, part.span.start)
            decode(part)

    def _target(self, node: Node) -> Node:
        return self._targets[id(node)] if isinstance(node, Alias) else node

    def _follow(self, alias: Alias, decode: Callable[[Node], _T]) -> _T:
        if id(alias) in self._open:
            raise YamlError(f"anchor '{alias.name}' value contains itself", alias.span.start)
        self._open.add(id(alias))
        try:
            return decode(self._targets[id(alias)])
        finally:
            self._open.discard(id(alias))

    def _step(self, node: Node) -> None:
        """Count a step; raises `YamlError` if, as yaml.v2 computes it, too many steps expand aliases."""
        self._steps += 1
        self._steps_in_aliases += bool(self._open)
        if self._steps > _MOST_STEPS:
            raise BoundError(f"more than {_MOST_STEPS:,} nodes after expanding aliases", node.span.start)
        if self._steps_in_aliases <= _FEW_ALIASES or self._steps <= _FEW_STEPS:
            return
        part = min(max((self._steps - _LOW) / (_HIGH - _LOW), 0.0), 1.0)
        if self._steps_in_aliases / self._steps > 0.99 - 0.89 * part:
            raise YamlError("document contains excessive aliasing", node.span.start)
