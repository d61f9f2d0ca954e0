"""What becomes of one skill: a line for each distinct fate, with its clients, and the cause once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from skilltool import runtimes
from skilltool.findings.diagnostic import Diagnostic
from skilltool.findings.finding import Severity
from skilltool.lint.habits import without_count
from skilltool.preview.matrix import rank, word
from skilltool.preview.model import Given, View
from skilltool.preview.signs import TYPED, UNCALLABLE
from skilltool.report.resolved import MEANINGS
from skilltool.rules.shared.wording import without_role
from skilltool.rules.traits import traits_of
from skilltool.text.lazy_pattern import lazy_pattern

# In a finding's message, what clients it is about and what they allow comes after the defect.
_CLIENTS = lazy_pattern(r"; `[\w@.-]+`.*", re.DOTALL)
_MOST_WORDS = 120  # characters of what a client says, in a line
_MISSING = "missing-field"
_BARE = "missing-frontmatter"  # which clients that need a name or a description do not load
_OF_SPECIFICATION = {"refused": "not valid", "unseen": "not covered"}  # said in place of a client's word
_FIELDS = ("name", "description")  # of which clients say in their words that they are wrong


class Fate(NamedTuple):
    """Clients that do the same with a skill.

    `kind` and `text` are the word of the matrix, `cause` a clause of ours or of the first client, `lines`
    those of SKILL.md that are the cause. `words` are what clients themselves say, each with their ids, or the
    directories in which those look that do not look at the skill.
    `winner` and `told` are as in `View`.
    """

    kind: str
    text: str
    cause: str
    lines: tuple[int, ...]
    runtimes: tuple[str, ...]
    words: tuple[tuple[str, tuple[str, ...]], ...]
    winner: str
    told: str = ""


def fates(given: Sequence[Given], findings: Sequence[Diagnostic], source: str | None = None) -> list[Fate]:
    """Return the distinct fates of a skill, the worst first; clients keep their order.

    `source` is the text of its SKILL.md, in which a field that a client names has a line.
    """
    groups: dict[tuple[str, str, str, tuple[int, ...], str, str], list[View]] = {}
    for each in given:
        view = each.view
        kind, text = word(view)
        if runtimes.get(view.runtime).specification:
            text = _OF_SPECIFICATION.get(kind, text)
        cause, lines = _cause(view, kind, findings)
        if kind == "refused" and not lines:
            cause, lines = _of_field(view.why, source or "") or (cause, lines)
        text = f"renamed to {view.key}" if kind == "as KEY" else text
        text = f"loaded as {view.key}" if kind == "loaded" and ":" in (view.key or "") else text
        text = "loaded, but the model's call fails" if kind == UNCALLABLE else text
        if view.key is not None and each.text is not None and each.problem is not None and kind != UNCALLABLE:
            cause = cause or "the model's call fails"
        kind = "invalid" if text == "not valid" else kind
        groups.setdefault((kind, text, cause, lines, view.winner, view.told), []).append(view)
    roots = {each.view.runtime: each.roots for each in given}
    listed = {each.view.runtime: each.listed for each in given if each.listed is not None}
    over = [each.view.runtime for each in given if each.listed is not None and each.is_over]
    found = [
        Fate(
            kind,
            text,
            _how_much(listed) + _why_cut(listed, over) if kind == "cut" and listed and not lines else cause,
            lines,
            tuple(view.runtime for view in views),
            tuple(_looking(views, roots) if kind == "unseen" else _said(views, cause)),
            winner,
            told,
        )
        for (kind, text, cause, lines, winner, told), views in groups.items()
    ]
    ranks = {view.runtime: rank(view) for each in given for view in [each.view]}
    return sorted(found, key=lambda fate: -ranks[fate.runtimes[0]])


def _how_much(listed: Mapping[str, tuple[int, int]]) -> str:
    """Return how much of a description the model sees in each client, in a clause."""
    clients: dict[int, list[str]] = {}
    for name, (shown, _) in listed.items():
        clients.setdefault(shown, []).append(name)
    *rest, (most, names) = sorted(clients.items())
    whole = next(iter(listed.values()))[1]
    said = f"the model sees {most:,} of {whole:,} characters of the description"
    return (
        said
        if not rest
        else f"{said} in {_and(names)}"
        + "".join(
            f", {shown:,} in {_and(each)}" if shown else f", only the name in {_and(each)}"
            for shown, each in reversed(rest)
        )
    )


def _why_cut(listed: Mapping[str, tuple[int, int]], over: Sequence[str]) -> str:
    """Return in brackets why clients list a part only: this description is too long, or all together are."""
    if not over:
        return " (too long)"
    return " (over budget)" if len(over) == len(listed) else f" (over budget in {_and(over)})"


def _and(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last


def _cause(view: View, kind: str, findings: Sequence[Diagnostic]) -> tuple[str, tuple[int, ...]]:
    """Return why, in a clause, and the lines to blame: of the worst findings that name the client."""
    if kind in ("loaded", "as KEY", "unseen"):
        return "", ()
    if kind == TYPED:
        return "the skill asks to be left out of the listing (`disable-model-invocation`)", ()
    if kind == UNCALLABLE:
        causes = [
            each for each in findings if traits_of(each.rule).fails_call and view.runtime in each.runtimes
        ]
        return "a command in the body cannot be checked", tuple(each.location.start.line for each in causes)
    if kind == "cut" and (losing := [each for each in findings if _loses_fields(each, view.runtime)]):
        return "the client reads no fields of the frontmatter", (losing[0].location.start.line,)
    if kind in ("cut", "unlisted", "named"):
        return MEANINGS[kind], ()
    about = [each for each in findings if view.runtime in each.runtimes and explains(each)]
    if kind == "refused" and about:
        first = max(about, key=lambda each: (traits_of(each.rule).is_refusal, each.severity))
        if traits_of(first.rule).is_refusal:
            return view.why, (first.location.start.line,)
        causes = [each for each in about if _is_cause(each)] or [first]
        messages = dict.fromkeys(_defect(each) for each in causes)
        return " and ".join(messages), tuple(sorted({each.location.start.line for each in causes}))
    bare = next((each for each in findings if each.rule == _BARE and not each.file), None)
    if kind == "refused" and bare is not None:
        return _defect(bare), (bare.location.start.line,)
    for each in findings if kind == "refused" else ():
        field = traits_of(each.rule).cause
        if field in _FIELDS and not each.file and re.search(rf"\b{field}\b", view.why, re.IGNORECASE):
            words = view.why if len(view.why) <= _MOST_WORDS else f"`{field}` is not accepted"
            return words, (each.location.start.line,)
    return without_role(view.why), ()


def _defect(finding: Diagnostic) -> str:
    """Return the message of a finding without its clients, with the limit that they have."""
    said = without_count(finding.message)
    limit = _LIMIT.search(said)
    return f"{_CLIENTS.sub('', said)}{f', more than {limit[1]}' if limit else ''}"


_LIMIT = lazy_pattern(r"; `[\w@.-]+`.* allows? ([\d,]+)")


def _loses_fields(finding: Diagnostic, runtime: str) -> bool:
    return traits_of(finding.rule).tells_loss and runtime in finding.runtimes and not finding.file


def _of_field(why: str, source: str) -> tuple[str, tuple[int, ...]] | None:
    """Return what is wrong and in which line, if a client's words name a field of the frontmatter."""
    field = named_field(why)
    for number, line in enumerate(source.partition("\n---")[0].split("\n") if field else (), 1):
        if line.startswith(f"{field}:"):
            is_of_strings = "map[string]string" in why
            what = "is not a mapping of strings" if is_of_strings else "has a value that is not accepted"
            return f"`{field}` {what}", (number,)
    return None


