"""The order of JavaScript's `localeCompare`: ICU's root collation, for names of files and directories.

Punctuation comes before digits, digits before letters; letters are compared first without accents and case,
then by accents, then lower case before upper case. Source: `Intl.Collator` of Node.js with ICU 78.2; the
test holds this module to it. Beyond Latin-1, punctuation and scripts are in the order of their code points,
which is ICU's for Han, and nearly so for other scripts.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

# ICU's order of what is no letter and no digit in ASCII and Latin-1.
_SIGNS = "\t\n\v\f\r\x85 _-,;:!¡?¿.·'\"«»()[]{}§¶@*/\\&#%`´^¯¨¸°©®+±÷×<=>¬|¦~¤¢$£¥"
_RANK = {sign: rank for rank, sign in enumerate(_SIGNS)}
# Acute, grave, breve, circumflex, caron, ring, diaeresis, double acute, tilde, dot, cedilla, ogonek, macron.
_MARKS = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0327\u0328\u0304"
_STROKES = str.maketrans({"ø": "o\u0338", "Ø": "O\u0338", "ł": "l\u0335", "Ł": "L\u0335"})
_OTHER_SIGN, _DIGIT, _LETTER = 1000, 2_000_000, 3_000_000

Key = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=4096)
def collation_key(text: str) -> Key:
    """Return the key by which ICU sorts a text: letters and signs, then accents, then case."""
    if text.isascii() and text.isalnum() and text.islower():
        return tuple(map(_primary, text)), (0,) * len(text), (0,) * len(text)
    primary: list[int] = []
    accents: list[int] = []
    cases: list[int] = []
    for character in unicodedata.normalize("NFKD", text.translate(_STROKES)):
        category = unicodedata.category(character)
        if category.startswith("M"):
            if accents:
                accents[-1] = accents[-1] * 0x110000 + (_MARKS.find(character) + 1 or ord(character))
            continue
        if category in ("Cc", "Cf") and character not in _RANK:
            continue
        for base in character.casefold():
            primary.append(_primary(base))
            accents.append(0)
            cases.append(int(base != character))
    return tuple(primary), tuple(accents), tuple(cases)


def _primary(character: str) -> int:
    if character in _RANK:
        return _RANK[character]
    if character.isdigit():
        return _DIGIT + unicodedata.digit(character, 0)
    return (_LETTER if character.isalpha() else _OTHER_SIGN) + ord(character)
