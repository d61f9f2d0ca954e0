"""What is to be asked: for each client and case the body of a request, how to read it, and what is right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from skilltool.route.find_cases import Located
from skilltool.route.first_turn import Reader, frame
from skilltool.route.listing import Listing
from skilltool.route.measure import Judged
from skilltool.route.protocols import PROTOCOLS
from skilltool.skill.length import tokens
from skilltool.skill.routing_cases import JUDGE, TUNE

_TUNING_PART = 0.6  # of the cases whose file does not say to which split they belong, as in skill-creator


class Question(NamedTuple):
    """A case for one client: where it is, what is right by key, and the request's body."""

    place: str
    expected: tuple[str, ...] | None
    rejected: tuple[str, ...]
    body: Mapping[str, Any]

    @property
    def tokens(self) -> int:
        """How long the request is, estimated."""
        return tokens(len(json.dumps(self.body, ensure_ascii=False)))


class ClientPlan(NamedTuple):
    """What is asked for one client.

    `left_out` says what the client sends and we do not; `untold` are the places of cases whose expected skill
    is not listed, which nobody needs to ask.
    """

    runtime: str
    skills: int
    reader: Reader
    questions: tuple[Question, ...]
    left_out: tuple[str, ...]
    untold: tuple[str, ...]


class Side(NamedTuple):
    """What was measured of one client: what was asked, the cases with what was called, errors, tokens."""

    plan: ClientPlan
    cases: tuple[Judged, ...]
    errors: Mapping[str, int]
    tokens: tuple[int, int]


class How(NamedTuple):
    """How a model is asked: its name, the id of the protocol, the method, the most tokens of an answer."""

    model: str
    protocol: str
    method: str
    most: int


def plan(
    listings: Iterable[Listing],
    cases: Sequence[Located],
    how: How,
    stands_for: tuple[Path, Path] | None = None,
) -> list[ClientPlan]:
    """Return what is asked for each client; raises `LookupError` for one whose listing is not known."""
    every = list(listings)
    return [_for_client(listing, every, cases, how, stands_for) for listing in every]


def _for_client(
    listing: Listing,
    every: Sequence[Listing],
    cases: Sequence[Located],
    how: How,
    stands_for: tuple[Path, Path] | None,
) -> ClientPlan:
    about = frame(listing, how.model, how.method, stands_for)
    write = PROTOCOLS[how.protocol].body
    questions, untold = [], []
    for located in cases:
        case = located.case
        expected = None if case.expected is None else _keys(listing, case.expected)
        rejected = _keys(listing, case.rejected)
        if (case.expected and not expected) or (case.expected is None and not rejected):
            alike = [other for other in every if other.runtime == listing.runtime]
            if not any(_keys(other, case.names) for other in alike):
                untold.append(located.place)
            continue
        body = write(about.turn(case.prompt), how.model, how.most)
        questions.append(Question(located.place, expected, rejected, body))
    return ClientPlan(
        listing.label, len(listing.entries), about.reader, tuple(questions), about.left_out, tuple(untold)
    )


def _keys(listing: Listing, names: Iterable[str]) -> tuple[str, ...]:
    found = (listing.find(name) for name in names)
    return tuple(dict.fromkeys(entry.key for entry in found if entry is not None))


def of_split(cases: Sequence[Located], split: str | None) -> list[Located]:
    """Return the cases of a split, all for None. A case without one has it by its prompt, always the same."""
    return [located for located in cases if split is None or _split_of(located) == split]


def _split_of(located: Located) -> str:
    case = located.case
    if case.split is not None:
        return case.split
    share = int.from_bytes(sha256(case.prompt.encode("utf-8", "replace")).digest()[:4], "big") / 2**32
    return TUNE if share < _TUNING_PART else JUDGE
