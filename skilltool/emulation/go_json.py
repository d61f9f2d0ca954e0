r"""JSON as Go's encoding/json writes and reads it.

Sources: the Go standard library (1.19), `encoding/json` (`Marshal`, `scanner.go`), its results for
generated texts (`tests/libraries/go-json-1.19.jsonl`), and recordings of runtimes. Written JSON has no
spaces; `<`, `>`, `&`, U+2028 and U+2029 are escaped, control characters are `\u00xx` except `\b \f \n \r
\t`, other characters stay. Errors in JSON that is read have the scanner's messages; lone surrogates become
U+FFFD.
"""

from __future__ import annotations

import json
import re
from typing import Any

from skilltool.text.lazy_pattern import lazy_pattern

_ESCAPED = lazy_pattern('[\x00-\x1f"\\\\<>&\u2028\u2029\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BLANK = " \t\r\n"
_NUMBER = lazy_pattern(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][-+]?[0-9]+)?")
_LITERALS = {"t": ("true", True), "f": ("false", False), "n": ("null", None)}
_HEX = lazy_pattern(r"[0-9a-fA-F]")
_SURROGATES = lazy_pattern("[\ud800-\udfff]")
_MAX_DEPTH = 10_000  # Go's own limit
_NAMED = {
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
    "\\": "\\\\",
}


class GoJsonError(ValueError):
    """Text that is not JSON for Go; the message is Go's own."""


class Number(str):
    """A number as it was written."""

    __slots__ = ()


class Pairs(list[tuple[str, Any]]):
    """The members of an object in the order written, repeated keys included."""


def dumps(value: Any) -> str:
    """Return JSON-like data as `json.Marshal` writes it; the keys of a dict keep their order."""
    if isinstance(value, str) and not isinstance(value, Number):
        return f'"{_ESCAPED.sub(_escape, value)}"'
    if isinstance(value, dict):
        return "{" + ",".join(f"{dumps(str(key))}:{dumps(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(dumps, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    if "\ud800" <= character <= "\udfff":
        return "\\ufffd"
    return _SHORT.get(character) or f"\\u{ord(character):04x}"


def loads(text: str) -> Any:
    """Return the data of JSON text: objects as `Pairs`, numbers as `Number`, the rest as Python's own types.

    Raises `GoJsonError` with the message of Go's scanner.
    """
    reader = _Reader(text)
    value = reader.value()
    reader.blanks()
    if reader.at < len(text):
        raise reader.unexpected("after top-level value")
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def blanks(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in _BLANK:
            self.at += 1

    def peek(self) -> str:
        """Return the next character after white space; raises `GoJsonError` at the end of the text."""
        self.blanks()
        return self.here()

    def here(self) -> str:
        if self.at >= len(self.text):
            raise GoJsonError("unexpected end of JSON input")
        return self.text[self.at]

    def next_of(self, where: str) -> str:
        """Return the next character inside a token; after the end of the text, Go's scanner sees a space."""
        if self.at >= len(self.text):
            raise GoJsonError(f"invalid character ' ' {where}")
        return self.text[self.at]

    def unexpected(self, where: str) -> GoJsonError:
        return GoJsonError(f"invalid character {_quoted(self.text[self.at])} {where}")

    def value(self) -> Any:
        """Return the value that begins here; a loop, since nesting may exceed Python's recursion limit."""
        around: list[list[Any]] = []
        keys: list[str] = []
        while True:
            found = self.beginning(len(around))
            if isinstance(found, list) and not self.skipped("}" if isinstance(found, Pairs) else "]"):
                around.append(found)
                if isinstance(found, Pairs):
                    keys.append(self.key())
                continue
            while around:
                if not self.append(found, around[-1], keys):
                    break
                found = around.pop()
            else:
                return found

    def beginning(self, depth: int) -> Any:
        """Return a whole scalar, or an empty list or object that is still open."""
        character = self.peek()
        if character in "{[":
            if depth == _MAX_DEPTH:
                raise self.unexpected("exceeded max depth")
            self.at += 1
            return Pairs() if character == "{" else []
        if character == '"':
            return self.string()
        if character in _LITERALS:
            return self.literal(*_LITERALS[character])
        if character in "-0123456789":
            return self.number()
        raise self.unexpected("looking for beginning of value")

    def skipped(self, character: str) -> bool:
        """Skip the next character if it is this one, and return whether it is."""
        if self.peek() != character:
            return False
        self.at += 1
        return True

    def key(self) -> str:
        """Return the key that begins here, and skip its colon."""
        if self.peek() != '"':
            raise self.unexpected("looking for beginning of object key string")
        key = self.string()
        if not self.skipped(":"):
            raise self.unexpected("after object key")
        return key

    def append(self, found: Any, into: list[Any], keys: list[str]) -> bool:
        """Append a value to the innermost list or object, and return whether that ends after it."""
        is_object = isinstance(into, Pairs)
        into.append((keys.pop(), found) if is_object else found)
        if self.skipped("}" if is_object else "]"):
            return True
        if not self.skipped(","):
            raise self.unexpected("after object key:value pair" if is_object else "after array element")
        if is_object:
            keys.append(self.key())
        return False

    def literal(self, word: str, value: Any) -> Any:
        for expected in word[1:]:
            self.at += 1
            where = f"in literal {word} (expecting {_quoted(expected)})"
            if self.next_of(where) != expected:
                raise self.unexpected(where)
        self.at += 1
        return value

    def number(self) -> Number:
        start = self.at
        if self.text[self.at] == "-":
            self.at += 1
            self.digits("in numeric literal", leading_zero=True)
        else:
            self.digits("", leading_zero=True)
        if self.text[self.at : self.at + 1] == ".":
            self.at += 1
            self.digits("after decimal point in numeric literal")
        if self.text[self.at : self.at + 1] in ("e", "E"):
            self.at += 1
            if self.next_of("in exponent of numeric literal") in "+-":
                self.at += 1
            self.digits("in exponent of numeric literal")
        return Number(self.text[start : self.at])

    def digits(self, where: str, leading_zero: bool = False) -> None:
        """Skip at least one digit; after a leading zero, skip no more."""
        if self.next_of(where) not in "0123456789":
            raise self.unexpected(where)
        zero = leading_zero and self.text[self.at] == "0"
        self.at += 1
        while not zero and self.text[self.at : self.at + 1] and self.text[self.at] in "0123456789":
            self.at += 1

    def string(self) -> str:
        start = self.at
        self.at += 1
        while (character := self.here()) != '"':
            if character < " ":
                raise self.unexpected("in string literal")
            if character == "\\":
                self.at += 1
                self.escape()
            self.at += 1
        self.at += 1
        return _SURROGATES.sub("\ufffd", json.loads(self.text[start : self.at]))

    def escape(self) -> None:
        character = self.next_of("in string escape code")
        if character == "u":
            for _ in range(4):
                self.at += 1
                if not _HEX.match(self.next_of("in \\u hexadecimal character escape")):
                    raise self.unexpected("in \\u hexadecimal character escape")
        elif character not in '"\\/bfnrt':
            raise self.unexpected("in string escape code")


def _quoted(character: str) -> str:
    """Return a character as Go's scanner quotes it: it sees bytes, so only the first byte of its UTF-8."""
    if character == "'":
        return "'\\''"
    byte = chr(character.encode("utf-8", "replace")[0])
    if byte in _NAMED:
        return f"'{_NAMED[byte]}'"
    if byte.isprintable():
        return f"'{byte}'"
    return f"'\\x{ord(byte):02x}'" if byte < "\x80" else f"'\\u{ord(byte):04x}'"
