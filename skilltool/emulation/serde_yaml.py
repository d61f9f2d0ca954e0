"""YAML as serde_yaml 0.9 reads it into Rust's types: scalars as their text, types by what is expected.

serde_yaml parses with a translation of libyaml, so the tree is ours. Of a text that is both broken and of a
wrong type, the error told is that of the syntax; serde_yaml tells what comes first. Positions are lines and
columns from 1 in code points; the very start of a text is not told, and of characters that YAML refuses the
offset in bytes. An integer has 64 bits, or 128, for which only types of 128 bits have a visitor; a longer one
is a float, and text where that would be infinite.

Sources: `de.rs`, `loader.rs`, `error.rs` and `libyaml/error.rs` of serde_yaml 0.9, `Unexpected` and the
default visitor of serde 1; requests of codex 0.169.0; its errors for generated texts, and what it says of
numbers on both sides of each limit, by ryaml 0.5.1 (`tests/libraries/serde-yaml-0.9.jsonl`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from math import isfinite, isnan
from typing import Any

import yaml

from skilltool.text.frontmatter import nodes
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Node, Scalar, YamlError
from skilltool.text.lazy_pattern import lazy_pattern

Kind = Callable[["Reader", Node, str], Any]
_MANY_DOCUMENTS = "deserializing from YAML containing more than one document is not supported"
_BREAK = lazy_pattern("\r\n|[\r\n\x85\u2028\u2029]")
_Value = None | bool | int | float | str
_NULLS = frozenset({"null", "Null", "NULL", "~"})
_BOOLEANS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_CORE = "tag:yaml.org,2002:"
_RADIX = lazy_pattern(r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+)")
_DECIMAL = lazy_pattern(r"[-+]?(?:0|[1-9][0-9]{0,38})")  # 2**128 has 39 digits
_FLOAT = lazy_pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_ZERO_FIRST = lazy_pattern(r"[-+]?0[0-9]+")
_NOT_FINITE = {
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}


class SerdeYamlError(ValueError):
    """A text that serde_yaml refuses; the message is its own."""


class _ScalarError(ValueError):
    """A scalar that is not of the type its tag says; the message is serde's."""


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
                raise SerdeYamlError(f"unknown anchor{_at(self._text, node.span.start)}")
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
        where = _at(self._text, node.span.start)
        return SerdeYamlError(f"{path}: {problem}{where}" if path else f"{problem}{where}")

    def wrong(self, node: Node, path: str, expected: str) -> SerdeYamlError:
        """Return the error about a node that is not of the type expected."""
        return self.error(_mismatch(node, expected), node, path)

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
    if isinstance(target, Scalar) and not target.style and target.text in _BOOLEANS:
        return _BOOLEANS[target.text]
    raise reader.wrong(target, path, "a boolean")


def _optional(kind: Kind, reader: Reader, node: Node, path: str) -> Any:
    target = reader.target(node)
    if isinstance(target, Scalar) and not target.style:
        if target.tag == "tag:yaml.org,2002:null" and target.text not in _NULLS:
            raise reader.error(_mismatch(target, "null"), target, path)
        if target.tag in (None, "tag:yaml.org,2002:null") and target.text in {*_NULLS, ""}:
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
        raise SerdeYamlError(_MANY_DOCUMENTS)
    return found


def _first(text: str) -> tuple[Node | None, bool]:
    """Return the tree of the first of several documents, and True; raises the error of a broken one."""
    try:
        first = compose(text, first_only=True)
    except BoundError:
        raise
    except YamlError:
        raise _syntax_error(text) from None
    return first.root, _is_followed(text, first.end)


def is_value(text: str) -> bool:
    """Return whether a YAML text is one value, of any type; raises `BoundError`."""
    try:
        root = compose(text).root
        return root is None or _is_value(Reader(text, root), root)
    except BoundError:
        raise
    except (YamlError, SerdeYamlError, _ScalarError):
        return False


def _is_value(reader: Reader, node: Node) -> bool:
    """Return whether no number is too wide, and no two scalars that are keys of a mapping are the same.

    Of a struct only the fields that it has are read. Raises `_ScalarError`.
    """
    if isinstance(node, Scalar):
        return not _is_wide(_value_of(node))
    if isinstance(node, nodes.Sequence):
        return all(_is_value(reader, item) for item in node.items)
    if not isinstance(node, nodes.Mapping):
        return True  # an alias: what it stands for was looked at
    keys = [_key(key) for entry in node.entries if isinstance(key := reader.target(entry[0]), Scalar)]
    parts = (part for entry in node.entries for part in entry)
    return all(_is_value(reader, part) for part in parts) and len(keys) == len(set(keys))


def _key(node: Scalar) -> tuple[object, ...]:
    """Return what is equal for two scalars that are the same key of a map, of which each may be NaN."""
    found = _value_of(node)
    own_tag = node.tag if node.tag and node.tag.startswith("!") else None
    return own_tag, type(found), found if found == found else None


