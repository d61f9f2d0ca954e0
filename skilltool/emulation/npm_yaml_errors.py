"""What the npm package `yaml` says of a text that it refuses: its first error, and a mark below the line.

The commonest errors in block mappings, lists and their values are known, by what `yaml` 2.9.0 returned for
generated texts. The text is read line by line, as frontmatter is written; an error that is not recognized
has no words. Offsets are UTF-16 units.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from skilltool.emulation.javascript import units
from skilltool.text.frontmatter.nodes import MAX_DEPTH
from skilltool.text.lazy_pattern import lazy_pattern

_NOT_UNIQUE = "Map keys must be unique"
_NO_VALUE = "Implicit map keys need to be followed by map values"
_SEVERAL_LINES = "Implicit keys need to be on a single line"
_COLUMN = "All mapping items must start at the same column"
_TAB = "Tabs are not allowed as indentation"
_DIRECTIVE = "Missing directives-end/doc-start indicator line"
_BLOCK_KEY = "A block sequence may not be used as an implicit map key"
_AT_END = "Unexpected scalar at node end"
_NOTHING = lazy_pattern(r"[ \t]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_INDENT = lazy_pattern(r"(?P<spaces> *)(?P<tabs>\t[ \t]*)?")
_MARKER = lazy_pattern(r"(?:---|\.\.\.)(?=[ \t\r\n]|\Z)")
_DASH = lazy_pattern(r"-(?:[ \t]+|(?=\r?\n|\Z))")
_QUOTED_KEY = lazy_pattern(r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"|'(?P<single>(?:[^'\n]|'')*)'")
_COLON = lazy_pattern(r"[ \t]*:(?=[ \t\r\n]|\Z)")
_WIDEST, _MIDDLE = 80, 60
_NESTED = "Nested mappings are not allowed in compact mappings"
_LIST = "Unexpected block-seq-ind on same line with key"
_COMMENT = "Comments must be separated from other tokens by white space characters"
_NOT_INDENTED = "Block scalar values in collections must be indented"
_HEADER = lazy_pattern(r"(?P<sign>[|>][^\s#]*)(?P<gap>[ \t]*)(?P<rest>[^\n]*)")
_PLAIN_HEADER = lazy_pattern(r"[|>](?:[-+]?[1-9]?|[1-9][-+])")
_NAME = lazy_pattern(r"[^\s,\[\]{}]*")
_ESCAPE = lazy_pattern(r"\\(?:x(?P<x>.{0,2})|u(?P<u>.{0,4})|U(?P<U>.{0,8})|(?P<one>[\s\S]))")
_SINGLE, _DOUBLE = r"'(?>(?:[^']|'')*)'", r'"(?>(?:[^"\\]|\\[\s\S])*)"'
_QUOTED = {"'": lazy_pattern(_SINGLE), '"': lazy_pattern(_DOUBLE)}
_LINE = lazy_pattern(r"\n(?P<spaces> *)(?=\S)")
_BLOCK_LINE = lazy_pattern(r"\n(?P<spaces> *)(?P<first>[^\n]?)")
_IN_FLOW = lazy_pattern(rf"{_SINGLE}|{_DOUBLE}|(?<=\s)#[^\n]*|\n(?P<spaces> *)|[\[\]{{}}]")
_HEX = lazy_pattern(r"(?:[0-9a-fA-F]{2}|[0-9a-fA-F]{4}|[0-9a-fA-F]{8})")
_ESCAPES = frozenset('0abefnrtvN_LP "/\\\t\n\r')
_TOKENS = {'"': "double-quoted-scalar", "'": "single-quoted-scalar", "*": "alias"}
_KINDS = {"[": ("sequence", "]"), "{": ("map", "}")}
_INDICATORS = {"-": "seq-item-ind", "?": "explicit-key-ind", ":": ""}
_PROPERTIES = {"&": "anchor", "!": "tag", "|": "block-scalar-header", ">": "block-scalar-header"}
_BLANK = (" ", "\t", "\n", "\r", "")
_OPENING = {"[": "flow-seq-start", "{": "flow-map-start"}
_BLANKS = lazy_pattern(r"[ \t]*")
_SPACES = lazy_pattern(" *")
_BLANK_LINE = lazy_pattern(r"\n[ \t]*\r?(?=\n|\Z)")
_END = lazy_pattern(r":(?=[ \t\r]|$)|(?:(?<=[ \t])|^)#")
_CLOSING = {"]": "flow-seq-end", "}": "flow-map-end"}
_STARTS = {
    "@": "reserved character @",
    "`": "reserved character `",
    "%": "directive indicator character %",
    ",": "flow indicator character ,",
}


class _Fault(NamedTuple):
    """An error and the offsets of what is at fault; one without a message is not known.

    `stop` is where a scalar that has no place ends, which may be some lines below.
    """

    message: str
    start: int
    end: int
    stop: int = 0


class _Plain(NamedTuple):
    """A plain scalar: where it ends, over how many lines, and whether a colon makes a key of it."""

    end: int
    lines: int
    has_colon: bool


class _Value(NamedTuple):
    """A value without an error: where it ends, and whether it is empty, so that a block may follow."""

    end: int
    is_empty: bool = False


class _Block(NamedTuple):
    """An open mapping or list: its column, and the keys that it has."""

    column: int
    is_list: bool
    keys: set[str]


def words(text: str) -> str | None:
    """Return the message of the first error, None if that is not known or there is none."""
    inside = units(text)
    fault = _Scan(inside).fault()
    return None if fault is None else _shown(inside, fault).encode("utf-16", "surrogatepass").decode("utf-16")


def _shown(text: str, fault: _Fault) -> str:
    """Return a message with the line and column, the line (in its middle part) and a mark under it."""
    begin = text.rfind("\n", 0, fault.start) + 1
    number, at = text.count("\n", 0, begin) + 1, fault.start - begin
    stop = _line_end(text, max(begin, fault.stop))  # it does not count the lines of a stray scalar
    line = text[begin:stop].rstrip("\r\n")
    head = f"{fault.message} at line {number}, column {at + 1}"
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
    marks = max(1, min(fault.end - fault.start, _WIDEST - at)) if fault.end <= stop + 1 else 1
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

    def fault(self) -> _Fault | None:
        at, start = 0, None
        while self.text.startswith("%", at) or (at < len(self.text) and _NOTHING.match(self.text, at)):
            start = at if self.text.startswith("%", at) else start
            at = self._next_line(at)
        first = at
        while at < len(self.text):
            nothing = _NOTHING.match(self.text, at)
            if nothing:
                self._passed(nothing)
            fault = None if nothing else self._line(at)
            if isinstance(fault, _Fault):
                return fault if fault.message else None
            at = nothing.end() if nothing else fault or len(self.text)
        return None if start is None else _Fault(_DIRECTIVE, first, first + 1)

    def _passed(self, line: re.Match[str]) -> None:
        """Note a line that is blank or a comment; a comment that is indented belongs to the value before."""
        is_comment = "#" in line[0]
        self.empty = 0 if is_comment else self.empty
        self.below = self.below or not is_comment
        if is_comment and self.blocks and line[0].index("#") > self.blocks[-1].column:
            self.after = line.end()

    def _next_line(self, at: int) -> int:
        return min(_line_end(self.text, at) + 1, len(self.text))

    def _line(self, at: int) -> _Fault | int:
        """Read a line, and those that its value goes on in; return where the next begins, or the error."""
        indent = _INDENT.match(self.text, at)
        assert indent is not None
        if indent["tabs"]:
            if not self.blocks or len(indent["spaces"]) <= self.blocks[-1].column:
                return _Fault(_TAB, indent.start("tabs"), indent.end())
            if not self.awaits:
                return _Fault(_COLUMN, self.after, self.after + 1)
        column, at = len(indent["spaces"]), indent.end()
        if column == 0 and _MARKER.match(self.text, at):
            return _Fault("", at, at)
        dash = _DASH.match(self.text, at)
        if (problem := self._placed(at, column, dash is not None)) is not None:
            return problem
        return self._item(at, column)

    def _placed(self, at: int, column: int, is_item: bool) -> _Fault | None:
        """Open or close the blocks that a line at this column opens or closes; return the error."""
        if not self.blocks:
            self.blocks.append(_Block(column, is_item, set()))
            return None
        while self.blocks and self._is_over(self.blocks[-1], column, is_item):
            self.blocks.pop()
        if not self.blocks:
            end = plain_end(self.text, at, 0).end
            return _Fault(_AT_END, at, end, end)
        last = self.blocks[-1]
        if self.awaits and (column > last.column or (is_item and not last.is_list)):
            self.blocks.append(_Block(column, is_item, set()))
        elif column > last.column:
            return _Fault(_BLOCK_KEY if is_item else _COLUMN, self.after, self.after + 1)
        elif is_item and not last.is_list:
            if self.below:
                return _Fault(_BLOCK_KEY, self.after, self.after + 1)
            return _Fault(_SEVERAL_LINES, at, at + 1)
        return None

    def _is_over(self, block: _Block, column: int, is_item: bool) -> bool:
        return block.column > column or (block.is_list and block.column == column and not is_item)

    def _item(self, at: int, column: int) -> _Fault | int:
        """Read what begins in a column of the innermost block."""
        block = self.blocks[-1]
        if (dash := _DASH.match(self.text, at)) is not None:
            return self._after_dash(dash.end(), column + dash.end() - at, block)
        if self.text.startswith(("? ", "?\n"), at):
            return _Fault("", at, at)
        if (stray := _stray_bracket(self.text, at, block.column)) is not None:
            return stray
        key = self._key(at)
        if key is None:
            return self._without_colon(at, block)
        name, end = key
        if problem := _start_problem(self.text, at):
            return problem
        if name in block.keys:
            begin = self.empty if self.awaits and self.empty else at
            return _Fault(_NOT_UNIQUE, begin, begin + 1)
        block.keys.add(name)
        self.below = False
        return self._valued(end, block.column)

    def _after_dash(self, at: int, column: int, block: _Block) -> _Fault | int:
        self.awaits = True
        if _NOTHING.match(self.text, at):
            return self._ended(at)
        if len(self.blocks) > MAX_DEPTH:
            return _Fault("", at, at)
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

    def _without_colon(self, at: int, block: _Block) -> _Fault | int:
        """Read a line without a key: the value of the key before it, or an error."""
        is_value = self.awaits and not block.keys and not block.is_list and len(self.blocks) > 1
        self.below = is_value
        if is_value:
            self.blocks.pop()
        if len(self.blocks) < 2 and not block.keys and not is_value:
            plain = plain_end(self.text, at, 0)  # the text may be one scalar
            is_key = plain.has_colon and self.text[at] not in "\"'[{|>&*!"
            return _Fault(_SEVERAL_LINES if is_key else "", at, plain.end)
        parent = self.blocks[-1].column + 1 if is_value else block.column
        if self.text[at] in "\"'[{|>&*!":
            if is_value:
                return self._valued(at, self.blocks[-1].column)
            whole = _QUOTED_KEY.match(self.text, at)
            return _Fault(_NO_VALUE if whole else "", at, whole.end() if whole else at)
        plain = plain_end(self.text, at, parent)
        if is_value and not plain.has_colon:
            self.awaits = False
            return self._ended(plain.end)
        if plain.lines > 1:
            return _Fault(_SEVERAL_LINES, at, plain.end)
        return _Fault(_NO_VALUE, at, plain.end)

    def _valued(self, at: int, column: int) -> _Fault | int:
        """Read the value after a colon or a dash."""
        found = _value_at(self.text, at, column)
        if isinstance(found, _Fault):
            return found
        self.awaits = found.is_empty
        self.empty = 0 if self.text.startswith("#", found.end) else found.end
        return self._ended(found.end)

    def _ended(self, at: int) -> int:
        """Return where the line after the end of a value begins."""
        self.after = at if self.text.startswith("\n", at - 1) and at else self._next_line(at)
        return self.after


def _value_at(text: str, at: int, column: int) -> _Fault | _Value:
    """Return the value after a colon or dash at `at`, in a block at `column`, or the first error in it."""
    start = first = _after_blanks(text, at)
    while text.startswith(("&", "!"), start):
        start = _after_blanks(text, _name_end(text, start))
    sign = text[start : start + 1]
    if sign in ("", "\n", "\r") or (sign == "#" and start > at):
        return _Value(start, is_empty=True)
    if (stray := _stray_bracket(text, start, column)) is not None:
        return stray
    if sign in "-?" and text[start + 1 : start + 2] in _BLANK:
        return _Fault(_LIST if sign == "-" else _NESTED, start, start + 1)
    if sign in "|>":
        return _block(text, start, column)
    nested = _Fault(_TAB, at, first) if "\t" in text[at:first] else _Fault(_NESTED, first, first + 1)
    if sign in _KINDS:
        return _flow(text, start, column)
    if sign == "*":
        if start > first and text[first] in "&!":
            return _Fault("An alias node must not specify any properties", start, _name_end(text, start))
        return _after(text, _name_end(text, start), column, nested)
    if sign in "\"'":
        return _quoted(text, start, column, nested)
    plain = plain_end(text, start, column + 1)
    if plain.has_colon:
        return nested
    return _start_problem(text, start) or _Value(plain.end)


def _name_end(text: str, at: int) -> int:
    """Return the end of an anchor, an alias or a tag."""
    match = _NAME.match(text, at)
    return match.end() if match else at


def _after(text: str, at: int, column: int, nested: _Fault | None) -> _Fault | _Value:
    """Return the error for what follows a quoted or flow value or an alias in its line."""
    start = _after_blanks(text, at)
    sign = text[start : start + 1]
    if sign in ("", "\n", "\r"):
        return _Value(at)
    if sign == "#":
        return _Value(at) if start > at else _Fault(_COMMENT, start, _line_end(text, start))
    if (stray := _stray_bracket(text, start, column)) is not None:
        return stray
    if sign in _PROPERTIES:
        return _Fault(f"Unexpected {_PROPERTIES[sign]} at node end", start, _name_end(text, start))
    plain = plain_end(text, start, column + 1)
    is_indicator = sign in "-?:" and text[start + 1 : start + 2] in _BLANK
    if nested is not None and (plain.has_colon or (sign == ":" and is_indicator)):
        return nested._replace(stop=plain.end if sign not in _TOKENS else 0)
    if sign in _TOKENS:
        closed = text.find(sign, start + 1) + 1 or len(text)
        end = _name_end(text, start) if sign == "*" else closed
        return _Fault(f"Unexpected {_TOKENS[sign]} at node end", start, end)
    if sign in _KINDS:
        return _Fault(f"Unexpected {_OPENING[sign]} at node end", start, start + 1)
    if is_indicator:
        return _Fault(f"Unexpected {_INDICATORS[sign]} at node end" if sign != ":" else "", start, start + 1)
    return _Fault("Unexpected scalar at node end", start, plain.end, plain.end)


def _quoted(text: str, start: int, column: int, nested: _Fault) -> _Fault | _Value:
    quote = text[start]
    whole = _QUOTED[quote].match(text, start)
    end = whole.end() if whole else len(text)
    if whole:
        for line in _LINE.finditer(text, start, end):
            if len(line["spaces"]) <= column:
                cut = line.start() - (text[line.start() - 1] == "\r")
                return _escapes(text, start, cut) or _Fault(f"Missing closing {quote}quote", cut, cut + 1)
    if quote == '"' and (problem := _escapes(text, start, end)):
        return problem
    if whole is None:
        return _Fault(f"Missing closing {quote}quote", end, end + 1)
    return _after(text, end, column, nested if "\n" not in whole[0] else None)


def _escapes(text: str, start: int, end: int) -> _Fault | None:
    """Return the error for the first escape of a text in double quotes that YAML does not have."""
    if text[start] != '"':
        return None
    for match in _ESCAPE.finditer(text, start + 1, end):
        if match["one"] is not None:
            if match["one"] not in _ESCAPES:
                return _Fault(f"Invalid escape sequence {match[0]}", match.start(), match.start() + 1)
            continue
        digits = match["x"] or match["u"] or match["U"] or ""
        if len(digits) != {"x": 2, "u": 4, "U": 8}[match[0][1]] or not _HEX.fullmatch(digits):
            return _Fault(f"Invalid escape sequence {match[0]}", match.start(), match.start() + 1)
    return None


def _flow(text: str, start: int, column: int) -> _Fault | _Value:
    """Return the end of a flow collection, or the error for one that is not closed in time."""
    kind, bracket = _KINDS[text[start]]
    message = f"Flow {kind} in block collection must be sufficiently indented and end with a {bracket}"
    depth = 0
    for match in _IN_FLOW.finditer(text, start):
        token = match[0]
        if token[0] == "\n":
            sign = text[match.end() : match.end() + 1]
            closes = sign in ("]", "}") and depth == 1 and len(match["spaces"]) == column
            if sign not in ("", "\n", "\r", "#", "\t") and len(match["spaces"]) <= column and not closes:
                known = ":" not in text[text.find("\n", start) : match.start()]
                return _Fault(message if known else "", match.start() + 1, match.start() + 2)
        elif token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
            if depth == 0:
                return (
                    _Fault("", start, start) if token != bracket else _after(text, match.end(), column, None)
                )
    known = ":" not in text[_line_end(text, start) :]
    return _Fault(message if known else "", len(text), len(text) + 1)


def _block(text: str, start: int, column: int) -> _Fault | _Value:
    """Return the end of a block scalar, or the error in its first line."""
    header = _HEADER.match(text, start)
    assert header is not None
    sign, rest = header["sign"], header["rest"].rstrip("\r")
    if not _PLAIN_HEADER.fullmatch(sign):
        wrong = _PLAIN_HEADER.match(sign)
        at = start + (wrong.end() if wrong else 1)
        return _Fault(f"Block scalar header includes extra characters: {sign}", at, at + 1)
    if rest.startswith("#"):
        if not header["gap"]:
            return _Fault(_COMMENT, header.start("rest"), header.start("rest") + 1)
    elif rest:
        return _Fault(f"Not a YAML token: {rest}", header.start("rest"), header.start("rest") + len(rest))
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
                    return _Fault(_NOT_INDENTED, at + 1, at + 2)
                return _Value(at)
            indent = width if indent is None else indent
        at = _line_end(text, line.end())
    return _Value(at)


def _start_problem(text: str, at: int) -> _Fault | None:
    """Return the error for a plain scalar that begins with a sign of YAML."""
    what = _STARTS.get(text[at])
    return _Fault(f"Plain value cannot start with {what}", at, at + 1) if what else None


def _stray_bracket(text: str, at: int, column: int) -> _Fault | None:
    """Return the error for a closing bracket where none is open, in a block at `column`."""
    sign = text[at]
    if sign not in _CLOSING:
        return None
    after = _after_blanks(text, at + 1)
    stop = plain_end(text, after, column + 1).end if _line_end(text, at) > after else after
    return _Fault(f'Unexpected {_CLOSING[sign]} token in YAML stream: "{sign}"', at, at + 1, stop)


def _after_blanks(text: str, at: int) -> int:
    """Return the offset after the spaces and tabs at an offset."""
    match = _BLANKS.match(text, at)
    return match.end() if match else at


def _line_end(text: str, at: int) -> int:
    """Return the offset of the next line end, or of the end of the text."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def plain_end(text: str, at: int, indent: int | None) -> _Plain:
    """Return the extent of a plain scalar; lines indented by `indent` continue it, with None none do."""
    lines, end = 1, at
    while True:
        stop = _line_end(text, at)
        line = text[at:stop]
        match = _END.search(line)
        content = (line[: match.start()] if match else line).rstrip(" \t\r")
        if content:
            end = at + len(content)
        if match is not None:
            return _Plain(end, lines, match[0] == ":")
        while (blank := _BLANK_LINE.match(text, stop)) is not None and blank.end() > stop:
            stop = blank.end()
        spaces = _SPACES.match(text, stop + 1) if stop + 1 < len(text) else None
        if indent is None or spaces is None or len(spaces[0]) < indent:
            return _Plain(end, lines, False)
        at, lines = _after_blanks(text, stop + 1), lines + 1
        if text.startswith("#", at):
            return _Plain(end, lines - 1, False)
