"""What the npm package `yaml` says of a text that it refuses: its first error, and a mark below the line.

The commonest errors in block mappings, lists and their values are known, by what `yaml` 2.9.0 returned for
generated texts. The text is read line by line, as frontmatter is written; an error that is not recognized
has no words.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool.emulation.javascript import units
from skilltool.emulation.npm_yaml_scalars import (
    Found,
    line_end,
    plain_end,
    start_problem,
    stray_bracket,
)
from skilltool.emulation.npm_yaml_values import value_at
from skilltool.text.frontmatter.nodes import MAX_DEPTH

_NOT_UNIQUE = "Map keys must be unique"
_NO_VALUE = "Implicit map keys need to be followed by map values"
_SEVERAL_LINES = "Implicit keys need to be on a single line"
_COLUMN = "All mapping items must start at the same column"
_TAB = "Tabs are not allowed as indentation"
_DIRECTIVE = "Missing directives-end/doc-start indicator line"
_BLOCK_KEY = "A block sequence may not be used as an implicit map key"
_AT_END = "Unexpected scalar at node end"
_NOTHING = re.compile(r"[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_INDENT = re.compile(r"(?P<spaces> *)(?P<tabs>\t[ \t]*)?")
_MARKER = re.compile(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_DASH = re.compile(r"-(?:[ \t]+|(?=\r?\n|\Z))")
_QUOTED_KEY = re.compile(r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>(?:[^'\n]|'')*)'")
_COLON = re.compile(r"[ \t]*:(?=[ \t\r\n]|\Z)")
_WIDEST, _MIDDLE = 80, 60


class _Block(NamedTuple):
    """An open mapping or list: its column, and the keys that it has."""

    column: int
    is_list: bool
    keys: set[str]


def words(text: str) -> str | None:
    """Return the message of the first error, None if that is not known or there is none."""
    inside = units(text)
    found = _Scan(inside).fault()
    return None if found is None else _shown(inside, found).encode("utf-16", "surrogatepass").decode("utf-16")


def _shown(text: str, found: Found) -> str:
    """Return a message with the line and column, the line (in its middle part) and a mark below it."""
    begin = text.rfind("\n", 0, found.start) + 1
    number, at = text.count("\n", 0, begin) + 1, found.start - begin
    stop = line_end(text, max(begin, found.stop))  # it does not count the lines of a stray scalar
    line = text[begin:stop].rstrip("\r\n")
    head = f"{found.message} at line {number}, column {at + 1}"
    if at >= _MIDDLE and len(line) > _WIDEST:
        cut = min(at - 39, len(line) - 79)
        line, at = f"\u2026{line[cut:]}", at - cut + 1
    if len(line) > _WIDEST:
        line = f"{line[:79]}\u2026"
    if number > 1 and not line[:at].strip(" "):
        before = text[text.rfind("\n", 0, begin - 1) + 1 : begin]
        line = (f"{before[:79]}\u2026\n" if len(before) > _WIDEST else before) + line
    if not line.strip(" "):
        return head
    marks = max(1, min(found.end - found.start, _WIDEST - at)) if found.end <= stop + 1 else 1
    return f"{head}:\n\n{line}\n{' ' * at}{'^' * marks}\n"


class _Scan:
    """One pass over the lines of a text, up to the first error."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[_Block] = []
        self.awaits = False  # the last key or dash has no value yet
        self.below = False  # the last value began in the line after its key, or a blank line follows it
        self.empty = 0  # where that value would begin
        self.after = 0  # where the line after the last value begins

    def fault(self) -> Found | None:
        at, start = 0, None
        while self.text.startswith("%", at) or (at < len(self.text) and _NOTHING.match(self.text, at)):
            start = at if self.text.startswith("%", at) else start
            at = self._next_line(at)
        first = at
        while at < len(self.text):
            nothing = _NOTHING.match(self.text, at)
            if nothing:
                self._passed(nothing)
            found = None if nothing else self._line(at)
            if isinstance(found, Found):
                return found if found.message else None
            at = nothing.end() if nothing else found or len(self.text)
        return None if start is None else Found(_DIRECTIVE, first, first + 1)

    def _passed(self, line: re.Match[str]) -> None:
        """Note a line that is blank or a comment; a comment that is indented belongs to the value before."""
        is_comment = "#" in line[0]
        self.empty = 0 if is_comment else self.empty
        self.below = self.below or not is_comment
        if is_comment and self.blocks and line[0].index("#") > self.blocks[-1].column:
            self.after = line.end()

    def _next_line(self, at: int) -> int:
        return min(line_end(self.text, at) + 1, len(self.text))

    def _line(self, at: int) -> Found | int:
        """Read a line, and those that its value goes on in; return where the next begins, or the error."""
        indent = _INDENT.match(self.text, at)
        assert indent is not None
        if indent["tabs"]:
            if not self.blocks or len(indent["spaces"]) <= self.blocks[-1].column:
                return Found(_TAB, indent.start("tabs"), indent.end())
            if not self.awaits:
                return Found(_COLUMN, self.after, self.after + 1)
        column, at = len(indent["spaces"]), indent.end()
        if column == 0 and _MARKER.match(self.text, at):
            return Found("", at, at)
        dash = _DASH.match(self.text, at)
        if (problem := self._placed(at, column, dash is not None)) is not None:
            return problem
        return self._item(at, column)

    def _placed(self, at: int, column: int, is_item: bool) -> Found | None:
        """Open or close the blocks that a line at this column opens or closes; return the error."""
        if not self.blocks:
            self.blocks.append(_Block(column, is_item, set()))
            return None
        while self.blocks and self._is_over(self.blocks[-1], column, is_item):
            self.blocks.pop()
        if not self.blocks:
            end = plain_end(self.text, at, 0).end
            return Found(_AT_END, at, end, end)
        last = self.blocks[-1]
        if self.awaits and (column > last.column or (is_item and not last.is_list)):
            self.blocks.append(_Block(column, is_item, set()))
        elif column > last.column:
            return Found(_BLOCK_KEY if is_item else _COLUMN, self.after, self.after + 1)
        elif is_item and not last.is_list:
            if self.below:
                return Found(_BLOCK_KEY, self.after, self.after + 1)
            return Found(_SEVERAL_LINES, at, at + 1)
        return None

    def _is_over(self, block: _Block, column: int, is_item: bool) -> bool:
        return block.column > column or (block.is_list and block.column == column and not is_item)

    def _item(self, at: int, column: int) -> Found | int:
        """Read what begins in a column of the innermost block."""
        block = self.blocks[-1]
        if (dash := _DASH.match(self.text, at)) is not None:
            return self._after_dash(dash.end(), column + dash.end() - at, block)
        if self.text.startswith(("? ", "?\n"), at):
            return Found("", at, at)
        if (stray := stray_bracket(self.text, at, block.column)) is not None:
            return stray
        key = self._key(at)
        if key is None:
            return self._without_colon(at, block)
        name, end = key
        if problem := start_problem(self.text, at):
            return problem
        if name in block.keys:
            begin = self.empty if self.awaits and self.empty else at
            return Found(_NOT_UNIQUE, begin, begin + 1)
        block.keys.add(name)
        self.below = False
        return self._valued(end, block.column)

    def _after_dash(self, at: int, column: int, block: _Block) -> Found | int:
        self.awaits = True
        if _NOTHING.match(self.text, at):
            return self._ended(at)
        if len(self.blocks) > MAX_DEPTH:
            return Found("", at, at)
        if self._key(at) is None and not _DASH.match(self.text, at):
            return self._valued(at, block.column)
        self.blocks.append(_Block(column, _DASH.match(self.text, at) is not None, set()))
        return self._item(at, column)

    def _key(self, at: int) -> tuple[str, int] | None:
        """Return a key on one line, and the offset after its colon."""
        quoted = _QUOTED_KEY.match(self.text, at)
        if quoted is not None and (colon := _COLON.match(self.text, quoted.end())) is not None:
            return quoted["double"] or quoted["single"] or "", colon.end()
        if self.text[at] in "\"'[{|>&*!":
            return None
        plain = plain_end(self.text, at, None)
        colon = _COLON.match(self.text, plain.end)
        return (self.text[at : plain.end], colon.end()) if colon is not None else None

    def _without_colon(self, at: int, block: _Block) -> Found | int:
        """Read a line without a key: the value of the key before it, or an error."""
        is_value = self.awaits and not block.keys and not block.is_list and len(self.blocks) > 1
        self.below = is_value
        if is_value:
            self.blocks.pop()
        if len(self.blocks) < 2 and not block.keys and not is_value:
            plain = plain_end(self.text, at, 0)  # the text may be one scalar
            is_key = plain.has_colon and self.text[at] not in "\"'[{|>&*!"
            return Found(_SEVERAL_LINES if is_key else "", at, plain.end)
        parent = self.blocks[-1].column + 1 if is_value else block.column
        if self.text[at] in "\"'[{|>&*!":
            if is_value:
                return self._valued(at, self.blocks[-1].column)
            whole = _QUOTED_KEY.match(self.text, at)
            return Found(_NO_VALUE if whole else "", at, whole.end() if whole else at)
        plain = plain_end(self.text, at, parent)
        if is_value and not plain.has_colon:
            self.awaits = False
            return self._ended(plain.end)
        if plain.lines > 1:
            return Found(_SEVERAL_LINES, at, plain.end)
        return Found(_NO_VALUE, at, plain.end)

    def _valued(self, at: int, column: int) -> Found | int:
        """Read the value after a colon or a dash."""
        found = value_at(self.text, at, column)
        if isinstance(found, Found):
            return found
        self.awaits = found.is_empty
        self.empty = 0 if self.text.startswith("#", found.end) else found.end
        return self._ended(found.end)

    def _ended(self, at: int) -> int:
        """Return where the line after the end of a value begins."""
        self.after = at if self.text.startswith("\n", at - 1) and at else self._next_line(at)
        return self.after
