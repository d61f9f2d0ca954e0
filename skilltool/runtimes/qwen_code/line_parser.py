"""What does qwen-code read from frontmatter that the YAML library refuses? Lines of `key: value`.

Source: `packages/core/src/utils/yaml-parser.ts` of 0.24.4. A value is the text after the first colon, without
double quotes around it. Below a key without a value may be a list, each line `  - value`, or a mapping, each
line `  key: value`. Anything deeper, and block scalars, are not understood; the last of repeated keys wins.
"""

from __future__ import annotations

from typing import Any

from skilltool.emulation.javascript import finite_number, trim

_ITEM, _INDENT = "  - ", "  "
_WORDS = {"true": True, "false": False, "null": None, "": ""}


def read(text: str) -> dict[str, Any]:
    """Return the data of frontmatter, whatever it is."""
    lines = [line for line in text.split("\n") if (bare := trim(line)) and not bare.startswith("#")]
    return _Reader(lines).result


class _Reader:
    """Reads all lines; `key` is the last one without a value, `below` what the lines below it add up to."""

    def __init__(self, lines: list[str]) -> None:
        self.result: dict[str, Any] = {}
        self._key = ""
        self._items: list[Any] | None = None
        self._mapping: dict[str, Any] | None = None
        for line, following in zip(lines, [*lines[1:], ""], strict=False):
            self._line(line, following)
        self._end_of_list()
        self._end_of_mapping()

    def _line(self, line: str, following: str) -> None:
        if line.startswith(_ITEM):
            self._items = [] if self._items is None else self._items
            self._items.append(_value(trim(line[len(_ITEM) :])))
            return
        self._end_of_list()
        if self._mapping is not None and line.startswith(_INDENT):
            key, _, value = trim(line).partition(":")
            self._mapping[trim(key)] = _value(trim(value))
            return
        self._end_of_mapping()
        key, colon, value = line.partition(":")
        if not colon:
            return
        if trim(value):
            self.result[trim(key)] = _value(trim(value))
            return
        self._key = trim(key)
        if following.startswith(_INDENT) and not following.startswith(_ITEM):
            self._mapping = {}

    def _end_of_list(self) -> None:
        if self._items is not None:
            self.result[self._key] = self._items
            self._items, self._key = None, ""

    def _end_of_mapping(self) -> None:
        if self._mapping is not None:
            self.result[self._key] = self._mapping
            self._mapping, self._key = None, ""


def _value(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > 1 and text.startswith('"') and text.endswith('"'):
        return text[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    number = finite_number(text)
    return text if number is None else number
