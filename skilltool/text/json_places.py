"""JSON whose values know where they are written.

`json` reads the text; the places are found by a second look at text that is known to be valid, so that the
two cannot disagree about what JSON is. Offsets count code points, from 0, with a byte order mark, which is
skipped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.source import Span

MAX_DEPTH, MAX_VALUES = 64, 100_000
_TOKEN = lazy_pattern(r'"(?>(?:[^"\\]++|\\.)*)"|[{}\[\]:,]|[^\s{}\[\]:,"]++', re.DOTALL)
_BLANK = lazy_pattern(r"[ \t\n\r]*+")
_BOM = "\ufeff"
_OF_STRINGS = ("Invalid", "Unterminated")  # how the messages of `json` about strings begin
_TOO_LONG = lazy_pattern(r"[0-9]{400}")  # a number; no manifest has one, and `int` takes long

Path = tuple[str | int, ...]


class JsonError(ValueError):
    """Reports text that is not JSON, or over a bound; `span` is where."""

    def __init__(self, message: str, span: Span) -> None:
        """Take a clause without a full stop, and the characters at fault."""
        super().__init__(message)
        self.message = message
        self.span = span


@dataclass(slots=True)
class _Node:
    """A value: where it is, where its key is, and the values in it by key or index."""

    start: int
    end: int = -1
    key: Span | None = None
    inner: dict[str | int, _Node] = field(default_factory=dict)
    is_list: bool = False


class Repeated(NamedTuple):
    """A key that an object has more than once: its path, and where it stands again."""

    path: Path
    span: Span


class Json:
    """A JSON text: its data, and the places of keys and values by their path, `("plugins", 0, "name")`."""

    def __init__(self, data: Any, text: str) -> None:
        """Take the data and the text that it was read from; `read` makes one."""
        self.data = data
        self._text = text

    @property
    def repeated(self) -> tuple[Repeated, ...]:
        """The keys that an object has more than once, in the order of the text."""
        return self._places[1]

    @cached_property
    def _places(self) -> tuple[_Node, tuple[Repeated, ...]]:
        return _located(self._text)

    def value(self, path: Path) -> Span:
        """Return the span of the value at a path; of the nearest value around it if there is none."""
        node, _ = self._nearest(path)
        return Span(node.start, node.end)

    def key(self, path: Path) -> Span:
        """Return the span of the key at a path, with its quotes; of the value if it is in a list."""
        node, found = self._nearest(path)
        return node.key if found and node.key is not None else Span(node.start, node.end)

    def _nearest(self, path: Path) -> tuple[_Node, bool]:
        node = self._places[0]
        for step in path:
            below = node.inner.get(step)
            if below is None:
                return node, False
            node = below
        return node, True


def read(text: str) -> Json:
    """Read JSON; raises `JsonError` for other text, and for more than `MAX_DEPTH` levels or `MAX_VALUES`.

    Of a key that is repeated the last value counts, as in every client that was measured.
    """
    _check_bounds(text)
    bare = text.removeprefix(_BOM)
    shift = len(text) - len(bare)
    try:
        data = json.loads(bare, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        at = error.pos + shift
        if error.msg.startswith(_OF_STRINGS):
            wrong = "invalid escape, line break or end of a string"
            raise JsonError(wrong, Span(at, min(at + 1, len(text)))) from None
        raise _error(text, at) from None
    except ValueError as error:  # `NaN`, which only Python reads
        constant = re.search(rf"(?<![\w\"]){re.escape(str(error))}", text)
        start = constant.start() if constant else shift
        raise JsonError(f"`{error}` is not JSON", Span(start, start + len(str(error)))) from None
    return Json(data, text)


def _refuse(constant: str) -> Any:
    raise ValueError(constant)


def _check_bounds(text: str) -> None:
    depth = values = 0
    for token in _TOKEN.finditer(text):
        first = token[0][0]
        depth += (first in "{[") - (first in "}]")
        values += first not in "}]:,"
        over = None
        if depth > MAX_DEPTH:
            over = f"more than {MAX_DEPTH} levels"
        elif values > MAX_VALUES:
            over = f"more than {MAX_VALUES:,} values"
        elif first in "-0123456789" and _TOO_LONG.search(token[0]):
            over = "a number of 400 digits"
        if over:
            raise JsonError(f"has {over}, which skilltool does not read", Span(*token.span()))


def _error(text: str, at: int) -> JsonError:
    """Return what is wrong where `json` stopped; its own words differ between versions of Python."""
    start = _skip(text, at)
    before = len(text[:at].rstrip())
    found = text[start : start + 1]
    if text[before - 1 : before] == "," and found in ("}", "]"):
        return JsonError(f"trailing comma before `{found}`", Span(before - 1, before))
    if found == "," and (after := text[_skip(text, start + 1) :][:1]) in ("}", "]") and after:
        return JsonError(f"trailing comma before `{after}`", Span(start, start + 1))
    if not found:
        return JsonError("unexpected end of the file", Span(at, at))
    if text.startswith(("//", "/*", "#"), start):
        return JsonError("comments are not JSON", Span(start, start + (1 if found == "#" else 2)))
    if found == '"' and (before == 0 or text[before - 1] not in "{[,:"):
        return JsonError("expected a comma or the end before a string", Span(start, start + 1))
    token = _TOKEN.match(text, start)
    end = min(token.end(), start + 40) if token else start + 1
    return JsonError(f"unexpected `{text[start:end]}`", Span(start, end))


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _located(text: str) -> tuple[_Node, tuple[Repeated, ...]]:
    """Return the tree of places in a valid text, and the keys that are repeated."""
    tokens = _TOKEN.finditer(text, len(_BOM) if text.startswith(_BOM) else 0)
    repeated: list[Repeated] = []
    top = _Node(0)
    stack: list[tuple[_Node, str | int]] = [(top, "")]
    key: tuple[str, Span] | None = None
    for token in tokens:
        mark = token[0]
        holder, step = stack[-1]
        if mark in ("}", "]"):
            stack.pop()
            holder.end = token.end()
        elif mark == ",":
            if holder.is_list and isinstance(step, int):
                stack[-1] = (holder, step + 1)
        elif mark == ":":
            continue
        elif mark[0] == '"' and len(stack) > 1 and not holder.is_list and key is None:
            key = (json.loads(mark, strict=True), Span(*token.span()))
        else:
            node = _Node(token.start(), token.end())
            if key is not None:
                step, node.key = key
                if step in holder.inner:
                    repeated.append(Repeated((*_steps(stack), step), key[1]))
                stack[-1] = (holder, step)
                key = None
            holder.inner[step] = node
            if mark in ("{", "["):
                node.is_list = mark == "["
                stack.append((node, 0 if node.is_list else ""))
    return top.inner[""], tuple(repeated)


def _steps(stack: list[tuple[_Node, str | int]]) -> Iterator[str | int]:
    """Yield the path of the innermost holder: the steps of those around it, without the document's own."""
    return (step for _, step in stack[1:-1])
