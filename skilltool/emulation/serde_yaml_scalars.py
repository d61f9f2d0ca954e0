"""What is a scalar to serde_yaml 0.9, and how does serde name one of another type than expected?

Source: `visit_scalar` and what it calls in `de.rs` of serde_yaml 0.9, `Unexpected` and the default visitor of
serde 1, and what ryaml 0.5.1 says of numbers on both sides of each limit. An integer has 64 bits, or 128, for
which only types of 128 bits have a visitor; a longer one is a float, and text where that would be infinite.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from math import isfinite, isnan

from skilltool.text.frontmatter.nodes import Scalar

Value = None | bool | int | float | str

NULLS = frozenset({"null", "Null", "NULL", "~"})
BOOLEANS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_CORE = "tag:yaml.org,2002:"
_RADIX = re.compile(r"[-+]?(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+)")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]{0,38})")  # 2**128 has 39 digits
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_ZERO_FIRST = re.compile(r"[-+]?0[0-9]+")
_NOT_FINITE = {
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}


class ScalarError(ValueError):
    """A scalar that is not of the type its tag says; the message is serde's."""


def value_of(node: Scalar) -> Value:
    """Return what a scalar is where a value of any type is expected; raises `ScalarError`."""
    text, tag = node.text, node.tag
    if tag is None or tag.startswith("!"):
        return text if node.style else _untagged(text)
    if tag == f"{_CORE}null" and text in NULLS:
        return None
    expected, find = _TAGGED.get(tag.removeprefix(_CORE), ("", str))
    found = find(text)
    if found is None:
        raise ScalarError(f"invalid value: {_text(text)}, expected {expected}")
    return found


def mismatch(node: Scalar, expected: str) -> str:
    """Return what serde says of a scalar where another type is expected."""
    try:
        found = value_of(node)
    except ScalarError as error:
        return str(error)
    return f"invalid type: {_described(found)}, expected {expected}"


def is_wide(number: Value) -> bool:
    """Return whether a value is an integer that only types of 128 bits hold."""
    return type(number) is int and not -(1 << 63) <= number < 1 << 64


def _described(found: Value) -> str:
    if found is None:
        return "unit value"
    if isinstance(found, bool):
        return f"boolean `{str(found).lower()}`"
    if isinstance(found, int):
        width = (" as u128" if found > 0 else " as i128") if is_wide(found) else ""
        return f"integer `{found}`{width}"
    if isinstance(found, float):
        return f"floating point `{_decimal(found)}`"
    return _text(found)


def _decimal(number: float) -> str:
    """Return a float as serde shows it: the shortest digits, no exponent, and a decimal point if finite."""
    if not isfinite(number):
        return "NaN" if isnan(number) else str(number)
    digits = f"{Decimal(repr(number)):f}"
    return digits if "." in digits else f"{digits}.0"


def _text(text: str) -> str:
    """Return a string as serde shows it, which is as Rust's `{:?}` writes it."""
    named = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\0": "\\0"}
    escaped = (named.get(each) or (each if each.isprintable() else f"\\u{{{ord(each):x}}}") for each in text)
    return f'string "{"".join(escaped)}"'


def _untagged(text: str) -> Value:
    if not text or text in NULLS:
        return None
    if _ZERO_FIRST.fullmatch(text):
        return text
    for find in (BOOLEANS.get, _integer, _float):
        if (found := find(text)) is not None:
            return found
    return text


def _integer(text: str) -> int | None:
    """Return the integer of at most 128 bits that a text is; None if it is not one."""
    if not (_DECIMAL.fullmatch(text) or _RADIX.fullmatch(text)):
        return None
    number = int(text, 0)
    return number if -(1 << 127) <= number < 1 << 128 else None


def _float(text: str) -> float | None:
    """Return the float that a text is; None if it is not one, or too large for one."""
    if text in _NOT_FINITE:
        return _NOT_FINITE[text]
    number = float(text) if _FLOAT.fullmatch(text) else None
    return number if number is not None and isfinite(number) else None


_TAGGED: dict[str, tuple[str, Callable[[str], Value]]] = {
    "null": ("null", lambda _: None),
    "bool": ("a boolean", BOOLEANS.get),
    "int": ("an integer", _integer),
    "float": ("a float", _float),
}
