"""Defines the nodes of a YAML tree, each with its span."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

from skilltool.text.frontmatter.scalars import ScalarValue, core_value
from skilltool.text.source import Span

MAX_DEPTH = 64
MAX_NODES = 10_000


class Scalar(NamedTuple):
    """A scalar.

    `text` is its content after unescaping and folding. `style` is `""` for a plain scalar, otherwise its
    first character: `'`, `"`, `|` or `>`.
    """

    span: Span
    text: str
    style: str
    tag: str | None = None
    anchor: str | None = None

    @property
    def value(self) -> ScalarValue:
        """The value by the YAML 1.2 core schema; tags are ignored."""
        return core_value(self.text) if self.plain else self.text

    @property
    def plain(self) -> bool:
        """Whether the text alone decides the type: not quoted, not a block scalar, not tagged."""
        return not self.style and self.tag is None


class Sequence(NamedTuple):
    """A list of nodes; `flow` is True for `[a, b]`."""

    span: Span
    items: tuple[Node, ...]
    flow: bool
    tag: str | None = None
    anchor: str | None = None


class Mapping:
    """Keys and values in the order of the file, including duplicate keys; `flow` is True for `{a: b}`."""

    def __init__(
        self,
        span: Span,
        entries: tuple[tuple[Node, Node], ...],
        flow: bool,
        tag: str | None = None,
        anchor: str | None = None,
    ) -> None:
        """Take the span, the pairs of key and value, the style, and the tag and anchor before the mapping."""
        self.span = span
        self.entries = entries
        self.flow = flow
        self.tag = tag
        self.anchor = anchor

    def entry(self, key: str) -> tuple[Node, Node] | None:
        """Return the key node and the value node of `key`, the last ones if it is duplicated."""
        return self._last.get(key)

    @cached_property
    def _last(self) -> dict[str, tuple[Node, Node]]:
        return {key.text: (key, value) for key, value in self.entries if isinstance(key, Scalar)}


class Alias(NamedTuple):
    """An alias, `*name`, which is not resolved."""

    span: Span
    name: str


Node = Scalar | Sequence | Mapping | Alias


def leaves(node: Node) -> Iterator[Scalar | Alias]:
    """Yield the scalars and aliases of a node, in their order."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from leaves(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from leaves(key)
            yield from leaves(value)
    else:
        yield node


class YamlError(ValueError):
    """Invalid YAML: `problem` is the reason, `start` its offset, `context` what was being parsed, if known.

    `go_line` is the line that Go's ports of libyaml report (1-based, 0 for none): that of the context, else
    that of the problem. In errors of their parser, as opposed to their scanner, lines are counted from 0.
    """

    def __init__(self, problem: str, start: int, context: str | None = None, go_line: int = 0) -> None:
        """Take the message of libyaml, or ours for an exceeded limit, and an offset."""
        super().__init__(problem)
        self.problem = problem
        self.start = start
        self.context = context
        self.go_line = go_line


TOO_DEEP = "exceeded maximum nesting depth"  # what libyaml says of 1,000 levels, from 0.2.6 (PyYAML 6.0.4)


class BoundError(YamlError):
    """YAML that is deeper than `MAX_DEPTH` levels or larger than `MAX_NODES` nodes."""


class Document(NamedTuple):
    """The node tree of one YAML document, the spans of its tags and anchors, the offset of its end."""

    root: Node | None
    tags: tuple[Span, ...] = ()
    anchors: tuple[Span, ...] = ()
    end: int = 0


Plain = ScalarValue | list["Plain"] | dict[str, "Plain"]


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
