"""JavaScript as Node.js runs it: strings and objects of the language, and what Node.js says about files.

What `trim` removes, lengths in UTF-16 units, the order of keys. Sources: ECMA-262, `String.prototype.trim`
(WhiteSpace and LineTerminator), `OrdinaryOwnPropertyKeys`, `StringToNumber` and `Number::toString`; Node.js
22, `Buffer.from(text, "base64")`, the errors of `fs` (`CODE: description, CALL 'PATH'`) with libuv's
`uv_strerror`, in recordings of programs that log them.
"""

from __future__ import annotations

import base64
import errno
import json
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from skilltool.text.lazy_pattern import lazy_pattern

WHITE_SPACE = (
    "\t\n\v\f\r \xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
_PATTERN = lazy_pattern(r"\$([$&`'])")
_HALF = lazy_pattern("[\ud800-\udfff]")
_INDEX = lazy_pattern(r"0|[1-9][0-9]{0,9}")
_LAST_INDEX = 2**32 - 2
_DECIMAL = lazy_pattern(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PREFIXED = lazy_pattern(r"0(?:[xX][0-9a-fA-F]+|[oO][0-7]+|[bB][01]+)")
_ERRORS = {
    errno.EISDIR: "EISDIR: illegal operation on a directory, read",
    errno.EACCES: "EACCES: permission denied, {call} '{path}'",
    errno.ENOENT: "ENOENT: no such file or directory, {call} '{path}'",
    errno.ENOTDIR: "ENOTDIR: not a directory, {call} '{path}'",
    errno.ELOOP: "ELOOP: too many symbolic links encountered, {call} '{path}'",
}


_LONGEST_INTEGER = 4000


@dataclass(frozen=True, slots=True)
class Foreign:
    """A value that JSON does not have: the name of its class (`Date`, `Buffer`, `Map`, `Set`), or `symbol`.

    `size` is its `length`, if it has one; `text` is what the bytes of a `Buffer` say in UTF-8, or a `Date` in
    ISO form.
    """

    kind: str
    size: int | None = None
    text: str | None = None


def trim(text: str) -> str:
    """Return text without white space at both ends; a byte order mark is white space, U+0085 is not."""
    return text.strip(WHITE_SPACE)


def replace_all(text: str, wanted: str, replacement: str) -> str:
    """Return text with every `wanted` replaced, as `replaceAll` does with a string.

    In the replacement, `$$` is a dollar, `$&` what is replaced, and a dollar before a backtick or an
    apostrophe is the text before or after it.
    """
    parts: list[str] = []
    at = 0
    while (start := text.find(wanted, at)) >= 0:
        around = {"$": "$", "&": wanted, "`": text[:start], "'": text[start + len(wanted) :]}
        parts += [text[at:start], _PATTERN.sub(partial(_expanded, around), replacement)]
        at = start + len(wanted)
    return "".join([*parts, text[at:]])


def _expanded(around: Mapping[str, str], pattern: re.Match[str]) -> str:
    return around[pattern[1]]


def length(text: str) -> int:
    """Return the length in UTF-16 units: an emoji counts as two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def units(text: str) -> str:
    """Return text with a pair of surrogates for each character that is two UTF-16 units."""
    if text.isascii():
        return text
    raw = text.encode("utf-16-le", "surrogatepass")
    return "".join(map(chr, struct.unpack(f"<{len(raw) // 2}H", raw)))


def first_units(text: str, count: int) -> str:
    """Return the first `count` UTF-16 units; cutting a pair leaves a lone surrogate."""
    raw = text.encode("utf-16-le", "surrogatepass")[: 2 * count]
    return raw.decode("utf-16-le", "surrogatepass")


def last_units(text: str, count: int) -> str:
    """Return the last `count` UTF-16 units; cutting a pair leaves a lone surrogate."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[max(len(raw) - 2 * count, 0) :].decode("utf-16-le", "surrogatepass")


def without_halves(text: str) -> str:
    """Return text with the two surrogates of a pair as one character, and without lone surrogates."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def number(text: str) -> float:
    """Return what `Number(text)` returns, which may be infinite or not a number; an empty text is 0."""
    digits = trim(text)
    if not digits:
        return 0.0
    if _PREFIXED.fullmatch(digits):
        return float(int(digits, 0)) if len(digits) < 250 else float("inf")
    signless = digits.lstrip("+-")
    if signless == "Infinity" and len(digits) - len(signless) < 2:
        return float("-inf" if digits[0] == "-" else "inf")
    return float(digits) if _DECIMAL.fullmatch(digits) else float("nan")


def finite_number(text: str) -> float | None:
    """Return what `Number(text)` returns, None for what is not a finite number; an empty text is 0."""
    found = number(text)
    return found if found - found == 0 else None


def integer(digits: str) -> int | float:
    """Return an integer of JSON; of one too long for Python the float that JavaScript makes of all."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


def text_of(value: Any) -> str:
    """Return what `String(value)` returns for JSON-like data.

    Raises TypeError for a mapping, or a value that JSON does not have, anywhere in it: objects without a
    prototype have no text.
    """
    if isinstance(value, dict | Foreign):
        raise TypeError("Cannot convert object to primitive value")
    if isinstance(value, list):
        return ",".join("" if each is None else text_of(each) for each in value)
    return "null" if value is None else as_key(value)


def node_bytes(text: str) -> bytes:
    """Return the bytes that Node decodes from base64: other characters are skipped, `=` ends it."""
    digits = "".join(re.findall("[A-Za-z0-9+/_-]", text.partition("=")[0]))
    whole = digits[: len(digits) - (len(digits) % 4 == 1)]
    return base64.b64decode(whole.translate({ord("-"): "+", ord("_"): "/"}) + "=" * (-len(whole) % 4))


def in_key_order(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object's properties in JavaScript's order: array indices by value, then the others."""
    indices = [key for key in values if _INDEX.fullmatch(key) and int(key) <= _LAST_INDEX]
    order = [*sorted(indices, key=int), *(key for key in values if key not in set(indices))]
    return {key: values[key] for key in order}


def as_key(value: str | int | float | bool | None) -> str:
    """Return the property name for a value, as the npm package `yaml` makes it: empty for null."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return value
    try:
        number = float(value)
    except OverflowError:
        return "Infinity" if value > 0 else "-Infinity"
    return _number(number)


def _number(value: float) -> str:
    if value != value:
        return "NaN"
    if value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    if value == 0:
        return "0"
    mantissa, _, exponent = f"{value!r}e".partition("e")
    digits = mantissa.replace(".", "").replace("-", "")
    point = len(mantissa.lstrip("-").partition(".")[0]) + int(exponent.rstrip("e") or 0)
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    sign = "-" if value < 0 else ""
    if 0 < point <= 21:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return sign + whole + (f".{fraction}" if fraction else "")
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    power = point - 1
    fraction = f".{digits[1:]}" if len(digits) > 1 else ""
    return f"{sign}{digits[0]}{fraction}e{'+' if power > 0 else '-'}{abs(power)}"


def stringify(value: Any, indent: int, depth: int = 1) -> str:
    """Return what `JSON.stringify(value, null, indent)` returns for JSON-like data."""
    if isinstance(value, Mapping):
        opening, closing = "{}"
        parts = [
            f"{_quoted(key)}: {stringify(each, indent, depth + 1)}"
            for key, each in in_key_order(value).items()
        ]
    elif isinstance(value, list):
        opening, closing = "[]"
        parts = [stringify(each, indent, depth + 1) for each in value]
    elif isinstance(value, str):
        return _quoted(value)
    elif value is None or isinstance(value, bool):
        return json.dumps(value)
    else:
        written = as_key(value)
        return "null" if written.endswith(("Infinity", "NaN")) else written
    if not parts:
        return opening + closing
    before = "\n" + " " * (indent * depth)
    return opening + before + f",{before}".join(parts) + "\n" + " " * (indent * (depth - 1)) + closing


def _quoted(text: str) -> str:
    """Return a string of JSON, in which only halves of characters are escaped beside what must be."""
    whole = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):x}", json.dumps(whole, ensure_ascii=False))


def node_words(error: OSError, call: str, path: Path) -> str:
    """Return the message of Node.js for an error of a system call, such as `open`, on a path."""
    known = _ERRORS.get(error.errno or 0)
    return known.format(call=call, path=path) if known else str(error)
