"""Which skill do the words of a prompt point to? BM25 over names and descriptions; no model, no download.

It is a comparison of words, and says nothing about what a model would do: a model knows that a slide deck is
a presentation. What it does say is which descriptions a router has little to tell apart by.

The score is Okapi BM25 with the weights of Lucene (Robertson and Zaragoza 2009; k1 = 1.2, b = 0.75), whose
inverse document frequency is never negative: that of SQLite's FTS5 is zero for a word in half of the texts,
and an author has five skills. `bm25s` and `rank-bm25` need numpy, which is 20 MB for these ten lines, and
do not tell the share of each word, which is what an author wants to see. Stems are those of Snowball.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

from skilltool.rules.shared.similar_texts import words as words_of

_K1, _B = 1.2, 0.75
# English words that are in prompts and descriptions of every subject: articles, pronouns, prepositions,
# auxiliaries, and what descriptions of skills begin with. Chosen by hand; only these are left out.
_FUNCTION_WORDS = """
a about above after again all also an and any are as at be because been before being below between
both but by can could did do does doing don down during each either etc few for from further get had
has have having he her here him his how i if in into is it its just like ll make me more most my
need needs no nor not now of off on once only or other our out over own per please re s same she
should so some such t than that the their them then there these they this those through to too under
until up us use used user users uses using ve very via want wants was we were what when where
whether which while who why will with within without would you your skill skills ask asks asked
asking mention mentions mentioned help e g ie eg
"""
_STOP = frozenset(_FUNCTION_WORDS.split())


class Weighed(NamedTuple):
    """A word as it is written, and its share of a score."""

    word: str
    weight: float


class Ranked(NamedTuple):
    """A skill in the ranking of a prompt: its key, its score, and the words that made it, heaviest first."""

    key: str
    score: float
    words: tuple[Weighed, ...]


class Close(NamedTuple):
    """Two skills, how alike they are from 0 to 1, and the words that they share, heaviest first."""

    one: str
    other: str
    likeness: float
    words: tuple[str, ...]


@cache
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("english")


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word))


def _telling(text: str) -> Iterator[tuple[str, str, int]]:
    """Yield the words that tell subjects apart: stem, word, and how often the text has it."""
    for word, number in words_of(text).items():
        stem = _stem(word)
        if not (word in _STOP or stem in _STOP or (len(word) == 1 and word.isascii() and word.isalpha())):
            yield stem, word, number


@lru_cache(maxsize=16_384)
def stems(text: str) -> Mapping[str, str]:
    """Return the stems of the words that tell subjects apart, each with the first word that has it."""
    found: dict[str, str] = {}
    for stem, word, _ in _telling(text):
        found.setdefault(stem, word)
    return found


def _counted(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for stem, _, number in _telling(text):
        found[stem] += number
    return found


class Index:
    """Texts of skills by their keys, as a router sees them; a key counts as words of its text."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        """Take the keys and what is listed of each."""
        self.texts = dict(texts)
        counted = {key: _counted(f"{key.replace('_', ' ')} {text}") for key, text in self.texts.items()}
        sizes = {key: sum(found.values()) for key, found in counted.items()}
        average = sum(sizes.values()) / len(sizes) if sizes else 0.0
        self._weights: dict[str, dict[str, float]] = {}  # by stem, then by key
        for key, found in counted.items():
            norm = _K1 * (1 - _B + _B * sizes[key] / average) if average else _K1
            for stem, number in found.items():
                self._weights.setdefault(stem, {})[key] = number / (number + norm)
        for having in self._weights.values():
            rarity = math.log(1 + (len(self.texts) - len(having) + 0.5) / (len(having) + 0.5))
            for key in having:
                having[key] *= rarity
        self._rankings: dict[str, list[Ranked]] = {}
        self._stems = {key: tuple(found) for key, found in counted.items()}

    def ranked(self, prompt: str) -> list[Ranked]:
        """Return the skills that have a word of the prompt, the best first; equal ones by their keys."""
        if prompt not in self._rankings:
            self._rankings[prompt] = self._ranked(prompt)
        return self._rankings[prompt]

    def _ranked(self, prompt: str) -> list[Ranked]:
        shares: dict[str, list[Weighed]] = {}
        for stem, word in stems(prompt).items():
            for key, weight in self._weights.get(stem, {}).items():
                shares.setdefault(key, []).append(Weighed(word, weight))
        found = [
            Ranked(
                key, sum(each.weight for each in words), tuple(sorted(words, key=lambda each: -each.weight))
            )
            for key, words in shares.items()
        ]
        return sorted(found, key=lambda each: (-round(each.score, 9), each.key))

    def has(self, key: str, stem: str) -> bool:
        """Return whether a skill's text has a word with this stem."""
        return key in self._weights.get(stem, {})

    def close(self, least: float) -> list[Close]:
        """Return the pairs of skills that are at least so much alike, the closest first.

        The likeness is how much of the weight of all the words of one is in the words that both have: the
        mean of both directions, so that a short text in a long one is not the same as two equal ones.
        """
        whole = {key: sum(self._weights[stem][key] for stem in having) for key, having in self._stems.items()}
        both: dict[tuple[str, str], float] = {}
        for having in self._weights.values():
            if 1 < len(having) <= max(2, len(self.texts) // 2):  # a word of most texts tells nothing apart
                for one, other in combinations(sorted(having), 2):
                    both[one, other] = both.get((one, other), 0.0) + min(having[one], having[other])
        found = [
            Close(one, other, likeness, self._shared(one, other))
            for (one, other), shared in both.items()
            if (likeness := (shared / whole[one] + shared / whole[other]) / 2) >= least
        ]
        return sorted(found, key=lambda each: (-each.likeness, each.one, each.other))

    def _shared(self, one: str, other: str) -> tuple[str, ...]:
        written = stems(f"{one} {self.texts[one]}")
        shared = [stem for stem in self._stems[one] if self.has(other, stem)]
        shared.sort(key=lambda stem: -min(self._weights[stem][one], self._weights[stem][other]))
        return tuple(written.get(stem, stem) for stem in shared)


def rank_of(ranking: Sequence[Ranked], keys: Iterable[str]) -> int | None:
    """Return the rank of the best of some skills, from 1, or None; others with the same score come before."""
    wanted = set(keys)
    best = next((each for each in ranking if each.key in wanted), None)
    if best is None:
        return None
    return 1 + sum(
        each.score > best.score - 1e-9 and each.key not in wanted for each in ranking if each is not best
    )


def decisive(better: Ranked, worse: Ranked | None) -> Iterator[Weighed]:
    """Yield the words by which one skill is before another, heaviest first."""
    others = {each.word: each.weight for each in worse.words} if worse is not None else {}
    gains = [Weighed(each.word, each.weight - others.get(each.word, 0.0)) for each in better.words]
    yield from sorted((gain for gain in gains if gain.weight > 0), key=lambda gain: -gain.weight)
