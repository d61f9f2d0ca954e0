"""Fixes of one frontmatter field: quote its value, move it under `metadata`."""

from __future__ import annotations

import re

from skilltool.findings.finding import Edit, Fix
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.frontmatter.nodes import Mapping, Node
from skilltool.text.frontmatter.scalars import quoted
from skilltool.text.source import Span

_LINE_END = re.compile(r"\r\n|\n|\r")


def quoting_fix(node: Node | None) -> Fix | None:
    """Return the fix that quotes an unquoted scalar on one line, text unchanged; None for null and any other node."""
    if not isinstance(node, Scalar) or not node.plain or node.value is None or "\n" in node.text:
        return None
    return Fix(safe=True, edits=(Edit(node.span.start, node.span.end, quoted(node.text)),))


def moving_fix(skill: Skill, key: str) -> Fix | None:
    """Return the unsafe fix that moves a top-level field into `metadata`, creating that if needed.

    None if the value is not a scalar on one line, if `metadata` is written in braces, or if it already
    has the key.
    """
    root = skill.frontmatter.root
    entry = root.entry(key) if root else None
    lines = _lines(skill, entry) if entry else None
    if root is None or entry is None or lines is None:
        return None
    value = entry[1]
    metadata = root.entry("metadata")
    target = metadata[1] if metadata else None
    newline = "\r\n" if skill.source.newline == "\r\n" else "\n"
    written = skill.source[value.span] if _is_text(value) else quoted(skill.source[value.span])
    name = skill.source[entry[0].span]
    if metadata is None:
        at = skill.frontmatter.envelope.block.end
        text = f"metadata:{newline}  {name}: {written}{newline}"
    elif isinstance(target, Mapping) and not target.flow and target.entries and not target.entry(key):
        last = target.entries[-1][1].span.end
        line = skill.source.line_span(max(last - 1, 0))
        end = _LINE_END.match(skill.source.text, line.end)
        first = target.entries[0][0].span.start
        indent = skill.source[Span(skill.source.line_span(first).start, first)]
        at = end.end() if end else line.end
        text = f"{indent}{name}: {written}{newline}"
    else:
        return None
    if lines.start <= at < lines.end or _has_odd_indent(text):
        return None
    return Fix(safe=False, edits=tuple(sorted((Edit(lines.start, lines.end, ""), Edit(at, at, text)))))


def _has_odd_indent(text: str) -> bool:
    """Return whether the new line would start with anything but spaces and a key, such as `- key`."""
    return re.match(r"(?:metadata:\r?\n)? +[^\s-]", text) is None


def _lines(skill: Skill, entry: tuple[Node, Node]) -> Span | None:
    """Return the span of an entry's line, line ending included; None unless key and value are alone on one line."""
    key, value = entry
    if not isinstance(key, Scalar) or not isinstance(value, Scalar) or value.tag or value.anchor:
        return None
    if value.style in ("|", ">") or "\n" in skill.source[value.span] or not value.text:
        return None
    line = skill.source.line_span(key.span.start)
    if line.start != key.span.start or skill.source.text[value.span.end : line.end].strip():
        return None
    end = _LINE_END.match(skill.source.text, line.end)
    return Span(line.start, end.end() if end else line.end)


def _is_text(value: Node) -> bool:
    return isinstance(value, Scalar) and isinstance(value.value, str)
