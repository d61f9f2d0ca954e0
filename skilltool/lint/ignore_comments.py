"""Which comments in the files of a skill suppress findings?

`# skilltool: ignore[rule] reason` on a line of its own in the frontmatter applies to the file;
`<!-- skilltool: ignore[rule] reason -->` in the body, or in another page, to its line and the block after it;
`# skilltool: ignore[rule] reason` in a script, or after another mark of a comment, to its line and the next
that is not such a comment. A malformed comment is also returned, without rules, so that it can be reported.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from skilltool.findings.diagnostic import locate
from skilltool.findings.secrets import without_secrets
from skilltool.rules.records import IgnoreComment
from skilltool.rules.shared.regions import Regions
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source, Span

_MARK = "killtool:"
_LINE = lazy_pattern(
    r"^[ \t]*(?P<all>#[ \t]*(?:skilltool:[ \t]*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>[^\r\n]*)"
    r"|[Ss]killtool:[^\r\n]*))",
    re.MULTILINE,
)
# In a script: on a line of its own, after a mark that begins a comment in some language.
_SCRIPT = lazy_pattern(
    r"^[ \t]*(?P<all>(?:#|//|--|;|<!--|/\*)[ \t]*"
    r"(?:skilltool:[ \t]*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>[^\r\n]*)"
    r"|[Ss]killtool:[^\r\n]*))",
    re.MULTILINE,
)
_COMMENT = lazy_pattern(
    r"<!--\s*(?:skilltool:\s*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>.*?)-*>\Z|[Ss]killtool:)", re.DOTALL
)
_END_OF_BLOCK = lazy_pattern(r"(?=\r?\n[ \t]*\r?\n)")  # every place where one begins, so none is consumed
_BLANKS = lazy_pattern(r"\s*")


def ignore_comment(rule: str, reason: str, in_body: bool) -> str:
    """Return the comment that suppresses a rule, for a block in the body or for the whole file."""
    text = f"skilltool: ignore[{rule}] {reason}"
    return f"<!-- {text} -->" if in_body else f"# {text}"


def ignore_comments(skill: Skill, path: str) -> tuple[IgnoreComment, ...]:
    """Return the comments of a skill's files in their order; `path` is its own file as reports print it."""
    found: list[IgnoreComment] = []
    directory = path.removesuffix(skill.file_name)
    if _MARK in skill.source.text:
        found += _in_frontmatter(skill, _Where(skill.text, path, skill.name))
    for text in skill.texts:
        found += comments_of(text, directory + text.file if text.file else path, skill.name)
    return tuple(found)


def comments_of(text: Text, path: str, skill: str) -> tuple[IgnoreComment, ...]:
    """Return the comments of a text file, but for those in the frontmatter, of the skill with this name."""
    if _MARK not in text.source.text:
        return ()
    where = _Where(text, path, skill)
    return tuple(_in_body(where) if text.is_page else _in_lines(where))


class _Where(NamedTuple):
    """A text file, its path as reports print it, and the name of the skill."""

    text: Text
    path: str
    skill: str

    def comment(self, match: re.Match[str], span: Span, *lines: int) -> IgnoreComment:
        """Return the comment that was found, which covers `lines`, the first and the last; default: all."""
        rules, reason = _rules_and_reason(match)
        first, last = lines or (1, None)
        location = locate(self.text.source, span)
        return IgnoreComment(self.path, self.skill, rules, reason, location, first, last, self.text.file)


def _in_frontmatter(skill: Skill, where: _Where) -> Iterator[IgnoreComment]:
    envelope = skill.frontmatter.envelope
    strings = Regions(node.span for _, node in skill.frontmatter.scalars)
    for match in _LINE.finditer(skill.source.text, envelope.opening.end if envelope.opening else 0):
        span = Span(*match.span("all"))
        if span.end > envelope.body.start:
            break
        if span.start not in strings:
            yield where.comment(match, span)


def _in_lines(where: _Where) -> Iterator[IgnoreComment]:
    """Yield the comments of a script; those on lines one after the other cover the same line, after them."""
    source = where.text.source
    comments = [(found, source.position(found.start("all")).line) for found in _SCRIPT.finditer(source.text)]
    covered: dict[int, int] = {}
    for _, line in reversed(comments):
        covered[line] = covered.get(line + 1, line + 1)
    for match, line in comments:
        yield where.comment(match, Span(*match.span("all")), line, covered[line])


def _in_body(where: _Where) -> Iterator[IgnoreComment]:
    source = where.text.source
    blocks = _Blocks(where.text)
    for comment in where.text.markdown.comments:
        match = _COMMENT.match(source[comment.span])
        if match is None:
            continue
        end = blocks.end(comment.span.end, _is_first(source, comment.span.start))
        first, last = source.position(comment.span.start).line, source.position(end).line
        yield where.comment(match, comment.span, first, last)


def _is_first(source: Source, at: int) -> bool:
    """Return whether only spaces are before an offset in its line."""
    blanks = _BLANKS.match(source.text, source.line_span(at).start, at)
    return blanks is not None and blanks.end() == at


class _Blocks:
    """The ends of the blocks of a body; a fenced block ends with its fence."""

    def __init__(self, text: Text) -> None:
        self._text = text.source.text
        start = text.body_span.start
        self._ends = [match.start() for match in _END_OF_BLOCK.finditer(self._text, start)]
        self._fences = [fence.span for fence in text.markdown.fences]

    def end(self, start: int, alone: bool) -> int:
        """Return the offset at which the block at `start` ends; after a comment `alone`, the next block."""
        if alone and (blanks := _BLANKS.match(self._text, start)) is not None:
            start = blanks.end()
        fence = bisect_right(self._fences, start, key=lambda span: span.start) - 1
        if fence >= 0 and start < self._fences[fence].end:
            return self._fences[fence].end
        after = bisect_left(self._ends, start)
        return self._ends[after] if after < len(self._ends) else len(self._text)


def _rules_and_reason(match: re.Match[str]) -> tuple[tuple[str, ...], str]:
    """Return the rules and the reason of a comment; both empty if it is malformed."""
    rules = tuple(name.strip() for name in without_secrets(match["rules"] or "").split(",") if name.strip())
    reason = without_secrets(match["reason"] or "")
    return rules, reason.strip(" \t\r\n:-").removesuffix("-->").removesuffix("*/").rstrip()
