"""Which findings are suppressed: by a comment in a file, or by `per-file-ignores`?

What is wrong with these comments and patterns is found here, too: one that suppresses nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from pathlib import Path
from typing import NamedTuple

from skilltool.errors import nearest
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, Suppressed, locate, numbered
from skilltool.findings.finding import Severity
from skilltool.lint.settings import Settings
from skilltool.lint.targets import audience_of
from skilltool.rules import NAMES, about
from skilltool.rules.records import IgnoreComment
from skilltool.skill.discovery.ignore import Ignore as Patterns
from skilltool.text.source import Source, Span

RULE = "unused-ignore"


class PerFileIgnores(NamedTuple):
    """`per-file-ignores`: patterns as in a `.gitignore` in the directory `base`, each with ids of rules."""

    base: Path
    entries: tuple[tuple[str, frozenset[str]], ...] = ()

    def covers(self, path: str, rule: str) -> bool:
        """Return whether findings of `rule` in the file `path` (absolute or relative) are suppressed."""
        return self.pattern(path, rule) is not None

    def pattern(self, path: str, rule: str) -> str | None:
        """Return the first pattern that suppresses findings of `rule` in the file `path`, or None."""
        return next((each for each, rules in self._matching(path) if rule in rules), None)

    def _matching(self, path: str) -> tuple[tuple[str, frozenset[str]], ...]:
        """Return the entries whose patterns match a file; many findings ask for the same one."""
        return _entries_matching(self, str(Path.cwd() / path)) if self.entries else ()


@lru_cache(maxsize=4)
def _entries_matching(ignores: PerFileIgnores, path: str) -> tuple[tuple[str, frozenset[str]], ...]:
    file = Path(path)
    return tuple(entry for entry in ignores.entries if Patterns((entry[0],), ignores.base).covers(file).drops)


def apply_suppressions(
    diagnostics: Sequence[Diagnostic], comments: Sequence[IgnoreComment], settings: Settings
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Return the findings that count, sorted, and the suppressed ones; both with the user's severities.

    What is wrong with the comments themselves is among the findings that count.
    """
    per_file = PerFileIgnores(settings.base, settings.per_file_ignores)
    kept, hidden, used = split(diagnostics, comments, per_file)
    if RULE in settings.rules:
        unneeded = numbered(unused(comments, used, settings))
        kept += [each for each in unneeded if not per_file.covers(each.path, each.rule)]
    severities = dict(settings.severities)

    def rated(found: Diagnostic) -> Diagnostic:
        return _configured(found, severities)

    hidden = [suppressed._replace(diagnostic=rated(suppressed.diagnostic)) for suppressed in hidden]
    return sorted(map(rated, kept), key=lambda diagnostic: diagnostic.order), hidden


def split(
    diagnostics: Sequence[Diagnostic], comments: Sequence[IgnoreComment], per_file: PerFileIgnores
) -> tuple[list[Diagnostic], list[Suppressed], set[tuple[IgnoreComment, str]]]:
    """Return the findings that count, the suppressed ones, and which comment suppressed which rule."""
    by_comment, used = _covered(diagnostics, comments)
    kept: list[Diagnostic] = []
    hidden: list[Suppressed] = []
    for number, diagnostic in enumerate(diagnostics):
        comment = by_comment.get(number)
        if comment is not None:
            hidden.append(Suppressed(diagnostic, "comment", comment.reason, comment.location))
        elif (pattern := per_file.pattern(diagnostic.path, diagnostic.rule)) is not None:
            hidden.append(Suppressed(diagnostic, "per-file-ignores", _reason(pattern)))
        else:
            kept.append(diagnostic)
    return kept, hidden, used


def _covered(
    diagnostics: Sequence[Diagnostic], comments: Sequence[IgnoreComment]
) -> tuple[dict[int, IgnoreComment], set[tuple[IgnoreComment, str]]]:
    """Return the first comment that covers each diagnostic, by its index, and all that cover any.

    A file may have thousands of both, so that each is not compared with each.
    """
    rules: dict[tuple[str, str], list[IgnoreComment]] = {}
    for comment in comments if diagnostics else ():
        for rule in dict.fromkeys(comment.rules) if comment.reason else ():
            rules.setdefault((comment.path, rule), []).append(comment)
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for number, diagnostic in enumerate(diagnostics if rules else ()):
        if (diagnostic.path, diagnostic.rule) in rules:
            found.setdefault((diagnostic.path, diagnostic.rule), []).append(
                (diagnostic.location.start.line, number)
            )
    first: dict[int, IgnoreComment] = {}
    used: set[tuple[IgnoreComment, str]] = set()
    for key, lines in found.items():
        lines.sort()
        first |= _first_covering(lines, rules[key])
        at = (bisect_left(lines, (comment.first, 0)) for comment in rules[key])
        used |= {
            (comment, key[1])
            for comment, index in zip(rules[key], at, strict=True)
            if index < len(lines) and (comment.last is None or lines[index][0] <= comment.last)
        }
    return first, used


