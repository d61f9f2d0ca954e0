"""Findings that somebody decided to live with: comments in a file, and `per-file-ignores`.

`# skilltool: ignore[rule] reason` on a line of its own in the frontmatter holds for the file;
`<!-- skilltool: ignore[rule] reason -->` in the body for its line and the block behind it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from skilltool.diagnostic import Diagnostic, Place, Severity, place
from skilltool.discovery.ignore import Ignore as Patterns
from skilltool.errors import nearest
from skilltool.rules import NAMES, unused_ignore
from skilltool.rules.base import code
from skilltool.skill import Skill
from skilltool.source import Span

RULE = unused_ignore.ID
_MARK = "skilltool:"
_LINE = re.compile(
    r"^[ \t]*(?P<all>#[ \t]*skilltool:[ \t]*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>[^\r\n]*))", re.MULTILINE
)
_COMMENT = re.compile(r"<!--\s*skilltool:\s*ignore\[(?P<rules>[^\]\n]*)\](?P<reason>.*?)-*>\Z", re.DOTALL)
_END_OF_BLOCK = re.compile(r"\r?\n[ \t]*\r?\n|\Z")


@dataclass(frozen=True, slots=True)
class Ignore:
    """One comment of a file: the rules it names, its reason, its place, and the lines for which it holds.

    `path` is the file as reports print it, `skill` the directory's name. Lines are 1-based; `last` is
    None for the end of the file.
    """

    path: str
    skill: str
    rules: tuple[str, ...]
    reason: str
    place: Place
    first: int = 1
    last: int | None = None

    def covers(self, diagnostic: Diagnostic) -> bool:
        """Return whether a finding of the same file is among those that the comment switches off."""
        line = diagnostic.place.start.line
        inside = self.first <= line and (self.last is None or line <= self.last)
        return inside and bool(self.reason) and diagnostic.rule in self.rules


def ignores(skill: Skill, path: str) -> tuple[Ignore, ...]:
    """Return the comments of a skill's file, which reports print as `path`, in their order."""
    if _MARK not in skill.source.text:
        return ()
    return (*_in_frontmatter(skill, path), *_in_body(skill, path))


def _in_frontmatter(skill: Skill, path: str) -> Iterator[Ignore]:
    envelope = skill.frontmatter.envelope
    texts = [node.span for _, node in skill.frontmatter.scalars()]
    for found in _LINE.finditer(skill.source.text, envelope.opening.end if envelope.opening else 0):
        span = Span(*found.span("all"))
        if span.end > envelope.body.start:
            break
        if not any(text.start <= span.start < text.end for text in texts):
            yield Ignore(path, skill.name, *_said(found), place(skill.source, span))


def _in_body(skill: Skill, path: str) -> Iterator[Ignore]:
    source = skill.source
    for comment in skill.markdown.comments:
        found = _COMMENT.match(source[comment.span])
        if found is None:
            continue
        alone = not source.text[source.line_span(comment.span.start).start : comment.span.start].strip()
        end = _block_end(skill, comment.span.end, alone)
        first, last = source.position(comment.span.start).line, source.position(end).line
        yield Ignore(path, skill.name, *_said(found), place(source, comment.span), first, last)


def _block_end(skill: Skill, start: int, alone: bool) -> int:
    """Return the offset at which the block that a comment speaks of ends; a fence ends with its fence."""
    text = skill.source.text
    if alone:
        start += len(text[start:]) - len(text[start:].lstrip())
    fence = next((f for f in skill.markdown.fences if f.span.start <= start < f.span.end), None)
    if fence is not None:
        return fence.span.end
    end = _END_OF_BLOCK.search(text, start)
    return end.start() if end else len(text)


def _said(found: re.Match[str]) -> tuple[tuple[str, ...], str]:
    """Return the rules and the reason of a comment."""
    rules = tuple(name.strip() for name in found["rules"].split(",") if name.strip())
    return rules, found["reason"].strip(" \t\r\n:-")


@dataclass(frozen=True, slots=True)
class PerFile:
    """`per-file-ignores`: patterns as in a `.gitignore` that stands in `base`, each with ids of rules."""

    base: Path
    entries: tuple[tuple[str, frozenset[str]], ...] = ()

    def covers(self, path: str, rule: str) -> bool:
        """Return whether findings of `rule` in the file `path` (absolute, or from here) are switched off."""
        return any(
            rule in rules and Patterns((pattern,), self.base).covers(Path.cwd() / path)
            for pattern, rules in self.entries
        )


def split(
    diagnostics: Sequence[Diagnostic], comments: Sequence[Ignore], per_file: PerFile
) -> tuple[list[Diagnostic], set[tuple[Ignore, str]]]:
    """Return the findings that nothing switches off, and which comments switched off which rule."""
    by_path: dict[str, list[Ignore]] = {}
    for comment in comments:
        by_path.setdefault(comment.path, []).append(comment)
    kept: list[Diagnostic] = []
    used: set[tuple[Ignore, str]] = set()
    for diagnostic in diagnostics:
        covering = [each for each in by_path.get(diagnostic.path, ()) if each.covers(diagnostic)]
        used |= {(each, diagnostic.rule) for each in covering}
        if not covering and not per_file.covers(diagnostic.path, diagnostic.rule):
            kept.append(diagnostic)
    return kept, used


def unused(
    comments: Sequence[Ignore],
    used: set[tuple[Ignore, str]],
    ran: Collection[str],
    runtimes: tuple[str, ...],
) -> Iterator[Diagnostic]:
    """Yield a finding for each rule of a comment that switched nothing off, among the rules that `ran`."""
    for comment in comments:
        for rule in comment.rules or ("",):
            said = _complaint(comment, rule, (comment, rule) in used, rule in ran)
            if said is not None:
                message, advice = said
                severity = Severity(unused_ignore.SEVERITY)
                where, skill = comment.path, comment.skill
                yield Diagnostic(where, comment.place, RULE, severity, message, advice, skill, runtimes)


def _complaint(comment: Ignore, rule: str, is_used: bool, has_run: bool) -> tuple[str, str] | None:
    """Return what is wrong with one rule of a comment, and what to do; None for nothing."""
    if not rule:
        return "the ignore names no rule", "write the rule's id between the brackets"
    if rule not in NAMES:
        hint = nearest(rule, NAMES)
        return f"the ignore of {code(rule)}, which is no rule", (
            f"write `{hint}`" if hint else "`skilltool rule` lists the rules"
        )
    if not comment.reason:
        return f"the ignore of {code(rule)} gives no reason", "say behind the bracket why it is all right"
    if is_used or not has_run:
        return None
    return f"the ignore of {code(rule)} suppresses nothing", "remove it"
