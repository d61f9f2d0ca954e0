"""What the npm package `yaml` finds wrong in one value: after a key and its colon, or after a dash.

The errors are those that `yaml` 2.9.0 returned for generated texts. Offsets are UTF-16 units.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool.emulation.npm_yaml_scalars import (
    Found,
    after_blanks,
    line_end,
    plain_end,
    start_problem,
    stray_bracket,
)

_NESTED = "Nested mappings are not allowed in compact mappings"
_TAB = "Tabs are not allowed as indentation"
_LIST = "Unexpected block-seq-ind on same line with key"
_COMMENT = "Comments must be separated from other tokens by white space characters"
_NOT_INDENTED = "Block scalar values in collections must be indented"
_HEADER = re.compile(r"(?P<sign>[|>][^\s#]*)(?P<gap>[ \t]*)(?P<rest>[^\n]*)")
_PLAIN_HEADER = re.compile(r"[|>](?:[-+]?[1-9]?|[1-9][-+])")
_NAME = re.compile(r"[^\s,\[\]{}]*")
_ESCAPE = re.compile(r"\\(?:x(?P<x>.{0,2})|u(?P<u>.{0,4})|U(?P<U>.{0,8})|(?P<one>[\s\S]))")
_SINGLE, _DOUBLE = r"'(?>(?:[^']|'')*)'", r'"(?>(?:[^"\\]|\\[\s\S])*)"'
_QUOTED = {"'": re.compile(_SINGLE), '"': re.compile(_DOUBLE)}
_LINE = re.compile(r"\n(?P<spaces> *)(?=\S)")
_BLOCK_LINE = re.compile(r"\n(?P<spaces> *)(?P<first>[^\n]?)")
_IN_FLOW = re.compile(rf"{_SINGLE}|{_DOUBLE}|(?<=\s)#[^\n]*|\n(?P<spaces> *)|[\[\]{{}}]")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2}|[0-9a-fA-F]{4}|[0-9a-fA-F]{8})")
_ESCAPES = frozenset('0abefnrtvN_LP "/\\\t\n\r')
_TOKENS = {'"': "double-quoted-scalar", "'": "single-quoted-scalar", "*": "alias"}
_KINDS = {"[": ("sequence", "]"), "{": ("map", "}")}
_INDICATORS = {"-": "seq-item-ind", "?": "explicit-key-ind", ":": ""}
_PROPERTIES = {"&": "anchor", "!": "tag", "|": "block-scalar-header", ">": "block-scalar-header"}
_BLANK = (" ", "\t", "\n", "\r", "")
_OPENING = {"[": "flow-seq-start", "{": "flow-map-start"}


class Value(NamedTuple):
    """A value without an error: where it ends, and whether it is empty, so that a block may follow."""

    end: int
    is_empty: bool = False


def value_at(text: str, at: int, column: int) -> Found | Value:
    """Return the value after a colon or dash at `at`, in a block at `column`, or the first error in it."""
    start = first = after_blanks(text, at)
    while text.startswith(("&", "!"), start):
        start = after_blanks(text, _name_end(text, start))
    sign = text[start : start + 1]
    if sign in ("", "\n", "\r") or (sign == "#" and start > at):
        return Value(start, is_empty=True)
    if (stray := stray_bracket(text, start, column)) is not None:
        return stray
    if sign in "-?" and text[start + 1 : start + 2] in _BLANK:
        return Found(_LIST if sign == "-" else _NESTED, start, start + 1)
    if sign in "|>":
        return _block(text, start, column)
    nested = Found(_TAB, at, first) if "\t" in text[at:first] else Found(_NESTED, first, first + 1)
    if sign in _KINDS:
        return _flow(text, start, column)
    if sign == "*":
        if start > first and text[first] in "&!":
            return Found("An alias node must not specify any properties", start, _name_end(text, start))
        return _after(text, _name_end(text, start), column, nested)
    if sign in "\"'":
        return _quoted(text, start, column, nested)
    plain = plain_end(text, start, column + 1)
    if plain.has_colon:
        return nested
    return start_problem(text, start) or Value(plain.end)


def _name_end(text: str, at: int) -> int:
    """Return the end of an anchor, an alias or a tag."""
    found = _NAME.match(text, at)
    return found.end() if found else at


def _after(text: str, at: int, column: int, nested: Found | None) -> Found | Value:
    """Return the error for what follows a quoted or flow value or an alias in its line."""
    start = after_blanks(text, at)
    sign = text[start : start + 1]
    if sign in ("", "\n", "\r"):
        return Value(at)
    if sign == "#":
        return Value(at) if start > at else Found(_COMMENT, start, line_end(text, start))
    if (stray := stray_bracket(text, start, column)) is not None:
        return stray
    if sign in _PROPERTIES:
        return Found(f"Unexpected {_PROPERTIES[sign]} at node end", start, _name_end(text, start))
    plain = plain_end(text, start, column + 1)
    is_indicator = sign in "-?:" and text[start + 1 : start + 2] in _BLANK
    if nested is not None and (plain.has_colon or (sign == ":" and is_indicator)):
        return nested._replace(stop=plain.end if sign not in _TOKENS else 0)
    if sign in _TOKENS:
        closed = text.find(sign, start + 1) + 1 or len(text)
        end = _name_end(text, start) if sign == "*" else closed
        return Found(f"Unexpected {_TOKENS[sign]} at node end", start, end)
    if sign in _KINDS:
        return Found(f"Unexpected {_OPENING[sign]} at node end", start, start + 1)
    if is_indicator:
        return Found(f"Unexpected {_INDICATORS[sign]} at node end" if sign != ":" else "", start, start + 1)
    return Found("Unexpected scalar at node end", start, plain.end, plain.end)


def _quoted(text: str, start: int, column: int, nested: Found) -> Found | Value:
    quote = text[start]
    whole = _QUOTED[quote].match(text, start)
    end = whole.end() if whole else len(text)
    if whole:
        for line in _LINE.finditer(text, start, end):
            if len(line["spaces"]) <= column:
                cut = line.start() - (text[line.start() - 1] == "\r")
                return _escapes(text, start, cut) or Found(f"Missing closing {quote}quote", cut, cut + 1)
    if quote == '"' and (problem := _escapes(text, start, end)):
        return problem
    if whole is None:
        return Found(f"Missing closing {quote}quote", end, end + 1)
    return _after(text, end, column, nested if "\n" not in whole[0] else None)


def _escapes(text: str, start: int, end: int) -> Found | None:
    """Return the error for the first escape of a text in double quotes that YAML does not have."""
    if text[start] != '"':
        return None
    for found in _ESCAPE.finditer(text, start + 1, end):
        if found["one"] is not None:
            if found["one"] not in _ESCAPES:
                return Found(f"Invalid escape sequence {found[0]}", found.start(), found.start() + 1)
            continue
        digits = found["x"] or found["u"] or found["U"] or ""
        if len(digits) != {"x": 2, "u": 4, "U": 8}[found[0][1]] or not _HEX.fullmatch(digits):
            return Found(f"Invalid escape sequence {found[0]}", found.start(), found.start() + 1)
    return None


def _flow(text: str, start: int, column: int) -> Found | Value:
    """Return the end of a flow collection, or the error for one that is not closed in time."""
    kind, bracket = _KINDS[text[start]]
    words = f"Flow {kind} in block collection must be sufficiently indented and end with a {bracket}"
    depth = 0
    for found in _IN_FLOW.finditer(text, start):
        token = found[0]
        if token[0] == "\n":
            sign = text[found.end() : found.end() + 1]
            closes = sign in ("]", "}") and depth == 1 and len(found["spaces"]) == column
            if sign not in ("", "\n", "\r", "#", "\t") and len(found["spaces"]) <= column and not closes:
                known = ":" not in text[text.find("\n", start) : found.start()]
                return Found(words if known else "", found.start() + 1, found.start() + 2)
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
            if depth == 0:
                return (
                    Found("", start, start) if token != bracket else _after(text, found.end(), column, None)
                )
    known = ":" not in text[line_end(text, start) :]
    return Found(words if known else "", len(text), len(text) + 1)


def _block(text: str, start: int, column: int) -> Found | Value:
    """Return the end of a block scalar, or the error in its first line."""
    header = _HEADER.match(text, start)
    assert header is not None
    sign, rest = header["sign"], header["rest"].rstrip("\r")
    if not _PLAIN_HEADER.fullmatch(sign):
        wrong = _PLAIN_HEADER.match(sign)
        at = start + (wrong.end() if wrong else 1)
        return Found(f"Block scalar header includes extra characters: {sign}", at, at + 1)
    if rest.startswith("#"):
        if not header["gap"]:
            return Found(_COMMENT, header.start("rest"), header.start("rest") + 1)
    elif rest:
        return Found(f"Not a YAML token: {rest}", header.start("rest"), header.start("rest") + len(rest))
    at = header.end()
    explicit = re.search("[1-9]", sign)
    indent = column + int(explicit[0]) if explicit else None
    while at < len(text):
        line = _BLOCK_LINE.match(text, at)
        assert line is not None
        width = len(line["spaces"])
        if line["first"] not in ("", "\r"):
            if width < (column + 1 if indent is None else indent):
                if line["first"] == "\t" and indent is None:
                    return Found(_NOT_INDENTED, at + 1, at + 2)
                return Value(at)
            indent = width if indent is None else indent
        at = line_end(text, line.end())
    return Value(at)
