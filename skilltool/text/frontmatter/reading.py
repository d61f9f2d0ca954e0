"""Models the frontmatter of one document for the rest of skilltool."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from skilltool.text.frontmatter.composing import is_printable, read_plain_lines
from skilltool.text.frontmatter.envelope import Envelope, split
from skilltool.text.frontmatter.nodes import (
    Alias,
    BoundError,
    Mapping,
    Node,
    Plain,
    Scalar,
    Sequence,
    YamlError,
    mapping,
)
from skilltool.text.source import Source, Span

Path = tuple[str | int, ...]
ProblemKind = Literal[
    "missing",
    "unclosed",
    "control-character",
    "invalid",
    "not-a-mapping",
    "out-of-bounds",
    "duplicate-key",
    "odd-key",
    "merge-key",
    "tag",
    "anchor",
    "alias",
]


class Problem(NamedTuple):
    """A defect of the block: its kind, its span in the file, and the text there.

    `text` is the character, key, tag or name concerned; for `invalid` and `out-of-bounds` it is the message
    of the YAML parser. `earlier` is the first occurrence of a duplicate key.
    """

    kind: ProblemKind
    span: Span
    text: str = ""
    earlier: Span | None = None


class Frontmatter:
    """The frontmatter of one document.

    `data` is the block as JSON-like data by the YAML 1.2 core schema (dates stay strings, aliases are not
    followed), or None if it could not be read. `problems` has the reason, and everything that YAML parsers
    may disagree about. All spans are offsets into the document. `is_plain` is True only for a block of
    `key: value` lines that all parsers of YAML read alike.
    """

    def __init__(
        self,
        envelope: Envelope,
        root: Mapping | None,
        data: dict[str, Plain] | None,
        problems: tuple[Problem, ...],
        is_plain: bool = False,
    ) -> None:
        """Take the parts of the document, the block as nodes and as data, and its problems."""
        self.envelope = envelope
        self.root = root
        self.data = data
        self.problems = problems
        self.is_plain = is_plain

    @property
    def opening(self) -> Span:
        """The span of the opening marker, or the start of the document if there is none."""
        return self.envelope.opening or Span(0, 0)

    def span(self, *path: str | int, key: bool = False) -> Span:
        """Return the span of the value at `path` (keys and list indexes), or with `key` of its key.

        If the path does not exist, return the span of the deepest part of it that does; for the empty path,
        that of the opening marker.
        """
        span = self.opening
        node: Node | None = self.root
        for depth, step in enumerate(path):
            found = _child(node, step)
            if found is None:
                break
            key_node, node = found
            last = depth == len(path) - 1
            span = key_node.span if key_node and last and key else node.span
        return span

    def node(self, *path: str | int) -> Node | None:
        """Return the node of the value at `path`, or None; the last one for duplicate keys."""
        node: Node | None = self.root
        for step in path:
            found = _child(node, step)
            if found is None:
                return None
            node = found[1]
        return node

    def text(self, *path: str | int) -> str | None:
        """Return the value at `path` if it is a string in YAML 1.2, otherwise None."""
        node = self.node(*path)
        return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None

    @cached_property
    def scalars(self) -> tuple[tuple[Path, Scalar], ...]:
        """Every scalar value with its path, in the order of the file."""
        return tuple(_scalars(self.root, ())) if self.root is not None else ()


def _child(node: Node | None, step: str | int) -> tuple[Node | None, Node] | None:
    """Return the key node (None in a list) and value node of one step down."""
    if isinstance(node, Mapping):
        return node.entry(step) if isinstance(step, str) else None
    if isinstance(node, Sequence) and isinstance(step, int) and 0 <= step < len(node.items):
        return None, node.items[step]
    return None


def _scalars(node: Node, path: Path) -> Iterator[tuple[Path, Scalar]]:
    if isinstance(node, Scalar):
        yield path, node
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            yield from _scalars(value, (*path, key.text if isinstance(key, Scalar) else ""))
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from _scalars(item, (*path, index))


# Characters that YAML forbids anywhere in the block (YAML 1.2.2, production c-printable): none that Unicode
# prints. Compiled on first use, as it takes as long as importing ten modules.
_UNPRINTABLE = "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"


def read(source: Source) -> Frontmatter:
    """Read the frontmatter of a document. Never raises: errors are in `problems`."""
    envelope = split(source.text)
    if envelope.opening is None:
        return Frontmatter(envelope, None, None, (Problem("missing", Span(0, 0)),))
    if envelope.closing is None:
        return Frontmatter(envelope, None, None, (Problem("unclosed", envelope.opening),))
    block = envelope.block
    root = read_plain_lines(source[block], block.start)
    if root is not None:
        return Frontmatter(envelope, root, mapping(root), tuple(_oddities(root)), is_plain=True)
    if problems := tuple(_unprintable(source, block)):
        return Frontmatter(envelope, None, None, problems)
    return _read_by_library(source, envelope)


def _unprintable(source: Source, block: Span) -> Iterator[Problem]:
    if not is_printable(source[block].replace("\t", "").replace("\r", "")):
        for match in re.compile(_UNPRINTABLE).finditer(source.text, block.start, block.end):
            yield Problem("control-character", Span(*match.span()), match[0])


def _read_by_library(source: Source, envelope: Envelope) -> Frontmatter:
    import frontmatter as library

    from skilltool.text.frontmatter.handler import SpanHandler

    handler = SpanHandler(source.text, envelope)
    try:
        library.parse("", handler=handler)
    except YamlError as error:
        kind: ProblemKind = "out-of-bounds" if isinstance(error, BoundError) else "invalid"
        span = Span(error.start, min(error.start + 1, envelope.block.end))
        return Frontmatter(envelope, None, None, (Problem(kind, span, error.problem),))
    root = handler.document.root
    if root is not None and not isinstance(root, Mapping):
        return Frontmatter(envelope, None, None, (Problem("not-a-mapping", root.span, _kind(root)),))
    problems = [Problem("tag", span, source[span]) for span in handler.document.tags]
    problems += [Problem("anchor", span, source[span]) for span in handler.document.anchors]
    problems += _oddities(root)
    problems.sort(key=lambda problem: problem.span)
    return Frontmatter(envelope, root, handler.data, tuple(problems))


def _oddities(node: Node | None) -> Iterator[Problem]:
    """Yield duplicate keys, merge keys, keys that are not scalars, and aliases."""
    if isinstance(node, Alias):
        yield Problem("alias", node.span, f"*{node.name}")
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _oddities(item)
    elif isinstance(node, Mapping):
        seen: dict[str, Span] = {}
        for key, value in node.entries:
            yield from _key_oddities(key, seen)
            yield from _oddities(value)


def _key_oddities(key: Node, seen: dict[str, Span]) -> Iterator[Problem]:
    if not isinstance(key, Scalar):
        yield Problem("odd-key", key.span, _kind(key))
        return
    if key.text == "<<" and key.plain:
        yield Problem("merge-key", key.span, key.text)
    elif key.text in seen:
        yield Problem("duplicate-key", key.span, key.text, seen[key.text])
    seen.setdefault(key.text, key.span)


def _kind(node: Node) -> str:
    names = {Scalar: "one value", Sequence: "a list", Mapping: "a mapping", Alias: "an alias"}
    return names[type(node)]
