"""YAML as PyYAML reads it, with its own error messages, and with bounds that it does not have.

The installed PyYAML itself does the reading, by three of its loaders:

    safe_load      `yaml.safe_load`, the pure Python loader. pickle-bot and agent-base call it on text, and
                   print its messages. It reads YAML 1.1: `yes` is a bool, the last of repeated keys wins,
                   `12:30` is a number in base 60.
    c_safe_load    `CSafeLoader`, where PyYAML was built with libyaml: the same data in all but corners. Of
                   broken YAML it says what libyaml does, without the line at fault. python-frontmatter
                   prefers it.
    base_load      `BaseLoader` where each key may be there once: every scalar is its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from functools import lru_cache
from typing import Any

import yaml
from yaml.constructor import BaseConstructor, ConstructorError
from yaml.tokens import ScalarToken

from skilltool.text.frontmatter.composing import compose, is_printable
from skilltool.text.frontmatter.nodes import (
    MAX_DEPTH,
    MAX_NODES,
    TOO_DEEP,
    Alias,
    BoundError,
    Mapping,
    Node,
    Scalar,
    Sequence,
)
from skilltool.text.lazy_pattern import lazy_pattern

# Characters: a number in base 60 is read in time that grows with the square of its length.
_LONGEST_INTEGER = 100_000
_STRING = "tag:yaml.org,2002:str"
# Nodes, after every alias has been replaced by a copy of what it stands for.
_SIZE_WITH_ALIASES = 10 * MAX_NODES
_WHILE = "while constructing a mapping"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}"
# A plain value begins with no sign of YAML, and holds neither `: ` nor ` #`, nor a colon at its end.
_PLAIN = r"(?!\.\.\.)[^] !\"#%&')*,:>?@[`{|}-](?>(?:[^#:]++|(?<! )#|:(?! |\Z))*)"
_DOUBLE = r"\"(?>(?:[^\"\\]++|\\[\"\\n])*)\""
_SINGLE = r"'(?>(?:[^']++|'')*)'"
_WORD = r"[A-Za-z0-9_(./](?>(?:[A-Za-z0-9_ ()./*@+=-]|:(?=[A-Za-z0-9_*/.(]))*)"
_ITEM = rf" *(?:{_WORD}|{_DOUBLE}|{_SINGLE}) *"
_LIST = rf"\[(?>(?:{_ITEM}(?>(?:,{_ITEM})*))?)\]"
_COMMON_LINE = lazy_pattern(
    rf"(?P<indent> *+(?>(?:- +)?))(?>(?:{_KEY}:(?: +|\Z))?)"
    rf"(?:(?P<block>[|>][-+]?) *|(?>(?:{_PLAIN}|{_DOUBLE}|{_SINGLE}|{_LIST})?) *(?:(?:(?<= )|(?<!.))#.*)?)"
)


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


# Where a word of a plain scalar ends, and what a line end is (scanner.py of PyYAML 6.0, `scan_plain`).
_END = r"\0 \t\r\n\x85\u2028\u2029"
_FLOW = r",\[\]{}"


def _words(ends: str, after_colon: str) -> re.Pattern[str]:
    """Return a pattern for words with spaces between them, none but the first beginning with `#`."""
    word = rf"(?>(?:[^:{ends}]|:(?![{after_colon}]))+)"
    return re.compile(rf"{word}(?>(?: ++(?!#){word})*)")


_IN_BLOCK = _words(_END, _END)
_IN_FLOW = _words(rf"{_END}{_FLOW}?", _END + _FLOW)
# Characters that `forward` does not count as one column.
_SPECIAL = lazy_pattern("[\r\n\x85\u2028\u2029\ufeff]")


class FastScanner(yaml.SafeLoader):
    """PyYAML's safe loader, which reads plain scalars line by line instead of character by character.

    What the two loops return that look at each character of a long text is the same: tests compare them with
    PyYAML's own. A description of a megabyte takes hundredths of a second instead of seconds.
    """

    def forward(self, length: int = 1) -> None:
        """Move on by some characters; lines and columns are counted as in `Reader.forward`."""
        end = self.pointer + length
        if end >= len(self.buffer) or _SPECIAL.search(self.buffer, self.pointer, end):
            super().forward(length)
            return
        self.pointer = end
        self.index += length
        self.column += length

    def scan_plain(self) -> ScalarToken:
        """Read a plain scalar, as `Scanner.scan_plain` does."""
        words = _IN_FLOW if self.flow_level else _IN_BLOCK
        chunks: list[str] = []
        spaces: list[str] = []
        start_mark = end_mark = self.get_mark()
        indent = self.indent + 1
        while self.peek() != "#" and (match := words.match(self.buffer, self.pointer)) is not None:
            self.allow_simple_key = False
            chunks += [*spaces, match[0]]
            self.forward(len(match[0]))
            end_mark = self.get_mark()
            spaces = self.scan_plain_spaces(indent, start_mark) or []
            if not spaces or self.peek() == "#" or (not self.flow_level and self.column < indent):
                break
        return ScalarToken("".join(chunks), True, start_mark, end_mark)


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
    return _load_with(composed, text, read)


def _load_with(composer: Callable[[str], Composed], text: str, read: Collection[str] | None = None) -> Any:
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


def _bounded_node(text: str) -> yaml.Node | None:
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
        return _tree(_Loader(text))
    except Exception as error:
        return error.with_traceback(None)


def _tree(loader: Any) -> yaml.Node | None:
    """Return the node tree of the document that a loader reads, None for an empty one."""
    try:
        node: yaml.Node | None = loader.get_single_node()
        return node
    finally:
        loader.dispose()


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


class _BaseConstructor(BaseConstructor):
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

    Tags are ignored and nothing is a number, a date or null. Keys that are there twice, or that are not
    scalars, raise an error as the constructors of PyYAML do: `PyYamlError`, as for whatever PyYAML raises.
    Raises `BoundError` as `safe_load` does.
    """
    if is_common(text):
        with suppress(Exception):  # PyYAML refuses it, too, and says why
            return _texts_of(compose(text).root)
    node = _bounded_node(text)
    try:
        return None if node is None else _BaseConstructor().construct_document(node)
    except Exception as error:
        raise PyYamlError(error) from None


