"""Where YAML ends an unquoted value at ` #`, and whether the author meant a comment."""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool import runtimes
from skilltool.runtimes.values import LoadedSkill
from skilltool.skill.model import Skill
from skilltool.text.frontmatter import Scalar
from skilltool.text.frontmatter.nodes import Node
from skilltool.text.source import Span

# What YAML takes for a comment after a value without quotes. After two blanks or a tab and before one, as in
# `key: value  # why`, the author means a comment, too.
_COMMENT = re.compile(r"[ \t]+(#[^\r\n]*)")
_MEANT = re.compile(r"(?: {2,}| *\t[ \t]*)#[ \t]")
# So does an author who ends sentences, in `Fills in forms. # shorten this`: more description would end, too.
_ENDED = re.compile(r"[.!?\u3002][\"'`)\]*_\u201d\u2019]*\Z")
_NOTE = re.compile(r"#[ \t]+\S")


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
    return tuple(each for each in names if _description(skill, each) == words)


def _is_note(value: str, comment: str) -> bool:
    """Return whether the text before a `#` ends a sentence and the text after it, after a blank, does not."""
    return bool(_ENDED.search(value) and _NOTE.match(comment)) and not _ENDED.search(comment)


def _description(skill: Skill, name: str) -> list[str] | None:
    """Return the words of the description that the runtime `name` loads, None if it does not load the skill."""
    load = runtimes.get(name).load
    loaded = skill.ask(load) if load is not None else None
    return loaded.description.split() if isinstance(loaded, LoadedSkill) else None
