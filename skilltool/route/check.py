"""What can be said of cases without a model: is the expected skill listed, and do the words point to it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from skilltool.findings.finding import Severity
from skilltool.route.find_cases import Located
from skilltool.route.lexical import Index, Weighed, decisive, rank_of, stems
from skilltool.route.listing import Entry, Listing
from skilltool.route.problems import Problem

# How alike a skill and its nearest neighbour are: one in ten is nearer than the first number, one in fifty
# nearer than the second. Measured on 1,472 skills of 34 collections, 2026-11-25; docs/route.md says how.
NEAR, VERY_NEAR = 0.4, 0.55
NO_COPY = "has no skill with this name"
_MOST_WORDS = 3


class Verdict(NamedTuple):
    """What the words of one case say in one client.

    `expected` are the keys of the listed skills of which any is right. `rank` is that of the best of them,
    from 1, None where none is listed or none has a word of the prompt. `first` is the skill in the first
    rank, if it is another one; `words` are those by which the first one is before, `own` those that point to
    the expected skill.
    """

    located: Located
    expected: tuple[str, ...]
    rank: int | None
    first: str | None
    words: tuple[str, ...]
    own: tuple[str, ...]


class Checked(NamedTuple):
    """What can be said of one client: its listing, a verdict for each case that expects a skill, and more.

    `listed` is the number of cases that expect a skill of which one is listed.
    """

    runtime: str
    skills: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    listed: int
    problems: tuple[Problem, ...]

    def within(self, rank: int) -> int:
        """Return how many cases have their skill in the first ranks."""
        return sum(each.rank is not None and each.rank <= rank for each in self.verdicts)


def checked(listing: Listing, cases: Sequence[Located], others: Sequence[Listing], asked: bool) -> Checked:
    """Return what can be said of the listing of one session.

    A case of a skill to which the client does not come is for it only if somebody has `asked` about this
    client, and no other session of it, of `others`, comes to the skill.
    """
    alike = [other for other in others if other.runtime == listing.runtime]

    def is_for(name: str) -> bool:
        return listing.comes_to(name) or (asked and not any(other.comes_to(name) for other in alike))

    index = Index((entry.key, entry.shown) for entry in listing.entries.values())
    problems = list(_unlisted(listing, cases, is_for))
    verdicts = []
    for located in cases:
        expected = located.case.expected or ()
        if any(map(is_for, expected)):
            entries = _entries(listing, expected)
            verdicts.append(_verdict(index, located, entries))
            problems += _lost(listing, located, entries)
    listed = sum(bool(verdict.expected) for verdict in verdicts)
    return Checked(listing.label, tuple(listing.entries), tuple(verdicts), listed, tuple(problems))


def _entries(listing: Listing, names: Sequence[str]) -> list[Entry]:
    found = (listing.find(name) for name in names)
    return list({entry.key: entry for entry in found if entry is not None}.values())


def unknown(listings: Sequence[Listing], cases: Sequence[Located]) -> Iterator[Problem]:
    """Yield the skills that cases are about and to which none of the clients comes."""
    known: dict[str, bool] = {}
    for located in cases:
        for name in located.case.names:
            if name not in known:
                known[name] = any(listing.comes_to(name) for listing in listings)
            if not known[name]:
                message = "no client here has a skill with this name"
                remedy = "correct the name, or specify the client that has the skill with --runtime"
                yield Problem(Severity.ERROR, "unknown-skill", message, remedy, (located.place,), (name,))


def _unlisted(listing: Listing, cases: Sequence[Located], is_for: Callable[[str], bool]) -> Iterator[Problem]:
    """Yield the skills that cases are about and that are not listed, or of which another copy is."""
    clients = (listing.label,)
    for located in cases:
        case = located.case
        for name in case.names:
            entry = listing.find(name)
            if entry is None:
                if not is_for(name):
                    continue
                absence = listing.absence(name) or NO_COPY
                wrong = name not in (case.expected or ())
                severity = Severity.WARNING if wrong or len(case.expected or ()) > 1 else Severity.ERROR
                yield Problem(
                    severity,
                    "not-listed",
                    absence,
                    "this case does not test the description" if wrong else "no prompt can lead to it",
                    (located.place,),
                    (name,),
                    clients,
                )
            elif why := listing.shadowed(entry, located.skill):
                yield Problem(
                    Severity.WARNING,
                    "shadowed",
                    why,
                    "the case is for a copy that the model is not offered",
                    (located.place,),
                    (name,),
                    clients,
                )


def _lost(listing: Listing, located: Located, entries: Sequence[Entry]) -> Iterator[Problem]:
    """Yield the words of a case that the description has only in the part that is not listed."""
    wanted = stems(located.case.prompt)
    for entry in entries:
        if not entry.lost:
            continue
        shown = stems(f"{entry.key} {entry.shown}")
        gone = [
            word for stem, word in wanted.items() if stem not in shown and stem in stems(entry.description)
        ]
        if gone:
            yield Problem(
                Severity.WARNING,
                "truncated",
                f"lists {len(entry.shown):,} of {len(entry.description):,} characters of its description"
                if entry.shown
                else "lists its name without its description",
                "put the words that prompts use first; truncated here: "
                + ", ".join(f"`{word}`" for word in gone[:5]),
                (located.place,),
                (entry.key,),
                (listing.label,),
            )


def _verdict(index: Index, located: Located, entries: Sequence[Entry]) -> Verdict:
    keys = tuple(entry.key for entry in entries)
    ranking = index.ranked(located.case.prompt)
    rank = rank_of(ranking, keys)
    own = next((each for each in ranking if each.key in keys), None)
    first = ranking[0] if ranking and ranking[0].key not in keys else None
    if first is None and rank is not None and rank > 1:  # as good as the expected one
        first = next(each for each in ranking if each.key not in keys)
    return Verdict(
        located,
        keys,
        rank,
        None if first is None else first.key,
        _words(decisive(first, own)) if first is not None else (),
        _words(own.words) if own is not None else (),
    )


def _words(weighed: Sequence[Weighed] | Iterator[Weighed]) -> tuple[str, ...]:
    return tuple(each.word for each in list(weighed)[:_MOST_WORDS])
