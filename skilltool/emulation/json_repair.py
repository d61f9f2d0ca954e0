"""JSON as the npm package `jsonrepair` repairs it, for what models get wrong when they call a tool.

That is: quotes of another kind, keys and words without quotes, missing or surplus commas, missing quotes and
brackets at the end, Python's constants, comments, a Markdown fence around it all. Text after the value is not
repaired. Source: the package at 3.13 and its documentation; it repairs more (concatenated strings, calls of
functions, several documents), which is refused here.
"""

from __future__ import annotations

import json
import re
from typing import Any

from skilltool.emulation.javascript import integer
from skilltool.text.lazy_pattern import lazy_pattern

_BLANK = lazy_pattern(r"(?>(?:[\s\u00a0\u2000-\u200a\u202f\u205f\u3000\ufeff]|/\*[\s\S]*?\*/|//[^\n]*)*)")
_FENCE = lazy_pattern(r"```[A-Za-z_$]*")
_NUMBER = lazy_pattern(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?=[\s,:\[\]{}]|\Z)")
_WORD = lazy_pattern(r"[^\n,:\[\]{}/\"'`+().][^\n,:\[\]{}/\"'`+()]*")
_CONSTANTS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_CONSTANTS["undefined"] = None
_CLOSING = {
    '"': '"',
    "\u201c": '\u201d\u201c"',
    "\u201d": '\u201d"',
    "'": "'",
    "`": "`\u00b4'",
    "\u2018": "\u2019\u2018'",
    "\u2019": "\u2019'",
}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_DEEPEST = 100


def load(text: str) -> Any:
    """Return the data of JSON or of what can be repaired; raises `ValueError` for anything else."""
    try:
        return json.loads(text, parse_constant=_no_json, parse_int=integer)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except ValueError:
        return _Reader(text).document()


def _no_json(word: str) -> Any:
    raise ValueError(f"{word} is not JSON")


class _Reader:
    """Reads one text; `at` is where it has come to."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def document(self) -> Any:
        self._fence()
        found = self._value(0)
        self._blank()
        self._fence()
        self._skip(",")
        while self._skip("}") or self._skip("]"):
            pass
        if self._at < len(self._text):
            raise ValueError(f"unexpected text at {self._at}")
        return found

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]

    def _blank(self) -> None:
        match = _BLANK.match(self._text, self._at)
        self._at = match.end() if match else self._at

    def _fence(self) -> None:
        self._blank()
        if match := _FENCE.match(self._text, self._at):
            self._at = match.end()
        self._blank()

    def _skip(self, sign: str) -> bool:
        if self._peek() != sign:
            return False
        self._at += 1
        self._blank()
        return True

    def _value(self, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("nested too deeply")
        self._blank()
        sign = self._peek()
        if sign == "{":
            return self._object(depth)
        if sign == "[":
            return self._list(depth)
        if sign in _CLOSING and sign:
            return self._string()
        if match := _NUMBER.match(self._text, self._at):
            self._at = match.end()
            return json.loads(match[0], parse_int=integer)
        word = self._word()
        return _CONSTANTS.get(word, word)

    def _object(self, depth: int) -> dict[str, Any]:
        self._at += 1
        self._blank()
        found: dict[str, Any] = {}
        self._skip(",")
        while self._peek() not in ("", "}"):
            key = self._string() if self._peek() in _CLOSING else self._word()
            self._blank()
            if not self._skip(":") and self._peek():
                raise ValueError(f"no colon at {self._at}")
            found[key] = None if self._peek() in ("", "}", ",") else self._value(depth + 1)
            self._blank()
            self._skip(",")
        self._skip("}")
        return found

    def _list(self, depth: int) -> list[Any]:
        self._at += 1
        self._blank()
        found: list[Any] = []
        self._skip(",")
        while self._peek() not in ("", "]", "}"):
            found.append(self._value(depth + 1))
            self._blank()
            self._skip(",")
        self._skip("]")
        return found

    def _word(self) -> str:
        match = _WORD.match(self._text, self._at)
        if match is None:
            raise ValueError(f"no value at {self._at}")
        self._at = match.end()
        return match[0].rstrip()

    def _string(self) -> str:
        closing = _CLOSING[self._peek()]
        self._at += 1
        parts: list[str] = []
        while (sign := self._peek()) not in ("", *closing):
            self._at += 1
            parts.append(self._escaped() if sign == "\\" else sign)
        self._at += len(sign)
        text = "".join(parts) if sign else "".join(parts).rstrip()
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")

    def _escaped(self) -> str:
        sign = self._peek()
        self._at += 1
        digits = self._text[self._at : self._at + 4]
        if sign == "u" and re.fullmatch("[0-9a-fA-F]{4}", digits):
            self._at += 4
            return chr(int(digits, 16))
        return _ESCAPES.get(sign, sign)
