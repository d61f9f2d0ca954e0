"""Clusters of copies, of three kinds: each exact cluster lies in a normalised one, and that in a near one.

- exact: the same content hash
- normalised: the same digest of the normalised body; an empty body is a copy of nothing
- near: the bodies have at least `THRESHOLD` of their shingles in common (estimated Jaccard similarity)

Near clusters are stars, not chains: a member is similar to the canonical member of its cluster, not only to
some other member. So a chain of copies in which each differs a little from the one before it falls into
several clusters, and two members of one differ by at most twice what `THRESHOLD` allows.

The result depends on the set of skills only, not on their order. A skill takes 176 bytes and its id.

A signature is cut into bands of four bytes. Two bodies whose similarity is 0.7 have a band in common with a
probability of 0.9998, two with 0.3 with one of 0.23; only those that have one are compared. How many share
its bands is how dense the neighbourhood of a body is. The original of a family is denser than each of its
copies, so it comes first and becomes a centre, and the others join it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from skilltool.registry.clusters.sketch import EMPTY, SIGNATURE, THRESHOLD, Sketch, similarity

_BAND = 4  # bytes; more miss pairs at the threshold, fewer compare more pairs far below it
_BANDS = SIGNATURE // _BAND
_COMPARED = 8  # the densest bodies of a band, to which the others with that band are compared
_KEPT = 8  # similar and denser bodies that each body remembers
_NONE = 0xFFFF_FFFF


def star_centres(signatures: bytearray, bodies: Sequence[int], weights: Sequence[int]) -> array[int]:
    """Return for each body the position in `bodies` of its centre, which may be its own.

    `signatures` are packed one after the other; `bodies` are numbers of signatures, `weights` how many skills
    have each. Of two bodies that are equally dense the one that comes first in `bodies` is preferred. At most
    `_BANDS * _COMPARED + _KEPT` comparisons for each body.
    """
    stars = _Stars(signatures, bodies, weights)
    return stars.centres()


class _Stars:
    def __init__(self, signatures: bytearray, bodies: Sequence[int], weights: Sequence[int]) -> None:
        self._signatures, self._bodies, self._weights = signatures, bodies, weights
        # Four bytes as one number: only whether they are equal counts, so the order of bytes does not matter.
        self._keys = memoryview(signatures).cast("I")
        self._density = self._densities()
        self._order = array("I", sorted(range(len(bodies)), key=lambda at: (-self._density[at], at)))

    def centres(self) -> array[int]:
        """Return the centre of each body: the most similar one among those of its denser neighbours."""
        neighbours = self._neighbours()
        centres = array("I", range(len(self._bodies)))
        for at in self._order:  # whatever is denser has its centre
            found = {centres[other] for other in neighbours[at * _KEPT : (at + 1) * _KEPT] if other != _NONE}
            alike = [(self._similarity(at, centre), self._density[centre], -centre) for centre in found]
            best = max(alike, default=(0.0, 0, 0))
            if best[0] >= THRESHOLD:
                centres[at] = -best[2]
        return centres

    def _densities(self) -> array[int]:
        """Return for each body how many skills share its bands, summed over the bands."""
        density = array("Q", bytes(8 * len(self._bodies)))
        for band in range(_BANDS):
            weights: dict[int, int] = {}
            for key, weight in zip(self._band(band), self._weights, strict=True):
                weights[key] = weights.get(key, 0) + weight
            for at, key in enumerate(self._band(band)):
                density[at] += weights[key]
        return density

    def _neighbours(self) -> array[int]:
        """Return `_KEPT` numbers for each body: those of denser bodies that are similar, then `_NONE`."""
        found = array("I", b"\xff" * (4 * _KEPT * len(self._bodies)))
        shared = [at for at in self._order if self._density[at] > _BANDS * self._weights[at]]
        for band in range(_BANDS):
            first: dict[int, tuple[int, ...]] = {}
            for at in shared:
                key = self._keys[self._bodies[at] * _BANDS + band]
                densest = first.get(key, ())
                for other in densest:
                    self._remember(found, at, other)
                if len(densest) < _COMPARED:
                    first[key] = (*densest, at)
        return found

    def _remember(self, found: array[int], at: int, other: int) -> None:
        start = at * _KEPT
        for slot in range(start, start + _KEPT):
            if found[slot] == other:
                return
            if found[slot] == _NONE:
                if self._similarity(at, other) >= THRESHOLD:
                    found[slot] = other
                return

    def _band(self, band: int) -> Iterator[int]:
        return (self._keys[number * _BANDS + band] for number in self._bodies)

    def _similarity(self, one: int, other: int) -> float:
        return similarity(self._signatures, self._bodies[one], self._bodies[other])


_CONTENT, _DIGEST = 32, 16  # bytes


class ClusterRow(NamedTuple):
    """One member of one cluster; skills without a copy are in none.

    `kind` is `exact`, `normalised` or `near`; `cluster` is the id of the cluster's canonical member, which is
    the one with the smallest content hash (and id), for near clusters that with most copies and neighbours.
    `size` is the number of members, `similarity` the estimated one to the canonical member, from 0 to 1.
    """

    skill_id: str
    kind: str
    cluster: str
    size: int
    similarity: float


class Clustering:
    """Takes skills one by one, in any order, and gives the clusters of all of them."""

    def __init__(self) -> None:
        """Begin with no skill."""
        self._ids: list[str] = []
        self._contents, self._digests, self._signatures = bytearray(), bytearray(), bytearray()

    def add(self, skill_id: str, content: bytes, sketch: Sketch) -> None:
        """Add a skill: `content` is the SHA-256 of its files. Raises ValueError for other lengths."""
        if (len(content), len(sketch.normalised), len(sketch.minhash)) != (_CONTENT, _DIGEST, SIGNATURE):
            raise ValueError(f"not a content hash and a sketch of {skill_id!r}")
        self._ids.append(skill_id)
        self._contents += content
        self._digests += sketch.normalised
        self._signatures += sketch.minhash

    def rows(self) -> Iterator[ClusterRow]:
        """Yield a row for each member of each cluster, by kind, then by content hash and id."""
        order = self._order()
        exact = self._exact(order)
        yield from self._rows("exact", order, exact)
        normalised = self._normalised(order, exact)
        yield from self._rows("normalised", order, normalised)
        yield from self._rows("near", order, self._near(order, normalised))

    def _order(self) -> array[int]:
        """Return the numbers of all skills by content hash, then by id, then by digest."""
        numbers = range(len(self._ids))
        return array("I", sorted(numbers, key=lambda n: (self._content(n), self._ids[n], self._digest(n))))

    def _exact(self, order: Sequence[int]) -> array[int]:
        """Return for each skill the first one with its content."""
        firsts = array("I", bytes(4 * len(order)))
        for _, same in groupby(order, self._content):
            first, *others = same
            for number in (first, *others):
                firsts[number] = first
        return firsts

    def _normalised(self, order: Sequence[int], exact: Sequence[int]) -> array[int]:
        """Return for each skill the first one with its normalised body."""
        firsts = array("I", exact)
        seen: dict[bytes, int] = {}
        for number in order:  # the first of each content comes before the others
            if exact[number] != number:
                firsts[number] = firsts[exact[number]]
            elif not self._is_empty(number):
                firsts[number] = seen.setdefault(self._digest(number), number)
        return firsts

    def _near(self, order: Sequence[int], normalised: Sequence[int]) -> array[int]:
        """Return for each skill the canonical member of its near cluster."""
        sizes = _sizes(normalised)
        bodies = array("I", (n for n in order if normalised[n] == n and not self._is_empty(n)))
        centres = star_centres(self._signatures, bodies, array("I", (sizes[n] for n in bodies)))
        canonical = array("I", normalised)
        for body, centre in zip(bodies, centres, strict=True):
            canonical[body] = bodies[centre]
        return array("I", (canonical[first] for first in normalised))

    def _rows(self, kind: str, order: Sequence[int], canonical: Sequence[int]) -> Iterator[ClusterRow]:
        sizes = _sizes(canonical)
        for number in order:
            centre = canonical[number]
            if sizes[centre] > 1:
                alike = similarity(self._signatures, number, centre) if kind == "near" else 1.0
                yield ClusterRow(self._ids[number], kind, self._ids[centre], sizes[centre], alike)

    def _content(self, number: int) -> bytes:
        return bytes(self._contents[number * _CONTENT : (number + 1) * _CONTENT])

    def _digest(self, number: int) -> bytes:
        return bytes(self._digests[number * _DIGEST : (number + 1) * _DIGEST])

    def _is_empty(self, number: int) -> bool:
        return self._digest(number) == EMPTY.normalised


def _sizes(canonical: Sequence[int]) -> array[int]:
    """Return how many skills have each skill as the canonical member of their cluster."""
    sizes = array("I", bytes(4 * len(canonical)))
    for number in canonical:
        sizes[number] += 1
    return sizes
