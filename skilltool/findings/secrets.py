"""Finds secrets in a text by the prefixes that services give them, and hides them in all that is shown of it.

The formats are in `schemas/secrets.json`, each with its source. A value that only stands for a secret, as in
documentation, is none: it has a word such as EXAMPLE in it, or characters that nobody drew at random.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

from skilltool._resources import data
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Source, Span

_HIDDEN = "*"
_SHOWN_AT_THE_END = 2  # characters of a secret
_LEAST_ENTROPY = 3.0  # bits per character; 16 random characters of AWS have 3.5, 32 random digits in hex 3.7
_LEAST_ENTROPY_OF_KEY = 4.0  # of 6 that Base64 can have; keys begin with fixed bytes, and may have zeros
_LONGEST_RUN = 5  # characters one after the other in the alphabet: `12345`, `fedcb`
_LONGEST_APART = 6  # the same, of digits or letters only: `a1b2c3d4e5f6`
_PIECE = lazy_pattern(r"[A-Za-z0-9]{6,}")
_NOT_LINE_END = lazy_pattern(r"[^\r\n]")
_MOST_COMPARED = 100_000  # characters of secrets; of more, every long word of a message is hidden
_LONG_PIECE = 12
_FEWEST_IN_KEY = 60  # characters of Base64; the shortest keys, of Ed25519, have 64
_MOST_IN_KEY = 30_000  # characters between the lines that begin and end a private key
# Where a word of such characters begins, a secret can begin; the shortest has 20.
_IN_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_-")
_WORDS = bytes(ord("a") if byte in _IN_WORD else ord(" ") for byte in range(256))
_LONG_WORD, _DOT = b"a" * 20, ord(".")
_DASHES = lazy_pattern(rb"[-_]*")
_KEY_MARK = b"private key"
# What is between the lines of a private key besides Base64: fields, line ends, quotes and marks of comments.
_KEY_FIELD = lazy_pattern(
    r"(?:[A-Z][A-Za-z]+-[A-Z][a-z]+: [\w,-]+|(?:Version|Comment|Hash|Charset): [^\n\\]*)"
)
_LINE_NOISE = lazy_pattern(r"\\+[nr]?|[\s\"'`,>#|*]+")
_BASE64 = lazy_pattern(rf"[A-Za-z0-9+/=]{{{_FEWEST_IN_KEY},}}")


class Secret(NamedTuple):
    """A secret in a text: what it is, all of it that may be shown, where it is, and the part to hide.

    `what` continues the sentence "contains ...". `is_half` is True for what gives access only together with a
    second value, and the text has none that looks like it: an access key ID.
    """

    what: str
    shown: str
    span: Span
    hidden: Span
    is_half: bool = False


def secrets_of(source: Source) -> tuple[Secret, ...]:
    """Return the secrets in a text in their order; they are searched for once."""
    return source.once(_secrets)


def hidden(source: Source, span: Span) -> str:
    """Return the characters of a span, those to hide replaced; the length stays."""
    secrets = secrets_of(source)
    parts, at = [], span.start
    for secret in secrets[bisect_right(secrets, span.start, key=_end_of_hidden) :]:
        start, end = max(secret.hidden.start, at), min(secret.hidden.end, span.end)
        if secret.hidden.start >= span.end:
            break
        parts += [source.text[at:start], _NOT_LINE_END.sub(_HIDDEN, source.text[start:end])]
        at = end
    return "".join([*parts, source.text[at : span.end]])


def without_secrets(text: str) -> str:
    """Return a text with its secrets hidden; the length stays."""
    if len(text) < len(_LONG_WORD):
        return text
    source = Source(text)
    return hidden(source, Span(0, len(text))) if secrets_of(source) else text


class Concealer:
    """Hides the secrets of some files in messages, which may have only a part of one."""

    def __init__(self, sources: Iterable[Source]) -> None:
        """Take the files; nothing is done for those without secrets."""
        found = [(source, secret) for source in sources for secret in secrets_of(source)]
        self._values = "\0".join(source[secret.span] for source, secret in found)
        # The same in every secret of a kind: `github` of a prefix, `PRIVATE` of a line.
        self._common = "\0".join({secret.shown for _, secret in found})

    def __bool__(self) -> bool:
        return bool(self._values)

    def __call__(self, text: str) -> str:
        """Return a text without the words that are part of a secret; the length stays."""
        return _PIECE.sub(self._piece, text) if self._values else text

    def _piece(self, match: re.Match[str]) -> str:
        piece = match[0]
        if len(self._values) > _MOST_COMPARED:
            is_part = len(piece) >= _LONG_PIECE
        else:
            is_part = piece in self._values and piece not in self._common
        return _HIDDEN * len(piece) if is_part else piece


def _end_of_hidden(secret: Secret) -> int:
    return secret.hidden.end


def _beginnings(folded: bytes) -> Iterator[int]:
    """Yield where in a text, in lower case, a long word begins as a secret does.

    As few passes over the text as possible: this is asked of every file.
    """
    formats = _formats()
    beginnings, words = formats.beginnings, folded.translate(_WORDS)
    at = words.find(_LONG_WORD)
    while at >= 0:
        if folded[at] in b"-_" and (dashes := _DASHES.match(folded, at)):  # as in `${TOKEN:-ghp_...}`
            at = dashes.end()
        if folded[at : at + 3] in beginnings:
            yield at
        if folded[at - 1] == _DOT and at:
            yield from (at - len(each) for each in formats.dotted if folded.endswith(each, 0, at))
        end = words.find(b" ", at)
        at = words.find(_LONG_WORD, end) if end >= 0 else -1


class _Formats(NamedTuple):
    """The table, ready for use.

    In lower case, `beginnings` are the first three characters of secrets, `dotted` the prefixes with a dot.
    """

    rows: list[dict[str, Any]]
    kinds_of_key: list[str]
    beginnings: frozenset[bytes]
    dotted: tuple[bytes, ...]
    words: tuple[str, ...]
    samples: tuple[str, ...]


@cache
def _formats() -> _Formats:
    table = json.loads((data("schemas") / "secrets.json").read_text("utf-8"))
    rows = table["formats"]
    prefixes = tuple(row["prefix"].lower().encode() for row in rows)
    return _Formats(
        rows,
        table["private_keys"]["kinds"],
        frozenset((prefix + bytes([more]))[:3] for prefix in prefixes for more in _IN_WORD),
        tuple(prefix for prefix in prefixes if prefix.endswith(b".")),
        tuple(table["words"]),
        tuple(sample["text"] for sample in table["samples"]),
    )


# Few texts have what may be a secret: these expressions take 2 ms to compile.
@cache
def _token() -> re.Pattern[str]:
    """Return the expression with a group for each format, numbered as its row in the table."""
    each = "|".join(
        f"(?P<f{number}>{re.escape(row['prefix'])}(?:{row['rest']}))"
        for number, row in enumerate(_formats().rows)
    )
    return re.compile(rf"(?<![A-Za-z0-9])(?:{each})(?![A-Za-z0-9_-]|\.\.\.|\u2026|\*)")


@cache
def _private_key() -> re.Pattern[str]:
    kinds = "|".join(map(re.escape, _formats().kinds_of_key))
    return re.compile(
        rf"(-----BEGIN (?P<kind>{kinds})PRIVATE KEY(?: BLOCK)?-----)"
        rf"(?P<body>(?:[^-]|-(?!-)){{1,{_MOST_IN_KEY}}})"
        rf"-----END (?P=kind)PRIVATE KEY(?: BLOCK)?-----"
    )


def _secrets(source: Source) -> tuple[Secret, ...]:
    folded = source.folded
    tokens = _tokens(source.text) if next(_beginnings(folded), None) is not None else ()
    keys = _private_keys(source.text) if _KEY_MARK in folded else ()
    return tuple(sorted([*tokens, *keys], key=lambda secret: secret.span)) if tokens or keys else ()


def _tokens(text: str) -> Iterator[Secret]:
    formats = _formats()
    for at in _beginnings(text.encode("ascii", "replace").lower()):  # one byte for each character
        match = _token().match(text, at)
        if match is None:
            continue
        row = formats.rows[int((match.lastgroup or "f0")[1:])]
        prefix, value = row["prefix"], match[0].removeprefix(row["prefix"])
        if not _stands_for_a_secret(value, mixed=row.get("mixed", False)):
            begin, end = match.span()
            shown = f"{prefix}\u2026{value[-_SHOWN_AT_THE_END:]}"
            to_hide = Span(begin + len(prefix), end - _SHOWN_AT_THE_END)
            yield Secret(row["what"], shown, Span(begin, end), to_hide, _lacks_other_half(row, text))


def _lacks_other_half(row: dict[str, Any], text: str) -> bool:
    """Return whether a value gives access only with a second one, and the text has none that looks so."""
    half = row.get("other_half")
    words = re.finditer(rf"(?<![A-Za-z0-9/+])(?:{half})(?![A-Za-z0-9/+])", text) if half else ()
    return half is not None and all(_stands_for_a_secret(word[0], mixed=True) for word in words)


def _private_keys(text: str) -> Iterator[Secret]:
    for match in _private_key().finditer(text):
        value = _LINE_NOISE.sub("", _KEY_FIELD.sub("", match["body"]))
        if _BASE64.fullmatch(value) and _entropy(value) >= _LEAST_ENTROPY_OF_KEY:
            yield Secret("a private key", match[1], Span(*match.span()), Span(*match.span("body")))


def _stands_for_a_secret(value: str, *, mixed: bool) -> bool:
    """Return whether nobody drew the characters of a value at random: a placeholder, or words."""
    formats = _formats()
    folded = value.lower()
    if any(word in folded for word in formats.words) or any(part in value for part in formats.samples):
        return True
    if mixed and (value.upper() == value or folded == value):
        return True
    digits = "".join(filter(str.isdigit, folded))
    letters = "".join(filter(str.isalpha, folded))
    return (
        _entropy(value) < _LEAST_ENTROPY
        or _is_repetitive(value)
        or _longest_run(folded) >= _LONGEST_RUN
        or max(_longest_run(digits), _longest_run(letters)) >= _LONGEST_APART
    )


def _entropy(value: str) -> float:
    """Return the bits per character that the frequencies of the characters of a value need."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


def _is_repetitive(value: str) -> bool:
    """Return whether a third of the parts of a value, each of six characters, are in it more than once."""
    parts = [value[at : at + 6] for at in range(len(value) - 5)]
    return 3 * len(set(parts)) < 2 * len(parts)


def _longest_run(value: str) -> int:
    """Return how many characters follow one another as in the alphabet, backwards, or are the same."""
    longest = length = 1
    before = None
    for one, other in pairwise(value):
        step = ord(other) - ord(one)
        length = length + 1 if step == before and step in (-1, 0, 1) else 2 if step in (-1, 0, 1) else 1
        before = step
        longest = max(longest, length)
    return longest
