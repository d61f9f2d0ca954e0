"""YAML text as a tree of nodes with spans, built from libyaml's event stream.

The tree is built from events and not by `yaml.compose`: composing recurses inside
libyaml's wrapper, which ends the process on deep nesting, follows aliases, and would be
a second pass after the one that counts. Here one loop counts, bounds and builds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from skilltool.frontmatter.scalars import Scalar as Value
from skilltool.frontmatter.scalars import core_value
from skilltool.source import Span

MAX_DEPTH = 64
MAX_NODES = 10_000


@dataclass(frozen=True, slots=True)
class Scalar:
    """A leaf.

    `text` is its content after unescaping and folding; `style` is `""` for plain, otherwise the
    character that begins it: `'`, `"`, `|` or `>`.
    """

    span: Span
    text: str
    style: str
    tag: str | None = None
    anchor: str | None = None

    @property
    def value(self) -> Value:
        """The plain data of this scalar by the YAML 1.2 core schema; a tag is not obeyed."""
        return core_value(self.text) if self.plain else self.text

    @property
    def plain(self) -> bool:
        """Whether the text alone decides its type: neither quoted, nor a block, nor tagged."""
        return not self.style and self.tag is None


@dataclass(frozen=True, slots=True)
class Sequence:
    """A list of nodes; `flow` is True for `[a, b]`."""

    span: Span
    items: tuple[Node, ...]
    flow: bool
    tag: str | None = None
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Mapping:
    """Keys and values in the order of the file, repeated keys included; `flow` is True for `{a: b}`."""

    span: Span
    entries: tuple[tuple[Node, Node], ...]
    flow: bool
    tag: str | None = None
    anchor: str | None = None


@dataclass(frozen=True, slots=True)
class Alias:
    """A `*name`, seen and not resolved."""

    span: Span
    name: str


Node = Scalar | Sequence | Mapping | Alias


class YamlError(ValueError):
    """YAML that cannot be read: `problem` says why, at offset `start`; `context` may say in what."""

    def __init__(self, problem: str, start: int, context: str | None = None) -> None:
        """Take libyaml's words, or ours for a bound, and an offset into the YAML text."""
        super().__init__(problem)
        self.problem = problem
        self.start = start
        self.context = context


class BoundError(YamlError):
    """YAML that is deeper than `MAX_DEPTH` levels or larger than `MAX_NODES` nodes."""


@dataclass(slots=True)
class _Open:
    """A collection whose end has not been seen."""

    start: int
    mapping: bool
    flow: bool
    tag: str | None
    anchor: str | None
    children: list[Node] = field(default_factory=list)

    def close(self, end: int) -> Node:
        last = self.children[-1].span.end if self.children else self.start
        span = Span(self.start, end if self.flow else max(last, self.start))
        if not self.mapping:
            return Sequence(span, tuple(self.children), self.flow, self.tag, self.anchor)
        pairs = tuple(zip(self.children[::2], self.children[1::2], strict=False))
        return Mapping(span, pairs, self.flow, self.tag, self.anchor)


@dataclass(frozen=True, slots=True)
class Document:
    """The node tree of one YAML document, and the spans of its anchors (`&name`, without the node)."""

    root: Node | None
    anchors: tuple[Span, ...]


def compose(text: str, base: int = 0, first_only: bool = False) -> Document:
    """Build the node tree of YAML `text`; spans are offsets into it plus `base`.

    With `first_only` what follows the first document is not looked at, as Go's readers do it.
    Raises `BoundError` past a bound, and `YamlError` for anything that is not one YAML document.
    """
    try:
        return _build(text, base, first_only)
    except yaml.reader.ReaderError as error:
        raise YamlError(str(error).splitlines()[0], base) from None
    except yaml.MarkedYAMLError as error:
        # A quote that is never closed fails at the end of the text, a line without a colon on the next
        # line; the place to look is where it began.
        late = (error.problem or "").endswith(("end of stream", "expected ':'"))
        mark = (error.context_mark if late else None) or error.problem_mark or error.context_mark
        start = base + min(mark.index if mark else 0, len(text))
        raise YamlError(error.problem or "not YAML", start, error.context) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError(str(error).splitlines()[0], base) from None


def _build(text: str, base: int, first_only: bool) -> Document:
    stack: list[_Open] = []
    roots: list[Node] = []
    anchors: list[Span] = []
    nodes = 0
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    for event in yaml.parse(text, Loader=loader):
        start, end = _offset(event.start_mark, base), _offset(event.end_mark, base)
        node: Node
        if isinstance(event, yaml.NodeEvent):
            nodes += 1
            if nodes > MAX_NODES:
                raise BoundError(f"more than {MAX_NODES:,} nodes", start)
            if event.anchor and not isinstance(event, yaml.AliasEvent):
                anchors.append(Span(start, start + 1 + len(event.anchor)))
        if isinstance(event, yaml.ScalarEvent):
            node = Scalar(Span(start, end), event.value, event.style or "", event.tag, event.anchor)
        elif isinstance(event, yaml.AliasEvent):
            node = Alias(Span(start, end), event.anchor or "")
        elif isinstance(event, yaml.CollectionStartEvent):
            if len(stack) >= MAX_DEPTH:
                raise BoundError(f"nested more than {MAX_DEPTH} levels deep", start)
            mapping = isinstance(event, yaml.MappingStartEvent)
            stack.append(_Open(start, mapping, bool(event.flow_style), event.tag, event.anchor))
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            node = stack.pop().close(end)
        elif isinstance(event, yaml.DocumentStartEvent) and roots:
            raise YamlError("a second YAML document begins", start)
        elif isinstance(event, yaml.DocumentEndEvent) and first_only:
            break
        else:
            continue
        (stack[-1].children if stack else roots).append(node)
    root = roots[0] if roots else None
    return Document(None if _is_nothing(root) else root, tuple(anchors))


def _is_nothing(node: Node | None) -> bool:
    return isinstance(node, Scalar) and not node.text and node.plain


def _offset(mark: Any, base: int) -> int:
    """Return a mark's place in the document; libyaml counts code points, as we do."""
    return base + int(mark.index)
