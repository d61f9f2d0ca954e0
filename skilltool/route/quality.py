"""Are the cases any good? Positives and negatives of each skill, near neighbours, clauses, prompts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from skilltool.findings.finding import Severity
from skilltool.route.check import NEAR
from skilltool.route.find_cases import Located
from skilltool.route.lexical import Close, Index, stems
from skilltool.route.listing import Listing
from skilltool.route.problems import Problem
from skilltool.rules.shared.similar_texts import words
from skilltool.text.lazy_pattern import lazy_pattern

# Where a description begins to say when the skill is to be used, up to the end of that sentence.
_WHEN = lazy_pattern(
    r"\b(?:use (?:this |the |it )?(?:skill )?(?:proactively |immediately |only )?"
    r"(?:when(?:ever)?|for|if|to|before|after|on)"
    r"|(?:trigger(?:s|ed)?|activate[sd]?|invoke[sd]?) (?:when(?:ever)?|for|on|by)"
    r"|when (?:the |a )?users? (?:asks?|mentions?|wants?|says?|needs?|requests?))\b:?"
    r"([^.!?]*(?:[.!?](?=\w)[^.!?]*)*)",
    re.IGNORECASE,
)
_PARTS = lazy_pattern(r"[,;]|\bor\b|\band\b|\(\d\)|\s[-\u2013\u2014]{1,2}\s", re.IGNORECASE)
_NEVER = lazy_pattern(r"(?:\bdo not|\bdon['\u2019]t|\bnever|\bnot to|\bshould not)\s{1,3}\Z", re.IGNORECASE)
_LEADS = lazy_pattern(
    r"^\s*(?:(?:the|a) users?\s+)?(?:(?:ask(?:s|ed|ing)?|mentions?|wants?|says?|needs?|requests?)\s+)?"
    r"(?:(?:for|about|to|when|if)\s+)?",
    re.IGNORECASE,
)
_NOT = lazy_pattern(r"(?:do not|don't|not|never|skip|except|unless)\b", re.IGNORECASE)
_ENOUGH, _AS_MUCH = 2, 0.9  # words of each, and of the score of one: then either may be meant
_MOST = 3  # clauses, names or words that a message lists
FEW = 3  # positives that a skill needs to be judged at all, as in the harnesses of amd and addyosmani


class Subject(NamedTuple):
    """A skill as the cases know it: its name, its description, and other names that clients have for it."""

    name: str
    description: str
    others: tuple[str, ...] = ()


def plain_name(name: str) -> str:
    """Return the name of a skill without that of the plugin or the directory before it."""
    return re.split(r"[:/]", name)[-1]


def subjects(listings: Iterable[Listing]) -> list[Subject]:
    """Return the skills that some client lists, each once, with the whole description."""
    found: dict[Path, Subject] = {}
    for listing in listings:
        for entry in listing.entries.values():
            names = plain_name(entry.key), entry.directory.name
            known = found.setdefault(entry.directory, Subject(names[0], entry.description))
            others = tuple(dict.fromkeys((*known.others, *names)))
            found[entry.directory] = known._replace(others=tuple(set(others) - {known.name}))
    by_name = {subject.name: subject for subject in reversed(found.values())}
    return list(reversed(by_name.values()))


def close(subjects: Sequence[Subject]) -> list[Close]:
    """Return the pairs of skills whose descriptions are near, the nearest first."""
    return _index(subjects).close(NEAR)


def _index(subjects: Sequence[Subject]) -> Index:
    return Index((subject.name, subject.description) for subject in subjects)


def clauses(description: str) -> list[str]:
    """Return the "use when" clauses of a description, each of which some prompt should touch."""
    found: list[str] = []
    for match in _WHEN.finditer(description):
        if _NEVER.search(description, max(0, match.start() - 20), match.start()):
            continue
        for part in _PARTS.split(match[1]):
            clause = _LEADS.sub("", part).strip(" \t\r\n\"'“”`:*")
            if stems(clause) and not _NOT.match(clause):
                found.append(clause)
    return list(dict.fromkeys(found))


def problems(
    cases: Sequence[Located], subjects: Sequence[Subject], near: Sequence[Close]
) -> Iterator[Problem]:
    """Yield what is wrong with cases, given the skills that they may be about and the pairs that are near."""
    known = {subject.name: subject for subject in subjects}
    names = {other: subject.name for subject in subjects for other in subject.others} | {
        name: name for name in known
    }
    cases = [_plain(located, names) for located in cases]
    positives: dict[str, list[Located]] = {name: [] for name in known}
    negatives: dict[str, list[Located]] = {name: [] for name in known}
    for located in cases:
        right, wrong = located.case.expected, located.case.rejected
        for name in known:
            if right is not None and name in right:
                positives[name].append(located)
            elif right is not None or name in wrong:
                negatives[name].append(located)
    about = {name for located in cases for name in located.case.names}
    yield from _without(known, about, positives, negatives)
    index = _index(subjects)
    yield from _neighbours(near, about, cases, positives, index)
    for name in known:
        if positives[name]:
            yield from _untouched(known[name], positives[name])
    for located in cases:
        yield from _named(located, known)
        yield from _ambiguous(located, index)
    yield from _repeated(cases)


def _plain(located: Located, names: Mapping[str, str]) -> Located:
    """Return a case with the names that the subjects have."""

    def plain(given: Iterable[str]) -> tuple[str, ...]:
        return tuple(names.get(plain_name(name), plain_name(name)) for name in given)

    case = located.case
    expected = None if case.expected is None else plain(case.expected)
    return located._replace(case=case._replace(expected=expected, rejected=plain(case.rejected)))


def _without(
    known: Mapping[str, Subject],
    about: set[str],
    positives: Mapping[str, Sequence[Located]],
    negatives: Mapping[str, Sequence[Located]],
) -> Iterator[Problem]:
    """Yield the skills that have no case, no positive or no negative."""
    if unmentioned := tuple(name for name in known if name not in about):
        yield Problem(
            Severity.INFO,
            "no-cases",
            f"{len(unmentioned):,} of {len(known):,} skills have no case",
            "`skilltool route --init` prints cases to fill in",
            skills=unmentioned,
        )
    for name in (name for name in known if name in about):
        number = len(positives[name])
        if number < FEW:
            has = (
                "no prompt expects it"
                if not number
                else f"only {number} prompt{'s' * (number > 1)} expect{'s' * (number == 1)} it"
            )
            yield Problem(
                Severity.WARNING if not number else Severity.INFO,
                "no-positive" if not number else "few-positives",
                has,
                f"add prompts that should lead to it, at least {FEW}",
                skills=(name,),
            )
        if not negatives[name]:
            yield Problem(
                Severity.WARNING,
                "no-negative",
                "no prompt shows when it should not be called",
                "add similar prompts that are not for it; otherwise a description that fits all would pass",
                skills=(name,),
            )


def _neighbours(
    near: Sequence[Close],
    about: set[str],
    cases: Sequence[Located],
    positives: Mapping[str, Sequence[Located]],
    index: Index,
) -> Iterator[Problem]:
    """Yield close skills of which one has no case that is for the other, or that looks so."""
    for pair in near:
        for one, other in ((pair.one, pair.other), (pair.other, pair.one)):
            if one not in about or one not in positives:
                continue
            told_apart = any(
                not _accepts(located, one) and (_accepts(located, other) or _first(index, located) == other)
                for located in cases
            )
            if not told_apart:
                yield Problem(
                    Severity.WARNING,
                    "no-near-negative",
                    f"no prompt tells it apart from `{other}`, whose description is similar",
                    f"add a prompt for `{other}`; both descriptions contain {_listed(pair.words)}",
                    skills=(one,),
                )


def _accepts(located: Located, name: str) -> bool:
    expected = located.case.expected
    return name in expected if expected is not None else name not in located.case.rejected


def _first(index: Index, located: Located) -> str | None:
    ranking = index.ranked(located.case.prompt)
    return ranking[0].key if ranking else None


def _untouched(subject: Subject, positives: Sequence[Located]) -> Iterator[Problem]:
    """Yield the clauses of a description of which no prompt has a word."""
    asked = {stem for located in positives for stem in stems(located.case.prompt)}
    left = [clause for clause in clauses(subject.description) if not asked & stems(clause).keys()]
    if left:
        yield Problem(
            Severity.INFO,
            "untouched-clause",
            f"no prompt covers {_listed(left)}",
            "add a prompt for each clause, or delete it from the description",
            skills=(subject.name,),
        )


def _named(located: Located, known: Mapping[str, Subject]) -> Iterator[Problem]:
    """Yield a prompt that names an expected skill, which tells a router what a user would not."""
    prompt = located.case.prompt.casefold()
    for name in located.case.expected or ():
        bare = name.casefold()
        quoted = re.escape(bare)
        pattern = rf"[/$@`'\"]{quoted}(?![\w-])|(?<![\w-]){quoted}[\s-]+skill\b|\bskill\s+{quoted}(?![\w-])"
        if "-" in bare or "_" in bare:
            pattern += rf"|(?<![\w./-]){quoted}(?![\w-])"
        if re.search(pattern, prompt):
            yield Problem(
                Severity.WARNING,
                "names-skill",
                "the prompt contains its name, so it does not test the description",
                "write what a user who does not know the skill would write",
                (located.place,),
                (name,),
            )


def _ambiguous(located: Located, index: Index) -> Iterator[Problem]:
    """Yield a prompt whose words point as much to a skill that the case does not accept."""
    case = located.case
    if not case.expected:
        return
    ranking = index.ranked(case.prompt)
    mine = next((each for each in ranking if each.key in case.expected), None)
    rival = next((each for each in ranking if each.key not in (*case.expected, *case.rejected)), None)
    if mine is None or rival is None or min(len(mine.words), len(rival.words)) < _ENOUGH:
        return
    if rival.score >= _AS_MUCH * mine.score:
        yield Problem(
            Severity.INFO,
            "ambiguous",
            f"the prompt matches `{rival.key}` just as well",
            "if both are right, accept both with `acceptable_skills`",
            (located.place,),
            (mine.key,),
        )


def _repeated(cases: Sequence[Located]) -> Iterator[Problem]:
    """Yield prompts that are there twice, and those of which the two cases want different things."""
    first: dict[frozenset[tuple[str, int]], Located] = {}
    for located in cases:
        key = frozenset(words(located.case.prompt).items())
        if not key:
            continue
        known = first.setdefault(key, located)
        if known is located:
            continue
        one, other = known.case, located.case
        both = one.expected is not None and other.expected is not None
        if (both and set(one.expected or ()) != set(other.expected or ())) or (
            set(one.expected or ()) & set(other.rejected) or set(other.expected or ()) & set(one.rejected)
        ):
            yield Problem(
                Severity.WARNING,
                "contradiction",
                "the same prompt expects different skills",
                "accept both with `acceptable_skills`, or make the prompt specific to one of them",
                (known.place, located.place),
                tuple(dict.fromkeys((*one.names, *other.names))),
            )
        elif both or one.rejected == other.rejected:
            yield Problem(
                Severity.INFO,
                "duplicate",
                "the same prompt occurs twice",
                "delete one, because both count",
                (known.place, located.place),
            )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST
    return ", ".join(f"`{name}`" for name in names[:_MOST]) + (f" and {more} more" if more > 0 else "")
