"""What js-yaml makes of the text of a scalar: numbers, dates and so on, with and without a tag.

Sources: the core schema of YAML 1.2 and the types of YAML 1.1 (https://yaml.org/type/), and the results of
js-yaml for generated texts.
"""

from __future__ import annotations

import re
from typing import Any

from skilltool.emulation.javascript import Foreign

# What stands for "not a value of this type".
NOT_RESOLVED = object()
_MAX_DIGITS = 4000  # Python refuses to convert longer ones; only a string or not matters here
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_DIGITS = r"[0-9_]*[0-9]"
_OLD_INT = re.compile(
    r"[-+]?(?:0b(?P<binary>[01_]*[01])|0x(?P<hex>[0-9a-fA-F_]*[0-9a-fA-F])|0(?P<octal>[0-7_]*[0-7])"
    rf"|(?P<decimal>0|[1-9](?:{_DIGITS})?)|(?P<sexagesimal>[1-9](?:{_DIGITS})?(?::[0-5]?[0-9])+))"
)
_INT = re.compile(
    r"[-+]?(?:0b(?P<binary>[01_]*[01])|0x(?P<hex>[0-9a-fA-F_]*[0-9a-fA-F])|0o(?P<octal>[0-7_]*[0-7])"
    rf"|(?P<decimal>[0-9](?:{_DIGITS})?))"
)
_SPECIAL = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_OLD_FLOAT = re.compile(
    r"[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    rf"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|{_SPECIAL}"
)
_FLOAT = re.compile(
    r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    rf"|{_SPECIAL}"
)
_DATE = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)
_BASE64 = re.compile(r"[A-Za-z0-9+/=\r\n]*")


def implicit_value(text: str, version: int) -> Any:
    """Return the value of a plain scalar without a tag; js-yaml's `version` is 3 or 4."""
    if text[:1].isalpha() and text not in _NULLS and text not in _BOOLS:
        return text
    for kind in ("null", "bool", "int", "float", "timestamp"):
        if (value := tagged_value(kind, text, version)) is not NOT_RESOLVED:
            return value
    return text


def tagged_value(kind: str, text: str | None, version: int) -> Any:
    """Return the value of a text under a tag of YAML's own, `NOT_RESOLVED` if it has none.

    The text is None for an empty node.
    """
    if kind == "str":
        return text or ""
    if kind == "null":
        return None if text is None or text in _NULLS else NOT_RESOLVED
    if text is None:
        return NOT_RESOLVED
    if kind == "bool":
        return _BOOLS.get(text, NOT_RESOLVED)
    if kind == "int":
        return _integer(text, version)
    if kind == "float":
        return _real(text, version)
    if kind == "timestamp":
        return Foreign("Date", hash(text)) if _DATE.fullmatch(text) else NOT_RESOLVED
    if kind == "binary":
        digits = re.sub(r"[\r\n]", "", text)
        whole = _BASE64.fullmatch(text) and len(digits) % 4 == 0
        return Foreign("Buffer") if whole else NOT_RESOLVED
    if kind == "merge":
        return "<<" if text == "<<" else NOT_RESOLVED
    return NOT_RESOLVED


def _integer(text: str, version: int) -> Any:
    found = (_OLD_INT if version == 3 else _INT).fullmatch(text)
    if found is None:
        return NOT_RESOLVED
    sign = -1 if text.startswith("-") else 1
    groups = {name: value.replace("_", "") for name, value in found.groupdict().items() if value}
    for name, base in (("binary", 2), ("octal", 8), ("hex", 16), ("decimal", 10)):
        if digits := groups.get(name):
            return sign * int(digits, base) if len(digits) <= _MAX_DIGITS else float("inf")
    return _sixties(sign, groups["sexagesimal"])


def _real(text: str, version: int) -> Any:
    pattern = _OLD_FLOAT if version == 3 else _FLOAT
    if not pattern.fullmatch(text) or text.endswith("_"):
        return NOT_RESOLVED
    digits = text.replace("_", "").lower()
    sign = -1 if digits.startswith("-") else 1
    if digits.endswith((".inf", ".nan")):
        return sign * float(digits[-3:])
    if ":" in digits:
        return _sixties(sign, digits)
    try:
        return float(digits)
    except ValueError:  # `._`, which JavaScript reads as NaN
        return float("nan")


def _sixties(sign: int, digits: str) -> Any:
    parts = digits.lstrip("+-").split(":")
    if len(digits) > _MAX_DIGITS:
        return float("inf")
    value = 0.0
    for part in parts:
        value = value * 60 + float(part or 0)
    return sign * value
