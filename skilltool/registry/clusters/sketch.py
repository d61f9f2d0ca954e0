"""What clustering keeps of a body: a digest of its normalised text, and a MinHash signature of its words.

Both are the same on every machine and in every process. `VERSION` names the algorithm: sketches of different
versions must not be compared.
"""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b
from typing import NamedTuple

from rensa import RMinHash

from skilltool.text.lazy_pattern import lazy_pattern

SIGNATURE = 128  # bytes: one for each permutation
SHINGLE = 3  # words; `shingles` spells them out
THRESHOLD = 0.7  # of the shingles of two bodies together are in both
VERSION = f"1 RMinHash {RMinHash.ALGORITHM_VERSION}"

_SEED = 22
_DIGEST = 16  # bytes
# Scripts without blanks between words (Thai, Lao, Myanmar, Khmer, kana, Han): each character is a word.
_CHARACTER = lazy_pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_BULLET = lazy_pattern(r"^[^\S\n]*[*+](?=\s)", re.MULTILINE)
_PIECE = 200
_LONG_WORD = lazy_pattern(rf"(?<!\S)(\S{{{_PIECE},}})")
_STRONG = lazy_pattern(r"\*{2,}")


class Sketch(NamedTuple):
    """What is kept of one body: 16 bytes, and `SIGNATURE` bytes."""

    normalised: bytes
    minhash: bytes


def sketch_of(body: str) -> Sketch:
    """Return the sketch of the body of a SKILL.md, which is its text after the frontmatter.

    The signature has the lowest byte of each of 128 permutations of the hashes of the body's shingles.
    """
    text = normalised_body(body)
    hashes = RMinHash(num_perm=SIGNATURE, seed=_SEED)
    hashes.update(shingles(text))
    lowest = bytes(value & 0xFF for value in hashes.digest())
    return Sketch(blake2b(text.encode(), digest_size=_DIGEST).digest(), lowest)


def normalised_body(body: str) -> str:
    """Return a text that is the same for bodies which differ in form only.

    Unicode NFC, without case; `*` and `+` of bullets become `-`; the `**` of strong text and byte order marks
    are removed; each run of whitespace and line ends becomes one space, none at either end.
    """
    body = body.encode("utf-8", "replace").decode()  # halves of surrogate pairs, which no UTF-8 has
    text = _composed(_composed(body).casefold())
    text = text.replace("\ufeff", "").replace("\r", "\n")
    if "*" in text or "+" in text:
        text = _STRONG.sub("", _BULLET.sub("-", text))
    return " ".join(text.split())


def _composed(text: str) -> str:
    """Return a text in NFC, words of `_PIECE` characters and more piece by piece.

    Python takes quadratic time for a run of combining characters: five minutes for one of 1 MiB.
    """
    if text.isascii():
        return text
    if max(map(len, text.split()), default=0) < _PIECE:
        return unicodedata.normalize("NFC", text)
    pieces: list[str] = []
    for at, part in enumerate(_LONG_WORD.split(text)):
        size = _PIECE if at % 2 else max(len(part), 1)
        pieces += [unicodedata.normalize("NFC", part[n : n + size]) for n in range(0, len(part), size)]
    return "".join(pieces)


def shingles(text: str) -> list[str]:
    """Return every run of `SHINGLE` words of a normalised text; a shorter text is one, an empty one has none.

    A word is what stands between spaces, or one character of a script without spaces between words.
    """
    words = (text if text.isascii() else _CHARACTER.sub(r" \g<0> ", text)).split(" ")
    words = [word for word in words if word] if "" in words else words
    if len(words) < SHINGLE:
        return [" ".join(words)] if words else []
    return [f"{one} {two} {three}" for one, two, three in zip(words, words[1:], words[2:], strict=False)]


def similarity(signatures: bytes | bytearray, one: int, other: int) -> float:
    """Return the estimated Jaccard similarity, from 0 to 1, of two of the signatures that are packed here."""
    first = int.from_bytes(signatures[one * SIGNATURE : (one + 1) * SIGNATURE])
    second = int.from_bytes(signatures[other * SIGNATURE : (other + 1) * SIGNATURE])
    equal = (first ^ second).to_bytes(SIGNATURE).count(0) / SIGNATURE
    return max((equal - _BY_CHANCE) / (1 - _BY_CHANCE), 0.0)


_BY_CHANCE = 1 / 256  # two bytes that have nothing to do with each other are equal
EMPTY = sketch_of("")
