"""Fixes of one frontmatter field: quote its value, move it under `metadata`.

Source: YAML 1.2.2, sections 6.6 (comments) and 8.1.1 (the header of a block scalar).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from skilltool import runtimes
from skilltool.findings.finding import Edit, Fix
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.frontmatter.nodes import Mapping, Node, leaves
from skilltool.text.frontmatter.scalars import quoted
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

_LINE_END = lazy_pattern(r"\r\n|\n|\r")


def quoting_fix(node: Node | None) -> Fix | None:
    """Return the fix that quotes an unquoted scalar on one line, text unchanged; None for null and any other node."""
    if not isinstance(node, Scalar) or not node.plain or node.value is None or "\n" in node.text:
        return None
    return Fix(safe=True, edits=(Edit(node.span.start, node.span.end, quoted(node.text)),))


def moving_fix(skill: Skill, key: str) -> Fix | None:
    """Return the unsafe fix that moves a top-level field into `metadata`, creating that if needed.

    None if the value is not a scalar on one line, if `metadata` is written in braces, or if it already
    has the key. None, too, where the project may read the field: another skill beside this one has it, or a
    script of the skill or a program of the repository that reads skills names it.
    """
    root = skill.frontmatter.root
    entry = root.entry(key) if root else None
    lines = _lines(skill, entry) if entry else None
    if root is None or entry is None or lines is None or _may_be_read(skill, key):
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


def _may_be_read(skill: Skill, key: str) -> bool:
    field = re.compile(rf"^{re.escape(key)}[ \t]*:", re.MULTILINE)
    shared = any(key in text and field.search(text) for _name, text in skill.surroundings.beside())
    named = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
    return (
        shared
        or any(not text.is_page and key in text.source.text for text in skill.texts)
        or any(key in text and named.search(text) for text in skill.surroundings.programs())
    )


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


# What YAML takes for a comment after a value without quotes. After two spaces or a tab and before one, as in
# `key: value  # why`, the author means a comment, too.
_COMMENT = lazy_pattern(r"[ \t]+(#[^\r\n]*)")
_MEANT = lazy_pattern(r"(?: {2,}| *\t[ \t]*)#[ \t]")
# So does an author who ends sentences, in `Fills in forms. # shorten this`: more description would end, too.
_ENDED = lazy_pattern(r"[.!?\u3002][\"'`)\]*_\u201d\u2019]*\Z")
_NOTE = lazy_pattern(r"#[ \t]+\S")


class Written(NamedTuple):
    """A value as YAML reads it, and the text after it on the line that YAML takes for a comment."""

    value: str
    cut: str = ""
    span: Span = Span(0, 0)


def written(skill: Skill, node: Node | None) -> Written | None:
    """Return what the author wrote as a value, None if YAML reads no string and no null."""
    if not isinstance(node, Scalar) or not (node.value is None or isinstance(node.value, str)):
        return None
    value, text = node.value or "", skill.source.text
    end = node.span.start + len(skill.source[node.span].rstrip())
    comment = _COMMENT.match(text, end) if node.plain else None
    if comment is None or _MEANT.match(text, end) or _is_note(value, comment[1].rstrip()):
        return Written(value)
    return Written(value, comment[1].rstrip(), Span(comment.start(1), comment.end(1)))


def cutting(skill: Skill, description: Written, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of the runtimes that load the skill with a description without what YAML cuts."""
    if not description.cut:
        return ()
    words = description.value.split()
    return tuple(name for name in names if _description(skill, name) == words)


def _is_note(value: str, comment: str) -> bool:
    """Return whether the text before a `#` ends a sentence and the text after it, after a space, does not."""
    return bool(_ENDED.search(value) and _NOTE.match(comment)) and not _ENDED.search(comment)


def _description(skill: Skill, name: str) -> list[str] | None:
    """Return the words of the description that the runtime `name` loads, None if it does not load the skill."""
    load = runtimes.get(name).load
    loaded = skill.ask(load) if load is not None else None
    return loaded.description.split() if isinstance(loaded, LoadedSkill) else None


_BLOCK = lazy_pattern(r"[|>][^\n]*\n")
_HALF = lazy_pattern(r"&(?:[lg]t?)?\Z")  # of what stands for `<` or `>`
_SEPARATOR = " - "  # between two fields in a listing


def span_of_rest(skill: Skill, fields: Sequence[str], shown: str) -> Span:
    """Return the part of the fields' values that follows the text `shown`, compared without spaces.

    The value of the first field, as a whole, where escapes hide which part that is.
    """
    whole = shown[: -len(half[0])] if (half := _HALF.search(shown)) else shown
    wanted = _printed(whole.replace("&lt;", "<").replace("&gt;", ">"))
    for number, field in enumerate(fields):
        span = skill.frontmatter.span(field)
        separator = _printed(_SEPARATOR) if number else ""
        if not wanted.startswith(separator):
            break
        wanted = wanted[len(separator) :]
        written = list(_positions(skill, span))
        text = "".join(skill.source.text[at] for at in written)
        if text.startswith(wanted) and len(wanted) < len(text):
            return Span(written[len(wanted)], span.end)
        if not wanted.startswith(text):
            break
        wanted = wanted[len(text) :]
    return skill.frontmatter.span(fields[0]) if fields else skill.frontmatter.opening


def _positions(skill: Skill, span: Span) -> Iterator[int]:
    """Yield the offsets of a value's characters that are not blank, without quotes or the head of a block."""
    text, start, end = skill.source.text, span.start, span.end
    if head := _BLOCK.match(text, start, end):
        start = head.end()
    elif text[start] in "\"'" and text[end - 1] == text[start]:
        start, end = start + 1, end - 1
    return (at for at in range(start, end) if not text[at].isspace())


def _printed(text: str) -> str:
    return "".join(text.split())


_COMMENTED_HEADER = lazy_pattern(r"[|>][-+0-9]*[ \t]+#")


def holds_comment(text: str, node: Node, start: int | None = None) -> bool:
    """Return whether there is a comment in a node of the document `text`, or between `start` and the node."""
    at = node.span.start if start is None else start
    for leaf in leaves(node):
        if "#" in text[at : leaf.span.start] or _COMMENTED_HEADER.match(text, leaf.span.start):
            return True
        at = leaf.span.end
    return "#" in text[at : node.span.end]