def named_field(why: str) -> str:
    """Return the field of the frontmatter that a client's words name, if any."""
    found = _NAMED.search(why)
    return found[1] if found is not None else ""


_NAMED = lazy_pattern(r"`([a-z][\w-]{0,60})`")


def explains(finding: Diagnostic) -> bool:
    """Return whether a finding may tell why a client that it names does not load the skill."""
    is_told = traits_of(finding.rule).is_refusal or finding.severity is Severity.ERROR
    return (is_told or _is_cause(finding)) and not finding.file


def _is_cause(finding: Diagnostic) -> bool:
    """Return whether a finding is about what a client needs to load the skill, such as its name."""
    return bool(traits_of(finding.rule).cause) or finding.rule == _MISSING


def _looking(
    views: Sequence[View], roots: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield where clients look that do not look at the skill; a specification looks nowhere."""
    by_roots: dict[str, list[str]] = {}
    for view in views:
        if not runtimes.get(view.runtime).specification:
            shown = ", ".join(roots.get(view.runtime, ())) or "none of its directories exists here"
            by_roots.setdefault(shown, []).append(view.runtime)
    for shown, names in by_roots.items():
        yield shown, tuple(names)


def _said(views: Sequence[View], cause: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the clients say themselves, unless it is the cause."""
    by_words: dict[str, list[str]] = {}
    for view in views:
        if view.why and view.key is None and view.state != "unseen" and view.why != cause:
            by_words.setdefault(view.why, []).append(view.runtime)
    for words, names in by_words.items():
        yield words, tuple(names)
