"""Stars of similar bodies, by locality-sensitive hashing: near-linear in their number, in bounded memory.

A signature is cut into bands of four bytes. Two bodies whose similarity is 0.7 have a band in common with a
probability of 0.9998, two with 0.3 with one of 0.23; only those that have one are compared. How many share
its bands is how dense the neighbourhood of a body is. The original of a family is denser than each of its
copies, so it comes first and becomes a centre, and the others join it.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence

from skilltool.registry.clusters.sketch import SIGNATURE, THRESHOLD, similarity

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
