"""YAML as the npm package `yaml` 2.8.2 parses it: the core schema of YAML 1.2, keys unique, no merging.

Built on our node tree, which libyaml's events make; where that library takes what `yaml` refuses, or the
other way round, is told apart here and in `yaml_core_layout`. Sources: `yaml`'s documentation and what
it answered to generated texts. Which texts are refused is reproduced; the words of a refusal are ours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from skilltool.frontmatter.nodes import (
    Alias,
    BoundError,
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlError,
    compose,
)
from skilltool.frontmatter.scalars import core_value
from skilltool.runtimes.shared.javascript import Foreign, as_key, in_key_order
from skilltool.runtimes.shared.yaml_core_layout import layout_problem

_MAX_ALIASES = 100
_STANDARD = "tag:yaml.org,2002:"
_TYPES = {"bool": bool, "float": float, "int": int, "null": type(None)}
_OBJECTS = {"binary": "Buffer", "timestamp": "Date", "set": "Set", "omap": "Map"}
_DATE = re.compile(r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}")

# Characters that libyaml refuses or takes for line ends, and `yaml` takes as they are. They are
# read as private characters of the last plane.
_UNUSUAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]|\r(?!\n)")
_PRIVATE = 0x100000
_MOVED = re.compile("[\U00100000-\U0010ffff]")

_PAIR = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_TABS_BEFORE_NOTHING = re.compile(r"^ *\t[ \t]*(?=(?:#.*)?\r?$)", re.MULTILINE)


class NotParsedError(ValueError):
    """A text that `yaml` refuses; `parse_error` is False where it raises another error than its own."""

    def __init__(self, problem: str, parse_error: bool = True) -> None:
        """Take words of ours."""
        super().__init__(problem)
        self.parse_error = parse_error


def load(text: str) -> Any:
    """Return the data of YAML `text`: dict, list, str, int, float, bool, None, or `Foreign`.

    Keys are in JavaScript's order. Raises `NotParsedError`, and `BoundError` past our bounds.
    """
    moved = _UNUSUAL.sub(lambda match: chr(_PRIVATE + ord(match[0])), text)
    moved = moved if moved.endswith("\n") else moved + "\n"
    try:
        read, root = _composed(moved)
    except BoundError:
        raise
    except YamlError as error:
        raise NotParsedError(error.problem) from None
    if root is None:
        return None
    problem = layout_problem(read, root) or _repeated(root)
    if problem:
        raise NotParsedError(problem)
    return _Reader().data(root)


def _composed(text: str) -> tuple[str, Node | None]:
    """Return a tree and its text: the one given, or that without what only libyaml minds.

    It minds tabs on lines with nothing else or a comment, and halves of surrogates in escapes.
    """
    try:
        return text, compose(text).root
    except BoundError:
        raise
    except YamlError:
        mended = _PAIR.sub(_joined, _TABS_BEFORE_NOTHING.sub("", text))
        if mended == text:
            raise
    return mended, compose(mended).root


def _joined(pair: re.Match[str]) -> str:
    high, low = int(pair[1], 16), int(pair[2], 16)
    return f"\\U{0x10000 + ((high - 0xD800) << 10) + low - 0xDC00:08x}"


def _repeated(node: Node) -> str | None:
    """Return what is wrong with the keys of a tree: two that are the same scalar."""
    if isinstance(node, Sequence):
        return next(filter(None, map(_repeated, node.items)), None)
    if not isinstance(node, Mapping):
        return None
    seen: set[tuple[str, Any]] = set()
    for key, value in node.entries:
        if isinstance(key, Scalar):
            found = _value(key)
            same = ("number" if type(found) in (int, float) else type(found).__name__, found)
            if same in seen:
                return "Map keys must be unique"
            seen.add(same)
        if problem := _repeated(key) or _repeated(value):
            return problem
    return None


@dataclass(slots=True)
class _Anchored:
    """A node with an anchor, its data, and how much its aliases have stood for so far."""

    node: Node
    data: Any
    uses: int = 1
    weight: int = 0


class _Reader:
    """Turns nodes into data, anchors before the aliases that name them."""

    def __init__(self) -> None:
        self._anchors: dict[str, _Anchored] = {}

    def data(self, node: Node) -> Any:
        found: Any
        if isinstance(node, Alias):
            return self._followed(node)
        if isinstance(node, Scalar):
            found = _value(node)
        else:
            found = self._mapping(node) if isinstance(node, Mapping) else [self.data(i) for i in node.items]
            found = Foreign(_OBJECTS[kind]) if (kind := _kind(node)) in ("set", "omap") else found
        if node.anchor:
            self._anchors[node.anchor] = _Anchored(node, found)
        return found

    def _followed(self, alias: Alias) -> Any:
        if alias.name not in self._anchors:
            raise NotParsedError(f"the alias {alias.name} has no anchor before it", parse_error=False)
        anchored = self._anchors[alias.name]
        anchored.uses += 1
        anchored.weight = anchored.weight or self._weight(anchored.node)
        if anchored.uses * anchored.weight > _MAX_ALIASES:
            raise NotParsedError("aliases stand for too much", parse_error=False)
        return anchored.data

    def _weight(self, node: Node) -> int:
        """Return how often aliases below a node were used, multiplied along the way, as `yaml` counts."""
        if isinstance(node, Alias):
            anchored = self._anchors.get(node.name)
            return anchored.uses * anchored.weight if anchored else 0
        if isinstance(node, Sequence):
            return max(map(self._weight, node.items), default=0)
        if isinstance(node, Mapping):
            return max((self._weight(child) for entry in node.entries for child in entry), default=0)
        return 1

    def _mapping(self, node: Mapping) -> dict[str, Any]:
        pairs = [(self.data(key), self.data(value)) for key, value in node.entries]
        return in_key_order({_key(key): value for key, value in pairs})


def _key(value: Any) -> str:
    """Return the name of a property: a collection becomes the text of a flow collection."""
    if isinstance(value, list):
        return f"[ {', '.join(map(_key, value))} ]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key}: {_key(item)}' for key, item in value.items())} }}"
    return value.kind if isinstance(value, Foreign) else as_key(value)


def _kind(node: Scalar | Sequence | Mapping) -> str:
    return (node.tag or "").removeprefix(_STANDARD)


def _value(node: Scalar) -> Any:
    text = _MOVED.sub(lambda match: chr(ord(match[0]) - _PRIVATE), node.text)
    if node.plain:
        return core_value(text)
    kind = _kind(node)
    if kind in ("binary", "timestamp"):
        if kind == "timestamp" and not _DATE.match(text):
            raise NotParsedError("!!timestamp expects a date")
        return Foreign(_OBJECTS[kind])
    if kind in _TYPES and isinstance(found := core_value(text), _TYPES[kind]):
        return text if kind == "int" and isinstance(found, bool) else found
    return text
