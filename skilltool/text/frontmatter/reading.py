"""Reads the frontmatter of a source, and lists everything that YAML parsers may disagree about."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.text.frontmatter import plain_lines
from skilltool.text.frontmatter.envelope import Envelope, split
from skilltool.text.frontmatter.model import Frontmatter, Problem, ProblemKind
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.frontmatter.plain_data import mapping
from skilltool.text.source import Source, Span

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
    root = plain_lines.read(source[block], block.start)
    if root is not None:
        return Frontmatter(envelope, root, mapping(root), tuple(_oddities(root)))
    if problems := tuple(_unprintable(source, block)):
        return Frontmatter(envelope, None, None, problems)
    return _read_by_library(source, envelope)


def _unprintable(source: Source, block: Span) -> Iterator[Problem]:
    if not plain_lines.is_printable(source[block].replace("\t", "").replace("\r", "")):
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