def _first_covering(
    lines: Sequence[tuple[int, int]], comments: Sequence[IgnoreComment]
) -> dict[int, IgnoreComment]:
    """Return the first comment that covers each number; `lines` are sorted lines, each with its number."""
    by_line = sorted(range(len(comments)), key=lambda each: comments[each].first, reverse=True)
    begun: list[int] = []  # a heap of indexes of comments
    found: dict[int, IgnoreComment] = {}
    for line, number in lines:
        while by_line and comments[by_line[-1]].first <= line:
            heappush(begun, by_line.pop())
        while begun and (last := comments[begun[0]].last) is not None and last < line:
            heappop(begun)
        if begun:
            found[number] = comments[begun[0]]
    return found


def _reason(pattern: str) -> str:
    return f"per-file-ignores has `{pattern}`"


def unused_patterns(hidden: Sequence[Suppressed], settings: Settings) -> Iterator[Diagnostic]:
    """Yield a finding for each pattern of `per-file-ignores` that suppressed nothing, if its rules ran.

    Only a run over all that is under the configuration file can tell.
    """
    if settings.config is None or RULE not in settings.rules:
        return
    used = {suppressed.reason for suppressed in hidden if suppressed.by == "per-file-ignores"}
    for pattern, names in settings.per_file_ignores:
        if _reason(pattern) not in used and not names.isdisjoint(settings.rules):
            yield _unused_pattern(pattern, settings.config, settings)


def _unused_pattern(pattern: str, file: Path, settings: Settings) -> Diagnostic:
    source = Source.decode(file.read_bytes())
    at = max(source.text.find(pattern), 0)
    return Diagnostic(
        path=display_path(file.resolve()),
        location=locate(source, Span(at, at + len(pattern) if at else 0)),
        rule=RULE,
        severity=dict(settings.severities).get(RULE, about(RULE).SEVERITY),
        message=f"pattern `{pattern}` in `per-file-ignores` suppresses nothing",
        help="remove it",
        skill=settings.base.name,
        runtimes=audience_of(settings, file.parent).runtimes,
    )


def unused(
    comments: Sequence[IgnoreComment],
    used: set[tuple[IgnoreComment, str]],
    settings: Settings,
) -> Iterator[Diagnostic]:
    """Yield a finding for each rule that a comment names and that it cannot, or did not, suppress.

    `used` are the comments that suppressed a rule; of a rule that did not run nothing can be told.
    """
    for comment in comments:
        for rule in comment.rules or ("",):
            complaint = _complaint(comment, rule, rule in settings.rules and (comment, rule) not in used)
            if complaint is not None:
                yield Diagnostic(
                    path=comment.path,
                    location=comment.location,
                    rule=RULE,
                    severity=about(RULE).SEVERITY,
                    message=complaint[0],
                    help=complaint[1],
                    skill=comment.skill,
                    runtimes=audience_of(settings, comment.directory or ".").runtimes,
                    file=comment.file,
                )


def _complaint(comment: IgnoreComment, rule: str, is_unused: bool) -> tuple[str, str] | None:
    """Return message and help about one rule of a comment; None where nothing is wrong."""
    from skilltool.rules.shared.wording import backticked

    if not rule:
        return "ignore comment names no rule", "write `skilltool: ignore[RULE] reason`"
    if rule not in NAMES:
        hint = nearest(rule, NAMES)
        advice = f"write `{hint}`" if hint else "`skilltool rule` lists the rules"
        return f"ignore comment names {backticked(rule)}, which does not exist", advice
    if not comment.reason:
        return f"ignore comment for {backticked(rule)} gives no reason", "add a reason after the bracket"
    if is_unused:
        return f"ignore comment for {backticked(rule)} suppresses nothing", "remove it"
    return None


def _configured(diagnostic: Diagnostic, severities: Mapping[str, Severity]) -> Diagnostic:
    """Return a finding with the severity that the user has configured for its rule, if any."""
    return diagnostic._replace(severity=severities.get(diagnostic.rule, diagnostic.severity))
