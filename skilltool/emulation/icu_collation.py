"""The order of JavaScript's `localeCompare`: ICU's root collation, for names of files and directories.

Punctuation comes before other signs, then currencies, digits and letters; letters are compared first without
accents and case, then by accents, then by case and forms such as `①` and `ﬁ`. Source: `Intl.Collator` of
Node.js with ICU 78.2, from whose order the tables are; the test holds this module to it. What they do not
have is in the order of code points, which is ICU's for Han, and nearly so for other scripts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

# ICU's order of signs that have no compatible form, and of currencies.
_SIGNS = (
    "\t\n\x0b\x0c\r\x85\u2028\u2029 _-\u2010\u2012\u2013\u2014\u2015\u2053,;\u204f:!¡?¿\u203d.·\u2055"
    "\u2056\u2058\u2059\u205a\u205b\u205c\u205d\u205e'\u2039\u203a\"«»()[]{}\u2045\u2046\u2016§¶"
    "\u204b@*\u204e\u2051/\\&\u204a#%\u2030\u2031\u2020\u2021\u2022\u2023\u2027\u2043\u204c\u204d"
    "\u2032\u2035\u2038\u203b\u203f\u2054\u2040\u2050\u2041\u2042`^°©®+±÷×<=>¬|¦~\u2052\u2044"
)
_CURRENCIES = "¤¢$£¥₠₡₢₣₤₥₦₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿⃀⃁₧"
# ICU's order of Latin letters without an accent.
_LATIN = (
    "aɐɑɒbʙƀɓƃcȼƈɕdɖɗƌȡeɇǝəɛɘɚɜɝɞʚɤfƒgɡɢǥɠʛɣƣhʜƕɦɧiıɪɨɩjȷɉʝɟʄkƙʞlʟƚɫɬɭȴɮƛʎmɱnɴɲƞɳȵŋoɶɔɵɷȣpƥɸqʠɋĸrʀɍɹɺ"
    "ɻɼɽɾɿʁsʂȿʃƪʅʆtŧƫƭʈȶʇuʉɥʮʯɯɰʊvʋʌwʍxyʏɏƴȝzƍƶȥʐʑɀʒƹƺʓþƿƻƨƽƅʔɂʕʡʢʖǀǁǂǃʗʘʬʭ"
)
_OTHER_SIGN, _CURRENCY, _DIGIT, _LETTER, _OTHER_LETTER = 1000, 1_500_000, 2_000_000, 3_000_000, 3_001_000
_RANK = (
    {sign: rank for rank, sign in enumerate(_SIGNS)}
    | {sign: _CURRENCY + rank for rank, sign in enumerate(_CURRENCIES)}
    | {letter: _LETTER + rank for rank, letter in enumerate(_LATIN)}
)
# Acute, grave, breve, circumflex, caron, ring, diaeresis, double acute, tilde, dot, cedilla, ogonek, macron.
_MARKS = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0327\u0328\u0304"
# Letters and quotes that ICU sorts as others with an accent.
_ACCENTED = {
    "ø": "o\u0338",
    "ł": "l\u0335",
    "đ": "d\u0335",
    "ð": "d\u0338",
    "ħ": "h\u0335",
    "æ": "a\u0338e",
    "œ": "o\u0338e",
    "‘": "'\u0301",
    "’": "'\u0300",
    "‚": "'\u0306",
    "‛": "'\u0302",
    "“": '"\u0301',
    "”": '"\u0300',
    "„": '"\u0306',
    "‟": '"\u0302',
}
_WITH_ACCENTS = str.maketrans(_ACCENTED | {each.upper(): text.upper() for each, text in _ACCENTED.items()})
# What ICU counts of a form, last of all, by its tag in Unicode; of a capital letter in that form.
_FORMS = {
    "": (2, 8),
    "<wide>": (3, 9),
    "<compat>": (4, 10),
    "<font>": (5, 11),
    "<circle>": (6, 12),
    "<narrow>": (18, 18),
    "<super>": (20, 29),
    "<sub>": (21, 29),
    "<vertical>": (22, 22),
    "<initial>": (23, 23),
    "<medial>": (24, 24),
    "<final>": (25, 25),
    "<isolated>": (26, 26),
    "<noBreak>": (27, 27),
    "<square>": (28, 29),
    "<fraction>": (30, 30),
}

Key = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=4096)
def collation_key(text: str) -> Key:
    """Return the key by which ICU sorts a text: letters and signs, then accents, then case and form."""
    if text.isascii() and text.isalnum() and text.islower():
        return tuple(map(_primary, text)), (0,) * len(text), (2,) * len(text)
    primary: list[int] = []
    accents: list[int] = []
    forms: list[int] = []
    for character, (form, of_capital) in _parts(text):
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
            forms.append(form if base == character else of_capital if character.isupper() else 4)
    return tuple(primary), tuple(accents), tuple(forms)


def _parts(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield what the characters of a text are made of, each with what counts of the form it has."""
    for character in unicodedata.normalize("NFD", text.translate(_WITH_ACCENTS)):
        tag, _, _ = unicodedata.decomposition(character).rpartition(">")
        form = _FORMS[f"{tag}>" if tag else ""]
        for part in unicodedata.normalize("NFKD", character):
            yield part, form


def _primary(character: str) -> int:
    if character in _RANK:
        return _RANK[character]
    if character.isdigit():
        return _DIGIT + unicodedata.digit(character, 0)
    return (_OTHER_LETTER if character.isalpha() else _OTHER_SIGN) + ord(character)
