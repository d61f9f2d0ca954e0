"""YAML as `load` of the npm package js-yaml reads it: 4 (default schema) and 3 (`safeLoad`).

Both are built on our node tree, which comes from libyaml; `js_yaml_tolerance` has the texts that only
libyaml refuses, `js_yaml_layout` those that only js-yaml refuses. Dates are no strings, keys of a mapping are
unique, `<<` merges, and a tag that is not of YAML's own is refused. Version 3 reads numbers as YAML 1.1 does
(`017`, `12:30:45`), version 4 has `0o17`. Source: the results of js-yaml 4.1.1 and 3.15.2 for generated texts
(`tests/libraries/js-yaml-4.1.1-3.15.2.jsonl`). Which texts are refused is reproduced; the messages are ours.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

from skilltool.emulation.javascript import Foreign, as_key, in_key_order
from skilltool.emulation.js_yaml_layout import layout_problem
from skilltool.emulation.js_yaml_scalars import NOT_RESOLVED, implicit_value, tagged_value
from skilltool.emulation.js_yaml_tolerance import escaped, rewritten_for_libyaml, unescaped
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError

_STANDARD = "tag:yaml.org,2002:"
_MERGE = f"{_STANDARD}merge"
_COLLECTIONS = {
    Mapping: frozenset({"map", "set"}),
    Sequence: frozenset({"seq", "omap", "pairs"}),
}


class JsYamlError(ValueError):
    """A text that js-yaml refuses; the message is ours."""


def load(text: str, version: int) -> Any:
    """Return the data of YAML `text`: dict, list, str, int, float, bool, None, or `Foreign` (a date).

    `version` is 3 or 4. Raises `JsYamlError`, and `BoundError` for what exceeds skilltool's bounds.
    """
    if "\0" in text:
        raise JsYamlError("null byte is not allowed in input")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    parsed, root = _composed(escaped(text), version)
    if root is None:
        return None
    if problem := layout_problem(parsed, root):
        raise JsYamlError(problem)
    return _Reader(version).data(root)


def _composed(text: str, version: int) -> tuple[str, Node | None]:
    """Return the text that libyaml accepts, as given or rewritten, and its tree."""
    given = text if text.endswith("\n") else f"{text}\n"
    refusal: YamlError | None = None
    for candidate in chain((given,), rewritten_for_libyaml(given, version)):
        try:
            return candidate, compose(candidate).root
        except BoundError:
            raise
        except YamlError as error:
            refusal = refusal or error
    assert refusal is not None
    raise JsYamlError(refusal.problem)


class _Reader:
    """Turns nodes into data, in the order of the text, so that anchors come before their aliases."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._anchors: dict[str, Any] = {}

    def data(self, node: Node) -> Any:
        if isinstance(node, Alias):
            if node.name not in self._anchors:
                raise JsYamlError(f"unidentified alias `{node.name}`")
            return self._anchors[node.name]
        if isinstance(node, Scalar):
            return self._anchored(node, self._scalar(node))
        _check_tag(node)
        if isinstance(node, Sequence):
            items: list[Any] = self._anchored(node, [])
            items += [self.data(item) for item in node.items]
            return items
        return self._mapping(node)

    def _anchored(self, node: Scalar | Sequence | Mapping, found: Any) -> Any:
        if node.anchor:
            self._anchors[node.anchor] = found
        return found

    def _scalar(self, node: Scalar) -> Any:
        text = unescaped(node.text)
        if node.plain:
            return implicit_value(text, self._version)
        if node.tag is None or node.tag == "!":
            return text
        empty = not node.style and not node.text
        value = tagged_value(node.tag.removeprefix(_STANDARD), None if empty else text, self._version)
        if value is NOT_RESOLVED:
            raise JsYamlError(f"unknown tag {node.tag}, or a value that it does not take")
        return value

    def _mapping(self, node: Mapping) -> dict[str, Any]:
        found: dict[str, Any] = self._anchored(node, {})
        merged: set[str] = set()  # keys that an entry may replace
        for key, value in node.entries:
            is_merge = isinstance(key, Scalar) and (key.tag == _MERGE or (key.plain and key.text == "<<"))
            if is_merge:
                self._anchored(key, "<<") if isinstance(key, Scalar) else None
                _merge(found, merged, self.data(value))
                continue
            name = property_name(self.data(key))
            data = self.data(value)
            if name in found and name not in merged:
                raise JsYamlError("duplicated mapping key")
            found[name] = data
            merged.discard(name)
        ordered = in_key_order(found)
        found.clear()
        found.update(ordered)
        return found


def _merge(found: dict[str, Any], merged: set[str], source: Any) -> None:
    """Add the entries of a mapping, or of a list of mappings, that are not there yet."""
    for each in source if isinstance(source, list) else [source]:
        if isinstance(each, Foreign | list):  # JavaScript's objects, with keys that do not matter here
            continue
        if not isinstance(each, dict):
            raise JsYamlError("cannot merge mappings; the provided source object is unacceptable")
        for name, value in each.items():
            if name not in found:
                found[name] = value
                merged.add(name)


def _check_tag(node: Sequence | Mapping) -> None:
    """Raise `JsYamlError` for a tag that a list or a mapping cannot have."""
    if node.tag is None or node.tag == "!":
        return
    kind = node.tag.removeprefix(_STANDARD)
    if kind == node.tag or kind not in _COLLECTIONS[type(node)]:
        raise JsYamlError(f"unknown tag {node.tag}")
    check = _SHAPES.get(kind)
    if check is not None and not check(node):
        raise JsYamlError(f"cannot resolve a node with {node.tag} explicit tag")


def _is_pairs(node: Any) -> bool:
    return all(isinstance(item, Mapping) and len(item.entries) == 1 for item in node.items)


_SHAPES: dict[str, Callable[[Any], bool]] = {"omap": _is_pairs, "pairs": _is_pairs}


def property_name(value: Any) -> str:
    """Return the property name for the data of a key, as JavaScript's `String` makes it."""
    if isinstance(value, list):
        if any(isinstance(item, list) for item in value):
            raise JsYamlError("nested arrays are not supported inside keys")
        return ",".join("" if item is None else property_name(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, Foreign):
        return f"[{value.kind} {value.size}]"
    return "null" if value is None else as_key(value)
