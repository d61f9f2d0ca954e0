"""Resolves plain scalars by the core schema of YAML 1.2, and by YAML 1.1.

Sources: YAML 1.2.2, section 10.3.2 (core schema); the YAML 1.1 type repository
(https://yaml.org/type/: null, bool, int, float, timestamp, merge), which PyYAML and yaml.v2 follow.

Where PyYAML deviates from the repository, this module follows the repository: `y` and `n` are booleans, and
`-.5` is a number. Numbers longer than `_MAX_DIGITS` are floats in YAML 1.2, strings in 1.1. Dates that do
not exist (`2026-13-45`) are dates here, but an error in PyYAML; a prefix without digits (`0x_`) is a string.
"""

from __future__ import annotations

import re

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_CORE_BOOL = r"(?:true|True|TRUE)|(?:false|False|FALSE)"
_CORE_INT = r"[-+]?[0-9]+|0o(?P<octal>[0-7]+)|0x(?P<hex>[0-9a-fA-F]+)"
_CORE_FLOAT = (
    r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
    r"|(?P<inf>[-+]?\.(?:inf|Inf|INF))|(?P<nan>\.(?:nan|NaN|NAN))"
)

_OLD_TRUE = r"y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON"
_OLD_FALSE = r"n|N|no|No|NO|false|False|FALSE|off|Off|OFF"
_OLD_INT = (
    r"(?P<sign>[-+]?)(?:0b(?P<binary>[01_]+)|0x(?P<hex>[0-9a-fA-F_]+)|(?P<sexagesimal>[1-9][0-9_]*(?::[0-5]?[0-9])+)"
    r"|0(?P<octal>[0-7_]+)|(?P<decimal>0|[1-9][0-9_]*))"
)
_OLD_FLOAT = (
    r"(?P<sign>[-+]?)(?:(?P<plain>(?:[0-9][0-9_]*)\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)"
    r"|(?P<sexagesimal>[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*)|(?P<inf>\.(?:inf|Inf|INF)))|(?P<nan>\.(?:nan|NaN|NAN))"
)
_OLD_TIMESTAMP = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)

# In any case; everything else that starts with a letter is a string.
_OLD_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})

# Python writes no integer of more than 4,300 decimal digits (`sys.int_info`), which are 3,571 hexadecimal.
_MAX_DIGITS = 3500


class Timestamp(str):
    """The text of a scalar that YAML 1.1 reads as a date or time."""

    __slots__ = ()


ScalarValue = str | int | float | bool | None


def core_value(text: str) -> ScalarValue:
    """Return the value of a plain scalar by the YAML 1.2 core schema: None, bool, int, float or str."""
    if text in _NULLS:
        return None
    if text[0] in "tTfF":
        return text.lower() == "true" if re.fullmatch(_CORE_BOOL, text) else text
    if text[0] not in "-+.0123456789":
        return text
    if m := re.fullmatch(_CORE_INT, text):
        return _whole(m["octal"] or m["hex"] or text, 8 if m["octal"] else 16 if m["hex"] else 10)
    if m := re.fullmatch(_CORE_FLOAT, text):
        return float(text.replace(".", "", 1)) if m["inf"] or m["nan"] else float(text)
    return text


def _whole(digits: str, base: int) -> int | float:
    """Return an integer; of one too long for Python the float, as JavaScript reads it: mostly an infinity."""
    if len(digits) <= _MAX_DIGITS:
        return int(digits, base)
    if base == 10:
        return float(digits)
    return float("inf") if digits.strip("0") else 0.0


def yaml11_value(text: str) -> ScalarValue:
    """Return the value of a plain scalar by YAML 1.1; a date or time is a `Timestamp`."""
    if text[:1].isalpha() and text.lower() not in _OLD_WORDS:
        return text
    if text in _NULLS:
        return None
    if re.fullmatch(_OLD_TRUE, text) or re.fullmatch(_OLD_FALSE, text):
        return bool(re.fullmatch(_OLD_TRUE, text))
    if len(text) > _MAX_DIGITS:
        return text
    if m := re.fullmatch(_OLD_INT, text):
        return _old_int(m)
    if m := re.fullmatch(_OLD_FLOAT, text):
        return _old_float(m)
    if re.fullmatch(_OLD_TIMESTAMP, text):
        return Timestamp(text)
    return text


def _old_int(m: re.Match[str]) -> int | str:
    sign = -1 if m["sign"] == "-" else 1
    if m["sexagesimal"]:
        value = 0
        for part in m["sexagesimal"].replace("_", "").split(":"):
            value = value * 60 + int(part)
        return sign * value
    if m["octal"]:
        return sign * int("0" + m["octal"].replace("_", ""), 8)
    for name, base in (("binary", 2), ("hex", 16), ("decimal", 10)):
        if digits := (m[name] or "").replace("_", ""):
            return sign * int(digits, base)
    return m[0]


def _old_float(m: re.Match[str]) -> float:
    if m["nan"]:
        return float("nan")
    sign = -1.0 if m["sign"] == "-" else 1.0
    if m["inf"]:
        return sign * float("inf")
    if m["sexagesimal"]:
        value = 0.0
        for part in m["sexagesimal"].replace("_", "").split(":"):
            value = value * 60 + float(part)
        return sign * value
    return sign * float(m["plain"].replace("_", ""))


_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0"}
# Compiled when a text is quoted: so many characters take 2 ms of each start.
_UNPRINTABLE = '[^\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]|["\\\\\u2028\u2029]'


def quoted(text: str) -> str:
    """Return `text` in double quotes if nothing needs escaping, else in single quotes if that is enough.

    Parsers that strip quotes but do not know escapes then read the same text in most cases.
    """
    unprintable = re.compile(_UNPRINTABLE)
    if not unprintable.search(text):
        return f'"{text}"'
    plain = not unprintable.search(text.replace('"', "").replace("\\", ""))
    if plain and "'" not in text:
        return f"'{text}'"
    return '"' + unprintable.sub(_escape, text) + '"'


def quoted_if_needed(text: str) -> str:
    """Return `text` unquoted if it is a word that every version of YAML reads as a string, else quoted."""
    plain = re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]*", text)
    return text if plain and yaml11_value(text) == core_value(text) == text else quoted(text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if character in _ESCAPED:
        return _ESCAPED[character]
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
