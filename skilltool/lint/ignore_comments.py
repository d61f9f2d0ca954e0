"""Comments in a skill's file that suppress findings.

`# skilltool: ignore[rule] reason` on a line of its own in the frontmatter applies to the file;
`<!-- skilltool: ignore[rule] reason -->` in the body to its line and the block after it. A malformed comment
is also returned, without rules, so that it can be reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.diagnostic import locate
from skilltool.rules.records import IgnoreComment
from skilltool.skill.model import Skill
from skilltool.text.source import Span

_MARK = "killtool:"
_LINE = re.compile(
    r"^[ \t]*(?P<all>#[ \t]*(?:skilltool:[ \t]*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>[^\r\n]*)"
    r"|[Ss]killtool:[^\r\n]*))",
    re.MULTILINE,
)
_COMMENT = re.compile(
    r"<!--\s*(?:skilltool:\s*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>.*?)-*>\Z|[Ss]killtool:)", re.DOTALL
)
_END_OF_BLOCK = re.compile(r"\r?\n[ \t]*\r?\n|\Z")


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
    strings = [node.span for _, node in skill.frontmatter.scalars]
    for found in _LINE.finditer(skill.source.text, envelope.opening.end if envelope.opening else 0):
        span = Span(*found.span("all"))
        if span.end > envelope.body.start:
            break
        if not any(string.start <= span.start < string.end for string in strings):
            yield IgnoreComment(path, skill.name, *_rules_and_reason(found), locate(skill.source, span))


def _in_body(skill: Skill, path: str) -> Iterator[IgnoreComment]:
    source = skill.source
    for comment in skill.markdown.comments:
        found = _COMMENT.match(source[comment.span])
        if found is None:
            continue
        alone = not source.text[source.line_span(comment.span.start).start : comment.span.start].strip()
        end = _block_end(skill, comment.span.end, alone)
        first, last = source.position(comment.span.start).line, source.position(end).line
        yield IgnoreComment(
            path, skill.name, *_rules_and_reason(found), locate(source, comment.span), first, last
        )


def _block_end(skill: Skill, start: int, alone: bool) -> int:
    """Return the offset at which the block of a comment ends; a fenced block ends with its fence."""
    text = skill.source.text
    if alone:
        start += len(text[start:]) - len(text[start:].lstrip())
    fence = next((f for f in skill.markdown.fences if f.span.start <= start < f.span.end), None)
    if fence is not None:
        return fence.span.end
    end = _END_OF_BLOCK.search(text, start)
    return end.start() if end else len(text)


def _rules_and_reason(found: re.Match[str]) -> tuple[tuple[str, ...], str]:
    """Return the rules and the reason of a comment; both empty if it is malformed."""
    rules = tuple(name.strip() for name in (found["rules"] or "").split(",") if name.strip())
    return rules, (found["reason"] or "").strip(" \t\r\n:-")
