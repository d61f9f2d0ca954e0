"""Which characters of a text does Claude Code show, and which names of directories does it take?

Source: what version 2.1.329 listed for every code point up to U+FFFF and the emoji, alone and beside
joiners, and for emoji sequences; `characters.json` has the classes. It shows what Unicode calls a recommended
emoji, and a joiner where it changes letters: between Arabic letters that join, and in Indic conjuncts.
Unassigned is what Unicode 17 does not assign.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

from skilltool.emulation.javascript import trim
from skilltool.text.lazy_pattern import lazy_pattern

_PLAIN = lazy_pattern(r"[ -;=?-~]*")
# ECMA-48: control sequences, strings up to their end or that of the text, and escapes of few characters.
_ESCAPES = lazy_pattern(
    r"(?:\x1b\[|\x9b)[^@-~]*(?:[@-~]|\Z)"
    r"|(?:\x1b\]|\x9d)[\s\S]*?(?:\x07|\x1b\\|\x9c|\Z)"
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f])[\s\S]*?(?:\x1b\\|\x9c|\Z)"
    r"|\x1b[ -/]*[0-~]|\x1b"
)
# Letters and marks that are seen as nothing, and the pattern of Braille without dots.
_INVISIBLE = lazy_pattern(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U0001107f\U00016fe4\U000e0100-\U000e01ef]"
)
_HIDDEN = frozenset({"Cc", "Cf", "Cn", "Co", "Zl", "Zp"})
_KEPT_SOMETIMES = lazy_pattern("[\u200c\u200d\ufe0f\U000e007f]")
_NUKTA = 0x3C  # in the block of each Indic script


def clean(text: str) -> str:
    """Return text as the listing has it: one space for each run of what is not shown, `<` and `>` escaped."""
    if _PLAIN.fullmatch(text):
        return text
    text = _ESCAPES.sub("", text)
    hidden = "".join(filter(_is_hidden, sorted(set(text))))
    if hidden:
        text = _without(hidden, text)
    return text.replace("<", "&lt;").replace(">", "&gt;")


def is_directory_name(name: str) -> bool:
    """Return whether a directory of this name is taken for a skill: where all of the name is seen as it is.

    It has no other spaces than U+0020, none at an end and no two in a row, nothing that the listing replaces,
    no object replacement character, and marks and joining letters only after a letter of their script.
    """
    if name != trim(name) or "  " in name or name != clean(name):
        return False
    return name.isascii() or all(map(_fits, name, " " + name[:-1]))


def _is_hidden(character: str) -> bool:
    if unicodedata.category(character) in _HIDDEN:
        return not _assigned().match(character)
    return _INVISIBLE.match(character) is not None


def _without(hidden: str, text: str) -> str:
    run = f"[{re.escape(hidden)}]"
    if not _KEPT_SOMETIMES.search(text):
        return re.sub(f"{run}+", " ", text)
    joiner = _kept_joiner()
    tokens = re.compile(f"(?P<kept>{_emoji()}|{joiner})|(?:(?!{joiner}){run})+")
    return tokens.sub(lambda match: match["kept"] or " ", text)


def _fits(character: str, before: str) -> bool:
    """Return whether a character may follow another one in the name of a directory."""
    category = unicodedata.category(character)
    if character == "\ufffc" or (category == "Zs" and character != " "):
        return False
    if character in "\ufe0f\u20e3":  # `clean` leaves the first one in an emoji only
        return character == "\ufe0f" or before == "\ufe0f"
    if _JOINING_HANGUL.match(character):
        return _JOINING_HANGUL.match(before) is not None or "\u1100" <= before <= "\u115e"
    if category[0] != "M":
        return True
    if _any_script().match(character):
        return before != " "
    return _script(character) == _script(before)


_JOINING_HANGUL = lazy_pattern("[\u1161-\u11ff\ud7b0-\ud7fb]")


def _script(character: str) -> str:
    """Return the script of a letter or mark, by its name."""
    first, second, *_ = (*unicodedata.name(character, "").split(), "", "")
    return second if first == "COMBINING" else first


@cache
def _emoji() -> str:
    """Return the expression for what has more than one character among the recommended emoji."""
    data = _data()

    def toned(part: str) -> str:
        """Return a part of a sequence with a skin tone: one that stands without U+FE0F must have one."""
        needed = len(part) == 1 and part in data["before_variation"]
        return f"{part[0]}[\U0001f3fb-\U0001f3ff]{'' if needed else '?'}{part[1:]}"

    sequences = (sequence.split("\u200d") for sequence in sorted(data["joined"], key=len, reverse=True))
    joined = ["\u200d".join(map(toned, sequence)) for sequence in sequences]
    flags = (
        f"\U0001f3f4{''.join(chr(0xE0000 + ord(letter)) for letter in name)}\U000e007f"
        for name in data["flags"]
    )
    variations = f"[{data['before_variation']}]\ufe0f", f"[{re.escape(data['keycaps'])}]\ufe0f\u20e3"
    return "|".join((*joined, *flags, *variations))


@cache
def _kept_joiner() -> str:
    """Return the expression for a joiner between letters that it changes."""
    data = _data()
    before, after = _class(data["arabic_before"]), _class(data["arabic_after"])
    contexts = [f"(?<={before}{mark})\u200c(?={after})" for mark in ("", "[\u064b-\u065f]")]
    for row in data["conjuncts"]:
        consonants, virama = _class(row["consonants"]), chr(int(row["virama"], 16))
        nukta = chr(ord(virama) & ~0x7F | _NUKTA)
        joiners = _class(row["joiners"])
        contexts += [f"(?<={consonants}{mark}{virama}){joiners}(?={consonants})" for mark in ("", nukta)]
    return f"(?:{'|'.join(contexts)})"


@cache
def _assigned() -> re.Pattern[str]:
    """Return what finds a character that is younger than the Unicode of this Python may be."""
    return re.compile(_class(_data()["assigned"]))


@cache
def _any_script() -> re.Pattern[str]:
    return re.compile(_class(_data()["any_script"]))


def _class(ranges: str) -> str:
    """Return ranges such as `0620 0622-063F` as a character class."""
    ends = ([chr(int(end, 16)) for end in each.split("-")] for each in ranges.split())
    return f"[{''.join('-'.join(each) for each in ends)}]"


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(__file__).with_name("characters.json").read_text("utf-8"))
    return found
