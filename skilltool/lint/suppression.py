"""Findings that somebody decided to live with: comments in a file, and `per-file-ignores`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.errors import nearest
from skilltool.files.paths import display_path
from skilltool.findings.diagnostic import Diagnostic, Suppressed, locate
from skilltool.lint.settings import Settings
from skilltool.rules import NAMES, about
from skilltool.rules.records import IgnoreComment
from skilltool.skill.discovery.ignore import Ignore as Patterns
from skilltool.text.source import Source, Span

RULE = "unused-ignore"


class PerFile(NamedTuple):
    """`per-file-ignores`: patterns as in a `.gitignore` that stands in `base`, each with ids of rules."""

    base: Path
    entries: tuple[tuple[str, frozenset[str]], ...] = ()

    def covers(self, path: str, rule: str) -> bool:
        """Return whether findings of `rule` in the file `path` (absolute, or from here) are switched off."""
        return self.pattern(path, rule) is not None

    def pattern(self, path: str, rule: str) -> str | None:
        """Return the first pattern that switches off findings of `rule` in the file `path`, if one does."""
        for pattern, rules in self.entries:
            if rule in rules and Patterns((pattern,), self.base).covers(Path.cwd() / path):
                return pattern
        return None


def apply_suppressions(
    diagnostics: Sequence[Diagnostic], comments: Sequence[IgnoreComment], settings: Settings
) -> tuple[list[Diagnostic], list[Suppressed]]:
    """Return what nobody has switched off, sorted, and what somebody has; both with the user's severities."""
    per_file = PerFile(settings.base, settings.per_file_ignores)
    kept, hidden, used = split(diagnostics, comments, per_file)
    if RULE in settings.rules:
        unneeded = unused(comments, used, settings.rules, settings.runtimes)
        kept += [each for each in unneeded if not per_file.covers(each.path, each.rule)]
    severities = dict(settings.severities)

    def rated(found: Diagnostic) -> Diagnostic:
        return found._replace(severity=severities.get(found.rule, found.severity))

    hidden = [each._replace(diagnostic=rated(each.diagnostic)) for each in hidden]
    return sorted(map(rated, kept), key=lambda diagnostic: diagnostic.order), hidden


def split(
    diagnostics: Sequence[Diagnostic], comments: Sequence[IgnoreComment], per_file: PerFile
) -> tuple[list[Diagnostic], list[Suppressed], set[tuple[IgnoreComment, str]]]:
    """Return the findings that nothing switches off, the others, and which comments hid which rule."""
    by_path: dict[str, list[IgnoreComment]] = {}
    for comment in comments:
        by_path.setdefault(comment.path, []).append(comment)
    kept: list[Diagnostic] = []
    hidden: list[Suppressed] = []
    used: set[tuple[IgnoreComment, str]] = set()
    for diagnostic in diagnostics:
        covering = [each for each in by_path.get(diagnostic.path, ()) if each.covers(diagnostic)]
        used |= {(each, diagnostic.rule) for each in covering}
        if covering:
            hidden.append(Suppressed(diagnostic, "comment", covering[0].reason, covering[0].location))
        elif (pattern := per_file.pattern(diagnostic.path, diagnostic.rule)) is not None:
            hidden.append(Suppressed(diagnostic, "per-file-ignores", _because(pattern)))
        else:
            kept.append(diagnostic)
    return kept, hidden, used


def _because(pattern: str) -> str:
    return f"per-file-ignores has `{pattern}`"


def unused_patterns(hidden: Sequence[Suppressed], settings: Settings) -> Iterator[Diagnostic]:
    """Yield a finding for each pattern of `per-file-ignores` that switched nothing off, if its rules ran.

    That can be told only of a run over all that lies below the configuration file.
    """
    used = {each.reason for each in hidden if each.by == "per-file-ignores"}
    entries = [
        (pattern, names) for pattern, names in settings.per_file_ignores if _because(pattern) not in used
    ]
    if settings.config is None or RULE not in settings.rules:
        return
    for pattern, names in entries:
        if not names.isdisjoint(settings.rules):
            source = Source.decode(settings.config.read_bytes())
            at = max(source.text.find(pattern), 0)
            where = locate(source, Span(at, at + len(pattern) if at else 0))
            severity = dict(settings.severities).get(RULE, about(RULE).SEVERITY)
            message, advice = (
                f"the pattern `{pattern}` of `per-file-ignores` switches nothing off",
                "remove it",
            )
            path, skill = display_path(settings.config.resolve()), settings.base.name
            yield Diagnostic(path, where, RULE, severity, message, advice, skill, settings.runtimes)


def unused(
    comments: Sequence[IgnoreComment],
    used: set[tuple[IgnoreComment, str]],
    ran: Collection[str],
    runtimes: tuple[str, ...],
) -> Iterator[Diagnostic]:
    """Yield a finding for each rule of a comment that switched nothing off, among the rules that `ran`."""
    for comment in comments:
        for rule in comment.rules or ("",):
            said = _complaint(comment, rule, (comment, rule) in used, rule in ran)
            if said is not None:
                message, advice = said
                severity = about(RULE).SEVERITY
                where, skill = comment.path, comment.skill
                yield Diagnostic(where, comment.location, RULE, severity, message, advice, skill, runtimes)


def _complaint(comment: IgnoreComment, rule: str, is_used: bool, has_run: bool) -> tuple[str, str] | None:
    """Return what is wrong with one rule of a comment, and what to do; None for nothing."""
    from skilltool.rules.shared.wording import backticked

    if not rule:
        return "the ignore names no rule", "write `skilltool: ignore[RULE] reason`"
    if rule not in NAMES:
        hint = nearest(rule, NAMES)
        return f"the ignore of {backticked(rule)}, which is no rule", (
            f"write `{hint}`" if hint else "`skilltool rule` lists the rules"
        )
    if not comment.reason:
        return (
            f"the ignore of {backticked(rule)} gives no reason",
            "say behind the bracket why it is all right",
        )
    if is_used or not has_run:
        return None
    return f"the ignore of {backticked(rule)} suppresses nothing", "remove it"
