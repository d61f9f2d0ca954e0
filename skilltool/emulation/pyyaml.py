"""YAML as PyYAML's `safe_load` reads it, with its own error messages, and with bounds that it does not have.

pickle-bot and agent-base call `yaml.safe_load` on text, so it is the pure Python loader whose messages they
print. It reads YAML 1.1: `yes` is a bool, the last of repeated keys wins, `12:30` is a number in base 60.
The installed PyYAML itself does the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from functools import lru_cache
from typing import Any

import yaml

from skilltool.emulation.common_yaml import is_common
from skilltool.emulation.pyyaml_scanner import FastScanner
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import (
    MAX_DEPTH,
    MAX_NODES,
    Alias,
    BoundError,
    Mapping,
    Node,
    Scalar,
    Sequence,
)

# Characters: a number in base 60 is read in time that grows with the square of its length.
_LONGEST_INTEGER = 100_000
_STRING = "tag:yaml.org,2002:str"
# Nodes, after every alias has been replaced by a copy of what it stands for.
_SIZE_WITH_ALIASES = 10 * MAX_NODES


class PyYamlError(ValueError):
    """The exception that reading raised; `text` is its message, by PyYAML or by Python.

    `is_yaml` is True for a `yaml.YAMLError`, False for any other exception that escapes a constructor (`day
    is out of range for month` is a ValueError there); `kind` is the name of its class.
    """

    def __init__(self, error: Exception) -> None:
        """Take the exception that PyYAML raised."""
        super().__init__(str(error))
        self.text = str(error)
        self.is_yaml = isinstance(error, yaml.YAMLError)
        self.kind = type(error).__name__


class _Loader(FastScanner):
    """PyYAML's safe loader, with skilltool's bounds on depth and size."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.depth = 0
        self.nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose as PyYAML does, and count nodes and depth; raises `BoundError`."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise BoundError(f"more than {MAX_NODES:,} nodes", 0)
        if self.depth > MAX_DEPTH:
            raise BoundError(f"nested more than {MAX_DEPTH} levels deep", 0)
        self.depth += 1
        try:
            node: yaml.Node | None = super().compose_node(parent, index)
        finally:
            self.depth -= 1
        return node

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        """Read an integer as PyYAML does; raises `BoundError` for one that would take too long."""
        if len(node.value) > _LONGEST_INTEGER:
            raise BoundError(f"an integer of more than {_LONGEST_INTEGER:,} characters", 0)
        value: int = super().construct_yaml_int(node)
        return value


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.construct_yaml_int)


Composed = yaml.Node | Exception | None


def safe_load(text: str, read: Collection[str] | None = None) -> Any:
    """Return the data of YAML `text`, as `yaml.safe_load(text)` does.

    Raises `PyYamlError` for whatever PyYAML raises, and `BoundError` for YAML deeper than 64 levels, with
    more than 10,000 nodes, or with more than 100,000 after expanding aliases. Aliases below keys that are
    not in `read` may expand to anything: call `check_printable` before printing such data.
    """
    return load_with(composed, text, read)


def load_with(composer: Callable[[str], Composed], text: str, read: Collection[str] | None = None) -> Any:
    """Do what `safe_load` does; `composer` makes the tree, or the exception, of a text that is not common."""
    if is_common(text):
        with suppress(Exception):  # PyYAML refuses it, too, and says why
            return _data(compose(text).root)
    return _constructed(composer(text), read)


def _data(node: Node | None) -> Any:
    """Return the data of a tree without tags and aliases; raises whatever PyYAML raises for a scalar."""
    if node is None:
        return None
    if isinstance(node, Mapping):
        return {_data(key): _data(value) for key, value in node.entries}
    if isinstance(node, Sequence):
        return [_data(item) for item in node.items]
    if isinstance(node, Alias):
        raise ValueError(node.name)
    return _scalar(node)


def _scalar(node: Scalar) -> Any:
    text = node.text
    tag = tag_of(text, bool(node.style))
    if tag == _STRING:
        return text
    return _Loader("").construct_document(yaml.ScalarNode(tag, text))


def tag_of(text: str, styled: bool) -> str:
    """Return the tag that PyYAML gives a scalar without one; `styled` if it is quoted or a block."""
    if not styled:
        for tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(text[:1], ()):
            if pattern.match(text):
                return str(tag)
    return _STRING


def exact_load(text: str, read: Collection[str] | None = None) -> Any:
    """Return what `safe_load` does, always by PyYAML's own scanner."""
    return _constructed(composed(text), read)


def bounded_node(text: str) -> yaml.Node | None:
    """Return the tree of YAML `text`; raises `PyYamlError` and `BoundError` as `safe_load` does."""
    return _bounded(composed(text), None)


def _bounded(node: Composed, read: Collection[str] | None) -> yaml.Node | None:
    if isinstance(node, BoundError):
        raise BoundError(node.problem, node.start)
    if isinstance(node, Exception):
        raise PyYamlError(node)
    # Aliases are expanded for the size only below the keys in `read`; everywhere if it is None.
    if _size(_part(node, read), {}) > _SIZE_WITH_ALIASES:
        raise BoundError(f"more than {_SIZE_WITH_ALIASES:,} nodes after expanding aliases", 0)
    return node


def _constructed(found: Composed, read: Collection[str] | None) -> Any:
    node = _bounded(found, read)
    try:
        return None if node is None else _Loader("").construct_document(node)
    except BoundError:
        raise
    except Exception as error:
        raise PyYamlError(error) from None


@lru_cache(maxsize=8)
def composed(text: str) -> Composed:
    """Return the node tree of YAML `text`, or the exception that reading raised.

    Several runtimes ask for the same text, and composing is slow. Constructing the data is not; it may change
    a tree, but only to what has the same data.
    """
    try:
        loader = _Loader(text)
        try:
            node: yaml.Node | None = loader.get_single_node()
            return node
        finally:
            loader.dispose()
    except Exception as error:
        return error.with_traceback(None)


def check_printable(text: str) -> None:
    """Raise `BoundError` if the data of YAML `text`, with every alias expanded, is too large to print."""
    safe_load(text)


def _part(node: yaml.Node | None, read: Collection[str] | None) -> yaml.Node | None:
    """Return the part of a tree below the keys `read`; all of it if a merge key copies entries."""
    if read is None or not isinstance(node, yaml.MappingNode) or _has_merge(node, set()):
        return node
    pairs = [
        (key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode) and key.value in read
    ]
    return yaml.MappingNode(node.tag, pairs)


def _has_merge(node: yaml.Node, seen: set[int]) -> bool:
    if not isinstance(node, yaml.CollectionNode) or id(node) in seen:
        return node.tag == "tag:yaml.org,2002:merge"
    seen.add(id(node))
    pairs = [(part,) for part in node.value] if isinstance(node, yaml.SequenceNode) else node.value
    return any(_has_merge(part, seen) for pair in pairs for part in pair)


def _size(node: yaml.Node | None, known: dict[int, int]) -> int:
    """Return the number of nodes with every alias expanded; an alias inside its own target counts as one."""
    if not isinstance(node, yaml.CollectionNode):
        # Long text counts for more: printed at every alias, it must not become gigabytes.
        return 1 + len(node.value) // 64 if node else 1
    if id(node) not in known:
        known[id(node)] = 1
        pairs = [(part,) for part in node.value] if isinstance(node, yaml.SequenceNode) else node.value
        known[id(node)] = 1 + sum(_size(part, known) for pair in pairs for part in pair)
    return known[id(node)]
