"""Made-up bodies whose copies are known."""

from __future__ import annotations

import random
from collections.abc import Iterator
from hashlib import sha256
from typing import NamedTuple

from skilltool.registry.clusters.clustering import Clustering, ClusterRow
from skilltool.registry.clusters.sketch import sketch_of

_WORDS = [f"{first}{second}" for first in "bdfghklmnprst" for second in ("ae", "on", "ir", "us", "em")]


class Body(NamedTuple):
    """A body, its id, and the id of the original it is a copy of (its own, if it is none)."""

    id: str
    text: str
    family: str


def prose(chance: random.Random, words: int) -> str:
    """Return a text of made-up words."""
    return " ".join(chance.choices(_WORDS, k=words))


def edited(chance: random.Random, text: str, edits: int) -> str:
    """Return a copy in which some runs of one to three words are replaced by as many others."""
    words = text.split(" ")
    for _ in range(edits):
        at, length = chance.randrange(len(words)), chance.randint(1, 3)
        words[at : at + length] = prose(chance, length).split(" ")
    return " ".join(words)


def families(seed: int, count: int) -> Iterator[Body]:
    """Yield originals of 60 to 900 words, half of them with up to five copies: an edit for every 40 words.

    Half begin with the same 25 words, as the skills of one author do.
    """
    chance = random.Random(seed)
    template = prose(chance, 25)
    for number in range(count):
        length = chance.randint(60, 900)
        text = f"{template} {prose(chance, length)}" if chance.randrange(2) else prose(chance, length)
        family = f"{number:05d}"
        yield Body(family, text, family)
        if chance.randrange(2):
            for copy in range(chance.randint(1, 5)):
                yield Body(f"{family}-{copy}", edited(chance, text, length // 40), family)


def content_of(text: str) -> bytes:
    """Return a content hash for a skill that has nothing but this body."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def clustered(bodies: list[tuple[str, str]]) -> list[ClusterRow]:
    """Return the rows for ids and bodies, added in this order."""
    clustering = Clustering()
    for name, text in bodies:
        clustering.add(name, content_of(text), sketch_of(text))
    return list(clustering.rows())


def members(rows: list[ClusterRow], kind: str) -> dict[str, set[str]]:
    """Return the ids of the members of each cluster of a kind, by the id of the cluster."""
    found: dict[str, set[str]] = {}
    for row in rows:
        if row.kind == kind:
            found.setdefault(row.cluster, set()).add(row.skill_id)
    return found
