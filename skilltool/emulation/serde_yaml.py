"""YAML as serde_yaml 0.9 reads it into Rust's types: scalars as their text, types by what is expected.

serde_yaml parses with a translation of libyaml, so the tree is ours. Sources: `de.rs`, `loader.rs` and
`libyaml/error.rs` of serde_yaml 0.9; requests of codex 0.169.0; its errors for generated texts, by ryaml
(`tests/libraries/serde-yaml-0.9.jsonl`). Of a text that is both broken and of a wrong type, the error told
is that of the syntax; serde_yaml tells what comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from skilltool.emulation.serde_yaml_errors import (
    MANY_DOCUMENTS,
    SerdeYamlError,
    after_document,
    at,
    mismatch,
    syntax_error,
)
from skilltool.emulation.serde_yaml_scalars import BOOLEANS, NULLS, ScalarError, is_wide, value_of
from skilltool.text.frontmatter import nodes
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Node, Scalar, YamlError

Kind = Callable[["Reader", Node, str], Any]


@dataclass(frozen=True, slots=True)
class Struct:
    """A type with fields, each with what reads it; fields that it does not have are passed over."""

    name: str
    fields: Mapping[str, Kind]

    def __call__(self, reader: Reader, node: Node, path: str) -> dict[str, Any]:
        """Return the fields that are there; a value of nothing at all has none."""
        target = reader.target(node)
        if isinstance(target, Scalar) and not target.text and not target.style:
            return {}
        if not isinstance(target, nodes.Mapping):
            raise reader.wrong(target, path, f"struct {self.name}")
        found: dict[str, Any] = {}
        for key, value in target.entries:
            name = reader.field_name(key, path)
            if name in found:
                raise reader.error(f"duplicate field `{name}`", target, path)
            if name in self.fields:
                found[name] = self.fields[name](reader, value, f"{path}.{name}" if path else name)
        return found


class Reader:
    """Reads one document; knows its text, for positions, and what its aliases stand for."""

    def __init__(self, text: str, root: Node) -> None:
        """Take a text and its tree; raises `SerdeYamlError` for an alias without an anchor before it."""
        self._text = text
        self._targets: dict[int, Node] = {}
        self._bind(root, {})

    def _bind(self, node: Node, anchors: dict[str, Node]) -> None:
        if isinstance(node, Alias):
            if node.name not in anchors:
                raise SerdeYamlError(f"unknown anchor{at(self._text, node.span.start)}")
            self._targets[id(node)] = anchors[node.name]
            return
        if node.anchor:
            anchors[node.anchor] = node
        if isinstance(node, nodes.Sequence):
            for item in node.items:
                self._bind(item, anchors)
        elif isinstance(node, nodes.Mapping):
            for entry in node.entries:
                self._bind(entry[0], anchors)
                self._bind(entry[1], anchors)

    def target(self, node: Node) -> Node:
        """Return a node, or the one that it is an alias of."""
        return self._targets[id(node)] if isinstance(node, Alias) else node

    def error(self, problem: str, node: Node, path: str) -> SerdeYamlError:
        """Return an error about a node: the path of its value, what is wrong, and where the node begins."""
        where = at(self._text, node.span.start)
        return SerdeYamlError(f"{path}: {problem}{where}" if path else f"{problem}{where}")

    def wrong(self, node: Node, path: str, expected: str) -> SerdeYamlError:
        """Return the error about a node that is not of the type expected."""
        return self.error(mismatch(node, expected), node, path)

    def field_name(self, key: Node, path: str) -> str:
        """Return the name of a field by its key, of which only the text counts."""
        target = self.target(key)
        if not isinstance(target, Scalar):
            raise self.wrong(target, path, "field identifier")
        return target.text


def _text(reader: Reader, node: Node, path: str) -> str:
    target = reader.target(node)
    if not isinstance(target, Scalar):
        raise reader.wrong(target, path, "a string")
    return target.text


def _switch(reader: Reader, node: Node, path: str) -> bool:
    target = reader.target(node)
    if isinstance(target, Scalar) and not target.style and target.text in BOOLEANS:
        return BOOLEANS[target.text]
    raise reader.wrong(target, path, "a boolean")


def _optional(kind: Kind, reader: Reader, node: Node, path: str) -> Any:
    target = reader.target(node)
    if isinstance(target, Scalar) and not target.style:
        if target.tag == "tag:yaml.org,2002:null" and target.text not in NULLS:
            raise reader.error(mismatch(target, "null"), target, path)
        if target.tag in (None, "tag:yaml.org,2002:null") and target.text in {*NULLS, ""}:
            return None
    return kind(reader, node, path)


def optional(kind: Kind) -> Kind:
    """Return what reads a value that may be null or empty, then None."""
    return partial(_optional, kind)


def _items(kind: Kind, reader: Reader, node: Node, path: str) -> list[Any]:
    target = reader.target(node)
    if isinstance(target, Scalar) and not target.text and not target.style:
        return []
    if not isinstance(target, nodes.Sequence):
        raise reader.wrong(target, path, "a sequence")
    return [kind(reader, item, f"{path}[{number}]") for number, item in enumerate(target.items)]


def items(kind: Kind) -> Kind:
    """Return what reads a list."""
    return partial(_items, kind)


def _choice(names: tuple[str, ...], reader: Reader, node: Node, path: str) -> str:
    target = reader.target(node)
    if not isinstance(target, Scalar):
        raise reader.wrong(target, path, "a YAML tag starting with '!'")
    if target.text not in names:
        expected = " or ".join(f"`{name}`" for name in names)
        raise reader.error(f"unknown variant `{target.text}`, expected {expected}", target, path)
    return target.text


def choice(*names: str) -> Kind:
    """Return what reads one of several words."""
    return partial(_choice, names)


def _map(reader: Reader, node: Node, path: str) -> dict[str, Node]:
    target = reader.target(node)
    if isinstance(target, Scalar) and not target.text and not target.style:
        return {}
    if not isinstance(target, nodes.Mapping):
        raise reader.wrong(target, path, "a map")
    return {reader.field_name(key, path): reader.target(value) for key, value in target.entries}


STRING: Kind = _text
MAP: Kind = _map
TEXT: Kind = optional(_text)
SWITCH: Kind = optional(_switch)


def read(text: str, kind: Struct) -> dict[str, Any]:
    """Return the fields of the struct in a YAML text; raises `SerdeYamlError`, and `BoundError`."""
    try:
        root = compose(text).root
        several = False
    except BoundError:
        raise
    except YamlError:
        root, several = _first(text)
    found = {} if root is None else kind(Reader(text, root), root, "")
    if several:
        raise SerdeYamlError(MANY_DOCUMENTS)
    return found


def _first(text: str) -> tuple[Node | None, bool]:
    """Return the tree of the first of several documents, and True; raises the error of a broken one."""
    try:
        first = compose(text, first_only=True)
    except BoundError:
        raise
    except YamlError:
        raise syntax_error(text) from None
    return first.root, after_document(text, first.end)


def is_value(text: str) -> bool:
    """Return whether a YAML text is one value, of any type; raises `BoundError`."""
    try:
        root = compose(text).root
        return root is None or _is_value(Reader(text, root), root)
    except BoundError:
        raise
    except (YamlError, SerdeYamlError, ScalarError):
        return False


def _is_value(reader: Reader, node: Node) -> bool:
    """Return whether no number is too wide, and no two scalars that are keys of a mapping are the same.

    Of a struct only the fields that it has are read. Raises `ScalarError`.
    """
    if isinstance(node, Scalar):
        return not is_wide(value_of(node))
    if isinstance(node, nodes.Sequence):
        return all(_is_value(reader, item) for item in node.items)
    if not isinstance(node, nodes.Mapping):
        return True  # an alias: what it stands for was looked at
    keys = [_key(key) for entry in node.entries if isinstance(key := reader.target(entry[0]), Scalar)]
    parts = (part for entry in node.entries for part in entry)
    return all(_is_value(reader, part) for part in parts) and len(keys) == len(set(keys))


def _key(node: Scalar) -> tuple[object, ...]:
    """Return what is equal for two scalars that are the same key of a map, of which each may be NaN."""
    found = value_of(node)
    own_tag = node.tag if node.tag and node.tag.startswith("!") else None
    return own_tag, type(found), found if found == found else None