def _at(text: str, offset: int) -> str:
    """Return ` at line L column C` for an offset, nothing for the very start."""
    line, start = 0, 0
    for match in _BREAK.finditer(text, 0, offset):
        line, start = line + 1, match.end()
    return _position(line, offset - start)


def _position(line: int, column: int) -> str:
    return f" at line {line + 1} column {column + 1}" if line or column else ""


def _syntax_error(text: str) -> SerdeYamlError:
    """Return the first error about a text that is not YAML: the parser's, or an alias without an anchor."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    anchors: set[str | None] = set()
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.AliasEvent) and event.anchor not in anchors:
                offset = event.start_mark.index if event.start_mark else 0
                return SerdeYamlError(f"unknown anchor{_at(text, offset)}")
            anchors.add(getattr(event, "anchor", None))
    except yaml.reader.ReaderError as error:
        where = f" at position {error.position}" if error.position else ""
        return SerdeYamlError(f"{error.reason}{where}")
    except yaml.MarkedYAMLError as error:
        return SerdeYamlError(_told(error))
    except yaml.YAMLError as error:
        return SerdeYamlError(str(error))
    return SerdeYamlError("not YAML")


def _told(error: yaml.MarkedYAMLError) -> str:
    """Return the problem and where it is, then what was being parsed, and where that begins if elsewhere."""
    problem, context = (
        "" if mark is None else _position(mark.line, mark.column)
        for mark in (error.problem_mark, error.context_mark)
    )
    told = f"{error.problem}{problem}"
    if error.context is None:
        return told
    return f"{told}, {error.context}{context if context != problem else ''}"


def _is_followed(text: str, end: int) -> bool:
    """Return whether something follows the document that ends at an offset: another one, or what is none."""
    return bool(re.sub(r"(?m)^(?:\.\.\.)?[ \t]*(?:#.*)?$", "", text[end:]).strip())


def _mismatch(node: Node, expected: str) -> str:
    """Return what serde says of a value where another type is expected."""
    kind = "sequence" if isinstance(node, nodes.Sequence) else "map"
    if isinstance(node, Scalar):
        try:
            kind = _described(_value_of(node))
        except _ScalarError as error:
            return str(error)
    return f"invalid type: {kind}, expected {expected}"


def _value_of(node: Scalar) -> _Value:
    """Return what a scalar is where a value of any type is expected; raises `_ScalarError`."""
    text, tag = node.text, node.tag
    if tag is None or tag.startswith("!"):
        return text if node.style else _untagged(text)
    if tag == f"{_CORE}null" and text in _NULLS:
        return None
    expected, find = _TAGGED.get(tag.removeprefix(_CORE), ("", str))
    found = find(text)
    if found is None:
        raise _ScalarError(f"invalid value: {_string_shown(text)}, expected {expected}")
    return found


def _is_wide(number: _Value) -> bool:
    """Return whether a value is an integer that only types of 128 bits hold."""
    return type(number) is int and not -(1 << 63) <= number < 1 << 64


def _described(found: _Value) -> str:
    if found is None:
        return "unit value"
    if isinstance(found, bool):
        return f"boolean `{str(found).lower()}`"
    if isinstance(found, int):
        width = (" as u128" if found > 0 else " as i128") if _is_wide(found) else ""
        return f"integer `{found}`{width}"
    if isinstance(found, float):
        return f"floating point `{_decimal(found)}`"
    return _string_shown(found)


def _decimal(number: float) -> str:
    """Return a float as serde shows it: the shortest digits, no exponent, and a decimal point if finite."""
    if not isfinite(number):
        return "NaN" if isnan(number) else str(number)
    digits = f"{Decimal(repr(number)):f}"
    return digits if "." in digits else f"{digits}.0"


def _string_shown(text: str) -> str:
    """Return a string as serde shows it, which is as Rust's `{:?}` writes it."""
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\0": "\\0"}
    escaped = (named.get(each) or (each if each.isprintable() else f"\\u{{{ord(each):x}}}") for each in text)
    return f'string "{"".join(escaped)}"'


def _untagged(text: str) -> _Value:
    if not text or text in _NULLS:
        return None
    if _ZERO_FIRST.fullmatch(text):
        return text
    for find in (_BOOLEANS.get, _integer, _float):
        if (found := find(text)) is not None:
            return found
    return text


def _integer(text: str) -> int | None:
    """Return the integer of at most 128 bits that a text is; None if it is not one."""
    if not (_DECIMAL.fullmatch(text) or _RADIX.fullmatch(text)):
        return None
    number = int(text, 0)
    return number if -(1 << 127) <= number < 1 << 128 else None


def _float(text: str) -> float | None:
    """Return the float that a text is; None if it is not one, or too large for one."""
    if text in _NOT_FINITE:
        return _NOT_FINITE[text]
    number = float(text) if _FLOAT.fullmatch(text) else None
    return number if number is not None and isfinite(number) else None


_TAGGED: dict[str, tuple[str, Callable[[str], _Value]]] = {
    "null": ("null", lambda _: None),
    "bool": ("a boolean", _BOOLEANS.get),
    "int": ("an integer", _integer),
    "float": ("a float", _float),
}
