"""Builds a node tree from YAML text, from the event stream of libyaml.

`yaml.compose` is not used: it recurses inside libyaml's wrapper, which crashes the process on deep nesting,
it follows aliases, and it would be a second pass after the one that counts nodes. Here, one loop counts,
enforces the limits and builds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
)

from skilltool.text.frontmatter.nodes import (
    MAX_DEPTH,
    MAX_NODES,
    TOO_DEEP,
    Alias,
    BoundError,
    Document,
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlError,
)
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_TAG = lazy_pattern(r"!<[^>\s]*>|![^\s,\[\]{}]*")
_BETWEEN = lazy_pattern(r"(?:\s|#[^\r\n]*)*")


class _Open:
    """A collection whose end event has not arrived yet."""

    def __init__(self, start: int, mapping: bool, flow: bool, tag: str | None, anchor: str | None) -> None:
        self.start = start
        self.mapping = mapping
        self.flow = flow
        self.tag = tag
        self.anchor = anchor
        self.children: list[Node] = []

    def close(self, mark: Span) -> Node:
        """Return the finished node; `mark` is the span of its closing bracket, empty if it has none."""
        last = self.children[-1].span.end if self.children else self.start
        bracket = self.flow and mark.end > mark.start
        span = Span(self.start, mark.end if bracket else max(last, self.start))
        if not self.mapping:
            return Sequence(span, tuple(self.children), self.flow, self.tag, self.anchor)
        pairs = tuple(zip(self.children[::2], self.children[1::2], strict=False))
        return Mapping(span, pairs, self.flow, self.tag, self.anchor)


def compose_by_libyaml(
    text: str, base: int = 0, first_only: bool = False, max_depth: int = MAX_DEPTH
) -> Document:
    """Do what `composing.compose` does, for any text by libyaml."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    dropped = int(loader is not yaml.SafeLoader and text.startswith("\ufeff"))  # libyaml drops the mark
    builder = _Builder(text[dropped:], base + dropped, max_depth)
    try:
        return _build(builder, _events(loader(text)), first_only)
    except yaml.reader.ReaderError as error:
        raise YamlError(str(error).splitlines()[0], base) from None
    except yaml.MarkedYAMLError as error:
        # An unclosed quote fails at the end of the text, a line without a colon on the next line. Report
        # where they start.
        late = (error.problem or "").endswith(("end of stream", "expected ':'"))
        mark = (error.context_mark if late else None) or error.problem_mark or error.context_mark
        start = builder.base + min(mark.index if mark else 0, len(builder.text))
        if error.problem == TOO_DEEP:
            raise BoundError(f"nested more than {max_depth} levels deep", start) from None
        lines = [mark.line for mark in (error.context_mark, error.problem_mark) if mark and mark.line]
        go_line = lines[0] + isinstance(error, yaml.scanner.ScannerError) if lines else 0
        raise YamlError(error.problem or "not YAML", start, error.context, go_line) from None
    except UnicodeDecodeError:  # by the wrapper of libyaml, which passes the escapes of a tag on as bytes
        raise BoundError("a tag that is not UTF-8", base) from None
    except (yaml.YAMLError, UnicodeError) as error:
        raise YamlError(str(error).splitlines()[0], base) from None


def _events(loader: Any) -> Iterator[Any]:
    """Yield the events of a document as `yaml.parse` does, with one call of the loader per event."""
    try:
        while (event := loader.get_event()) is not None:
            yield event
    finally:
        loader.dispose()


def _build(builder: _Builder, events: Iterable[Any], first_only: bool) -> Document:
    end = len(builder.text)
    for event in events:
        builder.take(event)
        if first_only and isinstance(event, DocumentEndEvent):
            end = event.start_mark.index if event.start_mark else end
            break
    root = builder.roots[0] if builder.roots else None
    root = None if _is_empty(root) else root
    return Document(root, tuple(builder.tags), tuple(builder.anchors), end + builder.base)


class _Builder:
    """Builds nodes from events; `base` is the offset of the YAML `text` in its document."""

    def __init__(self, text: str, base: int, max_depth: int) -> None:
        self.text = text
        self.base = base
        self.max_depth = max_depth
        self.nodes = 0
        self.stack: list[_Open] = []
        self.roots: list[Node] = []
        self.tags: list[Span] = []
        self.anchors: list[Span] = []

    def take(self, event: Any) -> None:
        """Process one event; raises `BoundError` if a limit is exceeded, `YamlError` at a second document."""
        # libyaml counts code points, as all our offsets do.
        span = Span(event.start_mark.index + self.base, event.end_mark.index + self.base)
        if isinstance(event, ScalarEvent):  # most are
            self._count(span)
            tag, anchor = event.tag, event.anchor
            if tag is not None or anchor is not None:
                self._note_properties(event)
            self._add(Scalar(span, event.value, event.style or "", tag, anchor))
        elif isinstance(event, CollectionEndEvent):
            self._add(self.stack.pop().close(span))
        elif isinstance(event, CollectionStartEvent):
            self._count(span)
            if len(self.stack) >= self.max_depth:
                raise BoundError(f"nested more than {self.max_depth} levels deep", span.start)
            self._note_properties(event)
            mapping = isinstance(event, MappingStartEvent)
            self.stack.append(_Open(span.start, mapping, bool(event.flow_style), event.tag, event.anchor))
        elif isinstance(event, AliasEvent):
            self._count(span)
            self._add(Alias(span, event.anchor or ""))
        elif isinstance(event, DocumentStartEvent) and self.roots:
            raise YamlError("a second YAML document begins", span.start)

    def _add(self, node: Node) -> None:
        (self.stack[-1].children if self.stack else self.roots).append(node)

    def _count(self, span: Span) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise BoundError(f"more than {MAX_NODES:,} nodes", span.start)

    def _note_properties(self, event: Any) -> None:
        """Record the spans of the tag and the anchor, which precede a node in either order."""
        at = event.start_mark.index
        for _ in range((event.tag is not None) + (event.anchor is not None)):
            if tag := _TAG.match(self.text, at):
                self.tags.append(Span(*tag.span()).shifted(self.base))
                at = tag.end()
            else:
                end = at + 1 + len(event.anchor or "")
                self.anchors.append(Span(at, end).shifted(self.base))
                at = end
            between = _BETWEEN.match(self.text, at)
            at = between.end() if between else at


def _is_empty(node: Node | None) -> bool:
    return isinstance(node, Scalar) and not node.text and node.plain