def _texts_of(node: Node | None) -> Any:
    """Return the data of a tree without tags and aliases; raises ValueError for a key that is refused."""
    if node is None:
        return None
    if isinstance(node, Scalar):
        return node.text
    if isinstance(node, Sequence):
        return [_texts_of(item) for item in node.items]
    if not isinstance(node, Mapping):
        raise ValueError(node)
    keys = [key.text if isinstance(key, Scalar) else None for key, _ in node.entries]
    if None in keys or len(set(keys)) < len(keys):
        raise ValueError(keys)
    return {key: _texts_of(value) for key, (_, value) in zip(keys, node.entries, strict=True)}


def c_safe_load(text: str, read: Collection[str] | None = None) -> Any:
    """Return the data of YAML `text`, as `yaml.load(text, yaml.CSafeLoader)` does.

    Raises `PyYamlError` and `BoundError` as `safe_load` does.
    """
    return _load_with(_c_composed, text, read)


@lru_cache(maxsize=8)
def _c_composed(text: str) -> Composed:
    """Return the node tree of YAML `text`, or the exception that reading raised.

    Nodes are counted on the events first: libyaml's wrapper recurses, and deep nesting ends the process.
    """
    try:
        _check_bounds(text)
        return _tree(_c_loader(text))
    except Exception as error:
        return error.with_traceback(None)


def _c_loader(text: str) -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)


def _check_bounds(text: str) -> None:
    """Raise `BoundError` for what composing would reach: it stops at the first error, or before it."""
    loader = _c_loader(text)
    depth = nodes = 0
    try:
        while (event := loader.get_event()) is not None:
            if isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif isinstance(event, yaml.NodeEvent):
                nodes += 1
                depth += isinstance(event, yaml.CollectionStartEvent)
            if depth > MAX_DEPTH:
                raise BoundError(f"nested more than {MAX_DEPTH} levels deep", 0)
            if nodes > MAX_NODES:
                raise BoundError(f"more than {MAX_NODES:,} nodes", 0)
    except yaml.YAMLError as error:
        if getattr(error, "problem", None) == TOO_DEEP:
            raise BoundError(f"nested more than {MAX_DEPTH} levels deep", 0) from None
    finally:
        loader.dispose()


# A dozen runtimes are asked about the same text, one after the other.
@lru_cache(maxsize=4)
def is_common(text: str) -> bool:
    """Return True only for a text that libyaml and PyYAML's own scanner read alike: most frontmatter.

    The scanner, in Python, takes ten times as long as libyaml. It differs in messages, and in corners: tabs,
    rare line ends, escapes, tags, aliases, several documents, brackets over several lines. A text that has
    none of them, line by line, gives the same nodes in both, or is refused by both.
    """
    lines = text.split("\n")
    if not is_printable(text):
        return False
    block: int | None = None  # the column of the key or dash of an open block scalar
    rest = iter(lines)
    for line in rest:
        if not line:
            continue
        if block is not None and len(line) - len(line.lstrip(" ")) > block:
            continue
        match = _COMMON_LINE.fullmatch(line)
        if match is None:
            return False
        block = None
        if match["block"] is not None:
            block = _column(match["indent"], ":" in line)
            content = next(rest, "")
            if len(content) - len(content.lstrip(" ")) <= block:
                return False
    return True


def _column(indent: str, has_key: bool) -> int:
    """Return the column of the key before a block scalar, else that of the dash before it."""
    return len(indent) if has_key else len(indent.rstrip(" -"))
