"""JSON as jiter reads it, the parser of pydantic-core, with its messages for what is not JSON.

Source: `jiter/src/errors.rs` and `parse.rs`, and what pydantic 2.14 says of generated texts. Python's parser
reads what is valid; this module finds the place and the message of an error.
"""

from __future__ import annotations

import json
import re
from typing import Any

from skilltool.text.lazy_pattern import lazy_pattern

_DEEPEST = 200
_LONGEST_INTEGER = 4_000
_SPACE = lazy_pattern(r"[ \t\n\r]*+")
_TEXT = lazy_pattern(r'[^"\\\x00-\x1f]*+')
_DIGITS = lazy_pattern("[0-9]*+")
_HEX = lazy_pattern("[0-9a-fA-F]{0,4}")
_WORDS = {word[0]: word for word in ("true", "false", "null", "NaN", "Infinity")}
_NO_VALUE, _NO_STRING = "EOF while parsing a value", "EOF while parsing a string"
_LEADING, _TRAILING = range(0xD800, 0xDC00), range(0xDC00, 0xE000)


class JsonError(ValueError):
    """What is not JSON, in jiter's words, with line and column."""


def loads(text: str) -> Any:
    """Return the data of a JSON text; raises `JsonError`."""
    _Scan(text).whole()
    return json.loads(text, parse_int=_integer)


def _integer(digits: str) -> int | float:
    """Return a number, as a float where Python refuses to read so many digits."""
    return int(digits) if len(digits) <= _LONGEST_INTEGER else float(digits)


class _Scan:
    """Goes through a text until what is wrong."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def whole(self) -> None:
        """Read one value and nothing after it."""
        self.value(0)
        if self.sign():
            self.fail("trailing characters")

    def sign(self) -> str:
        """Return the next sign that is not white space, without taking it; empty at the end."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return self.text[self.at : self.at + 1]

    def value(self, depth: int) -> None:
        sign = self.sign()
        if not sign:
            self.fail(_NO_VALUE)
        if depth > _DEEPEST:
            self.fail("recursion limit exceeded")
        if sign == '"':
            self.string()
        elif sign == "[":
            self.members("]", depth)
        elif sign == "{":
            self.members("}", depth)
        elif sign == "-" or sign.isdigit():
            self.number()
        elif sign in _WORDS:
            self.word(_WORDS[sign])
        else:
            self.fail("expected value")

    def word(self, word: str) -> None:
        for sign in word:
            if self.at >= len(self.text):
                self.fail(_NO_VALUE)
            if self.text[self.at] != sign:
                self.fail("expected ident")
            self.at += 1

    def number(self) -> None:
        """Read a number; the first digit after a zero, a sign, a point or an `e` may be what is wrong."""
        if self.took("-") and self.text.startswith("I", self.at):
            self.word("Infinity")
            return
        if self.took("0"):
            if self.text[self.at : self.at + 1].isdigit():
                self.fail("invalid number")
        else:
            self.digits()
        if self.took("."):
            self.digits()
        if self.took("e") or self.took("E"):
            if not self.took("-"):
                self.took("+")
            self.digits()

    def took(self, sign: str) -> bool:
        """Take the next sign if it is this one."""
        found = self.text.startswith(sign, self.at)
        self.at += found
        return found

    def taken(self, pattern: re.Pattern[str]) -> str:
        """Take what a pattern matches, which may be nothing."""
        match = pattern.match(self.text, self.at)
        self.at = match.end() if match else self.at
        return match[0] if match else ""

    def digits(self) -> None:
        if not self.taken(_DIGITS):
            self.fail("invalid number" if self.at < len(self.text) else _NO_VALUE)

    def string(self) -> None:
        self.at += 1
        while True:
            self.taken(_TEXT)
            if self.took('"'):
                return
            if self.took("\\"):
                self.escape()
            elif self.at >= len(self.text):
                self.fail(_NO_STRING)
            else:
                self.fail("control character (\\u0000-\\u001F) found while parsing a string")

    def escape(self) -> None:
        sign = self.text[self.at : self.at + 1]
        if not sign:
            self.fail(_NO_STRING)
        if sign not in '"\\/bfnrtu':
            self.fail("invalid escape")
        self.at += 1
        if sign != "u":
            return
        code = self.unit()
        if code in _LEADING:
            for sign in "\\u":
                if not self.took(sign):
                    rest = self.at < len(self.text)
                    self.fail("unexpected end of hex escape" if rest else _NO_STRING)
            code = 0 if self.unit() in _TRAILING else _TRAILING[0]
        if code in _TRAILING:
            self.at -= 1
            self.fail("lone leading surrogate in hex escape")

    def unit(self) -> int:
        """Read four digits."""
        if len(self.text[self.at : self.at + 4].encode("utf-8", "surrogatepass")) < 4:
            self.at = len(self.text)
            self.fail(_NO_STRING)
        digits = self.taken(_HEX)
        if len(digits) < 4:
            self.fail("invalid escape")
        return int(digits, 16)

    def members(self, close: str, depth: int) -> None:
        kind = "a list" if close == "]" else "an object"
        self.at += 1
        if self.end_of(kind) == close:
            self.at += 1
            return
        while True:
            if close == "}":
                self.key(kind)
            self.value(depth + 1)
            sign = self.end_of(kind)
            if sign == close:
                self.at += 1
                return
            if sign != ",":
                self.fail(f"expected `,` or `{close}`")
            self.at += 1
            if self.sign() == close:
                self.fail("trailing comma")

    def end_of(self, kind: str) -> str:
        sign = self.sign()
        if not sign:
            self.fail(f"EOF while parsing {kind}")
        return sign

    def key(self, kind: str) -> None:
        if self.end_of(kind) != '"':
            self.fail("key must be a string")
        self.string()
        if self.end_of(kind) != ":":
            self.fail("expected `:`")
        self.at += 1

    def fail(self, words: str) -> None:
        """Raise the error here; columns count bytes, a line end is in the column 0 of the next line."""
        here = self.text[self.at : self.at + 1]
        before = self.text[: self.at] + ("\n" if here == "\n" else "")
        line = before.count("\n") + 1
        column = len(before.rpartition("\n")[2].encode("utf-8", "surrogatepass"))
        column += here not in ("", "\n")
        raise JsonError(f"{words} at line {line} column {column}")
