"""Comments in a skill's file that suppress findings.

`# skilltool: ignore[rule] reason` on a line of its own in the frontmatter applies to the file;
`<!-- skilltool: ignore[rule] reason -->` in the body to its line and the block after it. A malformed comment
is also returned, without rules, so that it can be reported.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from skilltool.findings.diagnostic import locate
from skilltool.rules.records import IgnoreComment
from skilltool.rules.shared.regions import Regions
from skilltool.skill.model import Skill
from skilltool.text.source import Source, Span

_MARK = "killtool:"
_LINE = re.compile(
    r"^[ \t]*(?P<all>#[ \t]*(?:skilltool:[ \t]*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>[^\r\n]*)"
    r"|[Ss]killtool:[^\r\n]*))",
    re.MULTILINE,
)
_COMMENT = re.compile(
    r"<!--\s*(?:skilltool:\s*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>.*?)-*>\Z|[Ss]killtool:)", re.DOTALL
)
_END_OF_BLOCK = re.compile(r"(?=\r?\n[ \t]*\r?\n)")  # every place where one begins, so none is consumed
_BLANKS = re.compile(r"\s*")


def ignore_comment(rule: str, reason: str, in_body: bool) -> str:
    """Return the comment that suppresses a rule, for a block in the body or for the whole file."""
    text = f"skilltool: ignore[{rule}] {reason}"
    return f"<!-- {text} -->" if in_body else f"# {text}"


def ignore_comments(skill: Skill, path: str) -> tuple[IgnoreComment, ...]:
    """Return the comments of a skill's file in their order; `path` is the file as reports print it."""
    if _MARK not in skill.source.text:
        return ()
    return (*_in_frontmatter(skill, path), *_in_body(skill, path))


def _in_frontmatter(skill: Skill, path: str) -> Iterator[IgnoreComment]:
    envelope = skill.frontmatter.envelope
    strings = Regions(node.span for _, node in skill.frontmatter.scalars)
    for found in _LINE.finditer(skill.source.text, envelope.opening.end if envelope.opening else 0):
        span = Span(*found.span("all"))
        if span.end > envelope.body.start:
            break
        if span.start not in strings:
            yield IgnoreComment(path, skill.name, *_rules_and_reason(found), locate(skill.source, span))


def _in_body(skill: Skill, path: str) -> Iterator[IgnoreComment]:
    source = skill.source
    blocks = _Blocks(skill)
    for comment in skill.markdown.comments:
        found = _COMMENT.match(source[comment.span])
        if found is None:
            continue
        end = blocks.end(comment.span.end, _is_first(source, comment.span.start))
        first, last = source.position(comment.span.start).line, source.position(end).line
        yield IgnoreComment(
            path, skill.name, *_rules_and_reason(found), locate(source, comment.span), first, last
        )


def _is_first(source: Source, at: int) -> bool:
    """Return whether only blanks are before an offset in its line."""
    blanks = _BLANKS.match(source.text, source.line_span(at).start, at)
    return blanks is not None and blanks.end() == at


class _Blocks:
    """The ends of the blocks of a body; a fenced block ends with its fence."""

    def __init__(self, skill: Skill) -> None:
        self._text = skill.source.text
        start = skill.frontmatter.envelope.body.start
        self._ends = [found.start() for found in _END_OF_BLOCK.finditer(self._text, start)]
        self._fences = [fence.span for fence in skill.markdown.fences]

    def end(self, start: int, alone: bool) -> int:
        """Return the offset at which the block at `start` ends; after a comment `alone`, the next block."""
        if alone and (blanks := _BLANKS.match(self._text, start)) is not None:
            start = blanks.end()
        fence = bisect_right(self._fences, start, key=lambda span: span.start) - 1
        if fence >= 0 and start < self._fences[fence].end:
            return self._fences[fence].end
        after = bisect_left(self._ends, start)
        return self._ends[after] if after < len(self._ends) else len(self._text)


def _rules_and_reason(found: re.Match[str]) -> tuple[tuple[str, ...], str]:
    """Return the rules and the reason of a comment; both empty if it is malformed."""
    rules = tuple(name.strip() for name in (found["rules"] or "").split(",") if name.strip())
    return rules, (found["reason"] or "").strip(" \t\r\n:-")
