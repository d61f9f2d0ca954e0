"""Finds texts that have most of their words in common, without comparing each with each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from skilltool.text.lazy_pattern import lazy_pattern

ALIKE = 0.7  # of the words of two texts together, how many are in both
_MOST_COMPARED = 20
_MOST_CHARACTERS = 4096  # of a text are looked at
# Words, and single characters of scripts that put no blanks between them.
_WORD = lazy_pattern(
    r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+"
)


def words(text: str) -> Counter[str]:
    """Return the words of a text in lower case, each with how often it is there."""
    return Counter(_WORD.findall(text[:_MOST_CHARACTERS].casefold()))


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """Return how many of the words of two texts together are in both, from 0 to 1."""
    both = len(one & other)
    return both / (len(one) + len(other) - both) if both else 0.0


def similar(texts: Sequence[frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Yield, as indexes, texts with an earlier one to which they are at least `ALIKE`.

    A text that is like an earlier one is not compared with later ones. Two texts that are alike have one of their
    rarest words in common, of `n` words the `n - ALIKE * n + 1` rarest: each text is compared with those that have,
    but with no more than the `_MOST_COMPARED` that have most of them.
    """
    often = Counter(word for text in texts for word in text)
    having: dict[str, list[int]] = {}
    for number, text in enumerate(texts):
        rarest = sorted(text, key=lambda word: (often[word], word))[: _prefix(len(text))]
        shared: Counter[int] = Counter()
        for word in rarest:
            shared.update(having.get(word, ()))
        nearest = sorted(earlier for earlier, _count in shared.most_common(_MOST_COMPARED))
        found = next((earlier for earlier in nearest if alike(texts[earlier], text) >= ALIKE), None)
        if found is not None:
            yield number, found
            continue
        for word in rarest:
            having.setdefault(word, []).append(number)


def _prefix(size: int) -> int:
    return size - int(ALIKE * size) + 1 if size else 0
