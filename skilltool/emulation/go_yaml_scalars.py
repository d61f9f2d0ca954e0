"""Which kind of value a scalar is for Go's YAML libraries: string, null, bool, number, timestamp or binary.

Source: `resolve.go` of gopkg.in/yaml.v2 2.4.0 and yaml.v3 3.0.1 (they differ in the words for bools:
`BOOLS` is v3's, `OLD_BOOLS` v2's) and `strconv`, compared with the libraries themselves on generated texts.
"""

from __future__ import annotations

import base64
import binascii
import re
from datetime import datetime

from skilltool.emulation.go_text import decoded, replaced
from skilltool.text.frontmatter.nodes import Scalar, YamlError

STANDARD = "tag:yaml.org,2002:"
BOOLS = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
OLD_BOOLS = BOOLS | {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"}
OLD_BOOLS |= {"n", "N", "no", "No", "NO", "off", "Off", "OFF"}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_FLOAT_WORDS = re.compile(r"\.(?:nan|NaN|NAN)|[-+]?\.(?:inf|Inf|INF)")
# Underscores are removed before a number is read, wherever they are.
_INTEGER = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)")
_SIGN_AFTER_BASE = re.compile(r"0b[-+][01]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LEADING_DOT = re.compile(r"\.[0-9](?:_?[0-9])*(?:[eE][-+]?[0-9](?:_?[0-9])*)?")
_DATE = re.compile(
    r"(?P<date>[0-9]{4}-[0-9]{1,2}-[0-9]{1,2})"
    r"(?:(?: |(?P<zoned>[Tt]))(?P<time>[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2})(?:[.,][0-9]+)?"
    r"(?(zoned)(?:Z|[-+][0-9]{2}:[0-9]{2})))?"
)
_TYPED = frozenset({"bool", "float", "int", "null", "timestamp"})


def short_tag(tag: str) -> str:
    """Return a tag as messages show it: `!!int` for one of YAML's own."""
    return f"!!{tag.removeprefix(STANDARD)}" if tag.startswith(STANDARD) else tag


def kind_of(node: Scalar, bools: frozenset[str]) -> str:
    """Return the kind of a scalar's value: `str`, `null`, `bool`, `int`, `float`, `timestamp`, `binary`.

    A scalar with an unknown tag is a `str`. Raises `YamlError` for a value that its tag does not allow.
    """
    tag = node.tag or ""
    name = tag.removeprefix(STANDARD) if tag.startswith(STANDARD) else ""
    if tag in ("", "!"):
        return "str" if node.style else untagged(node.text, bools)
    if name not in _TYPED:
        return "binary" if name == "binary" else "str"
    found = untagged(node.text, bools, dates=name == "timestamp")
    if found != name and not (name == "float" and found == "int"):
        raise YamlError(f"cannot decode !!{found} `{node.text}` as a !!{name}", node.span.start)
    return name


def untagged(text: str, bools: frozenset[str], dates: bool = True) -> str:
    """Return the kind of a plain scalar without a tag; without `dates`, never `timestamp`."""
    if text in _NULLS:
        return "null"
    if text in bools:
        return "bool"
    if _FLOAT_WORDS.fullmatch(text):
        return "float"
    if text == "<<":
        return "merge"
    if text[0] == ".":
        return "float" if _LEADING_DOT.fullmatch(text) and _in_range(text) else "str"
    if text[0] not in "+-0123456789":
        return "str"
    if dates and _is_date(text):
        return "timestamp"
    number = text.replace("_", "")
    if (_INTEGER.fullmatch(number) and _fits(number)) or _SIGN_AFTER_BASE.fullmatch(number):
        return "int"
    return "float" if _FLOAT.fullmatch(number) and _in_range(number) else "str"


def text_of(node: Scalar, kind: str) -> str:
    """Return the text that a Go field of type `string` gets from a scalar; raises `YamlError`."""
    if kind != "binary":
        return node.text
    plain = node.text.replace("\n", "").replace("\r", "")
    try:
        if len(plain) % 4:
            raise ValueError(plain)
        return replaced(decoded(base64.b64decode(plain, validate=True)))
    except (binascii.Error, ValueError):
        raise YamlError("!!binary value contains invalid base64 data", node.span.start) from None


def _fits(number: str) -> bool:
    """Return whether an integer fits 64 bits: signed if it has a sign, else unsigned."""
    digits = number.lstrip("+-")
    if len(digits) > 70:
        return False
    octal = digits[0] == "0" and digits[1:2].isdigit()
    value: int = int(digits, 8) if octal else int(digits, 0)
    highest = {"-": 2**63, "+": 2**63 - 1}.get(number[0], 2**64 - 1)
    return value <= highest


def _in_range(number: str) -> bool:
    """Return whether a number is finite as a float."""
    return abs(float(number)) < float("inf")


def _is_date(text: str) -> bool:
    found = _DATE.fullmatch(text)
    if not found:
        return False
    try:
        year, month, day = map(int, found["date"].split("-"))
        hour, minute, second = map(int, (found["time"] or "0:0:0").split(":"))
        datetime(year or 4, month, day, hour, minute, second)
    except ValueError:
        return False
    return True
