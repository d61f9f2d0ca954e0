"""The edit that inserts a comment which suppresses one finding."""

from __future__ import annotations

import re
from collections.abc import Iterator

from skilltool.findings.diagnostic import Diagnostic, locate
from skilltool.findings.finding import Edit, applied
from skilltool.lint.suppress import RULE, comments_of, ignore_comment, ignore_comments
from skilltool.runtimes.edit_effects import Reading, readings_by_runtime
from skilltool.server.analysis import Analysis
from skilltool.skill.model import Skill
from skilltool.skill.texts import Text
from skilltool.text.source import Source, Span

# A comment without a reason suppresses nothing, and only the author knows the reason.
REASON = "TODO: explain why"
# The ends of files whose comments begin with two slashes.
_SLASHES = tuple(
    ".js .mjs .cjs .ts .tsx .jsx .go .rs .java .c .cpp .cs .swift .kt .php".split()  # noqa: SIM905 - shorter
)
_INDENT = re.compile(r"[ \t>]*")


def ignore_edit(analysis: Analysis, diagnostic: Diagnostic) -> Edit | None:
    """Return the edit: before the block in the body, or the line of a script, else in the frontmatter.

    None where a comment would have no effect, or would change what a runtime reads.
    """
    skill = analysis.skill
    if diagnostic.rule == RULE or not skill.was_read:
        return None
    span = analysis.positions.span(diagnostic.location)
    if analysis.file:
        edit = _in_other_text(analysis.text, diagnostic.rule, span)
        return edit if _covers(analysis, diagnostic, span, edit) else None
    candidates = _candidates(skill, diagnostic.rule, span)
    return next((edit for edit in candidates if _suppresses(skill, diagnostic, span, edit)), None)


def _candidates(skill: Skill, rule: str, span: Span) -> Iterator[Edit]:
    envelope = skill.frontmatter.envelope
    newline = "\r\n" if skill.source.newline == "\r\n" else "\n"
    if span.start >= envelope.body.start:
        at = _block_start(skill.text, span.start)
        indent = _INDENT.match(skill.source.text, at)
        comment = (indent[0] if indent else "") + ignore_comment(rule, REASON, in_body=True)
        yield Edit(at, at, comment + newline)
    if envelope.opening is not None:
        at = envelope.block.start
        yield Edit(at, at, ignore_comment(rule, REASON, in_body=False) + newline)


def _in_other_text(text: Text, rule: str, span: Span) -> Edit:
    """Return the edit before the block of a page, or before the line of a script."""
    source = text.source
    at = _block_start(text, span.start) if text.is_page else source.line_span(span.start).start
    indent = _INDENT.match(source.text, at)
    comment = ignore_comment(rule, REASON, in_body=text.is_page)
    if not text.is_page and text.file.lower().endswith(_SLASHES):
        comment = f"//{comment.removeprefix('#')}"
    newline = "\r\n" if source.newline == "\r\n" else "\n"
    return Edit(at, at, (indent[0] if indent else "") + comment + newline)


def _covers(analysis: Analysis, diagnostic: Diagnostic, span: Span, edit: Edit) -> bool:
    """Return whether the comment in a page or script covers the finding."""
    changed = Text(analysis.file, Source(applied(analysis.text.source.text, [edit])))
    moved = span.shifted(len(edit.text) if edit.start <= span.start else 0)
    there = diagnostic._replace(location=locate(changed.source, moved))
    return any(each.covers(there) for each in comments_of(changed, diagnostic.path, diagnostic.skill))


def _block_start(text: Text, offset: int) -> int:
    """Return where the block around an offset starts: its fence, or the first line after a blank one."""
    fence = next((f for f in text.markdown.fences if f.span.start <= offset < f.span.end), None)
    line = text.source.position(fence.span.start if fence else offset).line
    first = text.source.position(text.body_span.start).line
    while line > first and fence is None:
        above = text.source.line_start(line - 1)
        if not text.source[text.source.line_span(above)].strip(" \t>"):
            break
        line -= 1
    return max(text.source.line_start(line), text.body_span.start)


def _suppresses(skill: Skill, diagnostic: Diagnostic, span: Span, edit: Edit) -> bool:
    """Return whether the comment covers the finding, and every runtime reads the same skill as before."""
    text = applied(skill.source.text, [edit])
    old, new = (readings_by_runtime(each, skill.name) for each in (skill.source.text, text))
    if not all(_reads_the_same(reading, new.get(name), edit, skill) for name, reading in old.items()):
        return False
    changed = skill.with_text(Source(text))
    moved = span.shifted(len(edit.text) if edit.start <= span.start else 0)
    there = diagnostic._replace(location=locate(changed.source, moved))
    return any(each.covers(there) for each in ignore_comments(changed, diagnostic.path))


def _reads_the_same(old: Reading, new: Reading | None, edit: Edit, skill: Skill) -> bool:
    """Compare two readings; a comment in the body may change the body."""
    if new is None or edit.start < skill.frontmatter.envelope.body.start:
        return old == new
    return (old.name, old.description) == (new.name, new.description)
