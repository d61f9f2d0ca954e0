"""YAML as `load` of the npm package js-yaml reads it: 4 (default schema) and 3 (`safeLoad`).

Both are built on our node tree, which comes from libyaml. Dates are no strings, keys of a mapping are unique,
`<<` merges, and a tag that is not of YAML's own is refused. Version 3 reads numbers as YAML 1.1 does (`017`,
`12:30:45`), version 4 has `0o17`. Sources: the core schema of YAML 1.2, the types of YAML 1.1
(https://yaml.org/type/), and the results of js-yaml 4.1.1 and 3.15.2 for generated texts
(`tests/libraries/js-yaml-4.1.1-3.15.2.jsonl`). Which texts are refused is reproduced; the messages are ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from skilltool.emulation.javascript import Foreign, as_key, in_key_order
from skilltool.emulation.libyaml_differences import (
    escaped,
    escaped_in,
    unescaped,
    with_ascii_names,
    with_long_keys,
    with_whole_surrogates,
    without_tabs_on_empty_lines,
)
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.lazy_pattern import lazy_pattern

_STANDARD = "tag:yaml.org,2002:"
_MERGE = f"{_STANDARD}merge"
_COLLECTIONS = {
    Mapping: frozenset({"map", "set"}),
    Sequence: frozenset({"seq", "omap", "pairs"}),
}
# What version 3 lets go on in the line of a key or a value: another entry, as if on a line of its own.
_QUOTED = r"\"(?>(?:[^\"\\\n]|\\[^\n])*)\"|'[^'\n]*'|\[[^\]\n]*\]|\{[^}\n]*\}"
_ENTRY_AFTER_VALUE = lazy_pattern(
    r"^(?P<indent> *)(?P<entry>[^\s#'\"\[{:][^\s:]*:"
    rf"(?: +(?:{_QUOTED})[ \t]*(?=[^\s#:][^\n:]*:(?: |$))| +(?=\? )))",
    re.MULTILINE,
)
_TABS_AT_LINE_START = lazy_pattern(r"^( *)\t[ \t]*", re.MULTILINE)
_PRINTABLE = frozenset({0x85, 0x2028, 0x2029, 0xFEFF})
_NO_END = "end of the stream or a document separator is expected"
_COMMENT_IN_HEADER = lazy_pattern(r"[|>][-+0-9]*#")
# What stands for "not a value of this type".
_NOT_RESOLVED = object()
_MAX_DIGITS = 4000  # Python refuses to convert longer ones; only a string or not matters here
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_DIGITS = r"[0-9_]*[0-9]"
_OLD_INT = lazy_pattern(
    r"[-+]?(?:0b(?P<binary>[01_]*[01])|0x(?P<hex>[0-9a-fA-F_]*[0-9a-fA-F])|0(?P<octal>[0-7_]*[0-7])"
    rf"|(?P<decimal>0|[1-9](?:{_DIGITS})?)|(?P<sexagesimal>[1-9](?:{_DIGITS})?(?::[0-5]?[0-9])+))"
)
_INT = lazy_pattern(
    r"[-+]?(?:0b(?P<binary>[01_]*[01])|0x(?P<hex>[0-9a-fA-F_]*[0-9a-fA-F])|0o(?P<octal>[0-7_]*[0-7])"
    rf"|(?P<decimal>[0-9](?:{_DIGITS})?))"
)
_SPECIAL = r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)"
_OLD_FLOAT = lazy_pattern(
    r"[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    rf"|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|{_SPECIAL}"
)
_FLOAT = lazy_pattern(
    r"[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9_]+(?:[eE][-+]?[0-9]+)?"
    rf"|{_SPECIAL}"
)
_DATE = lazy_pattern(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
    r"|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?"
    r"(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?"
)
_BASE64 = lazy_pattern(r"[A-Za-z0-9+/=\r\n]*")


class JsYamlError(ValueError):
    """A text that js-yaml refuses; the message is ours."""


def load(text: str, version: int) -> Any:
    """Return the data of YAML `text`: dict, list, str, int, float, bool, None, or `Foreign` (a date).

    `version` is 3 or 4. Raises `JsYamlError`, and `BoundError` for what exceeds skilltool's bounds.
    """
    if "\0" in text:
        raise JsYamlError("null byte is not allowed in input")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    parsed, root = _composed(escaped(text), version)
    if root is None:
        return None
    if problem := _layout_problem(parsed, root):
        raise JsYamlError(problem)
    return _Reader(version).data(root)


def _composed(text: str, version: int) -> tuple[str, Node | None]:
    """Return the text that libyaml accepts, as given or rewritten, and its tree."""
    given = text if text.endswith("\n") else f"{text}\n"
    refusal: YamlError | None = None
    for candidate in chain((given,), _rewritten_for_libyaml(given, version)):
        try:
            return candidate, compose(candidate).root
        except BoundError:
            raise
        except YamlError as error:
            refusal = refusal or error
    assert refusal is not None
    raise JsYamlError(refusal.problem)


class _Reader:
    """Turns nodes into data, in the order of the text, so that anchors come before their aliases."""

    def __init__(self, version: int) -> None:
        self._version = version
        self._anchors: dict[str, Any] = {}

    def data(self, node: Node) -> Any:
        if isinstance(node, Alias):
            if node.name not in self._anchors:
                raise JsYamlError(f"unidentified alias `{node.name}`")
            return self._anchors[node.name]
        if isinstance(node, Scalar):
            return self._anchored(node, self._scalar(node))
        _check_tag(node)
        if isinstance(node, Sequence):
            items: list[Any] = self._anchored(node, [])
            items += [self.data(item) for item in node.items]
            return items
        return self._mapping(node)

    def _anchored(self, node: Scalar | Sequence | Mapping, found: Any) -> Any:
        if node.anchor:
            self._anchors[node.anchor] = found
        return found

    def _scalar(self, node: Scalar) -> Any:
        text = unescaped(node.text)
        if node.plain:
            return _implicit_value(text, self._version)
        if node.tag is None or node.tag == "!":
            return text
        empty = not node.style and not node.text
        value = _tagged_value(node.tag.removeprefix(_STANDARD), None if empty else text, self._version)
        if value is _NOT_RESOLVED:
            raise JsYamlError(f"unknown tag {node.tag}, or a value that it does not take")
        return value

    def _mapping(self, node: Mapping) -> dict[str, Any]:
        found: dict[str, Any] = self._anchored(node, {})
        merged: set[str] = set()  # keys that an entry may replace
        for key, value in node.entries:
            is_merge = isinstance(key, Scalar) and (key.tag == _MERGE or (key.plain and key.text == "<<"))
            if is_merge:
                self._anchored(key, "<<") if isinstance(key, Scalar) else None
                _merge(found, merged, self.data(value))
                continue
            name = _property_name(self.data(key))
            data = self.data(value)
            if name in found and name not in merged:
                raise JsYamlError("duplicated mapping key")
            found[name] = data
            merged.discard(name)
        ordered = in_key_order(found)
        found.clear()
        found.update(ordered)
        return found


def _merge(found: dict[str, Any], merged: set[str], source: Any) -> None:
    """Add the entries of a mapping, or of a list of mappings, that are not there yet."""
    for each in source if isinstance(source, list) else [source]:
        if isinstance(each, Foreign | list):  # JavaScript's objects, with keys that do not matter here
            continue
        if not isinstance(each, dict):
            raise JsYamlError("cannot merge mappings; the provided source object is unacceptable")
        for name, value in each.items():
            if name not in found:
                found[name] = value
                merged.add(name)


def _check_tag(node: Sequence | Mapping) -> None:
    """Raise `JsYamlError` for a tag that a list or a mapping cannot have."""
    if node.tag is None or node.tag == "!":
        return
    kind = node.tag.removeprefix(_STANDARD)
    if kind == node.tag or kind not in _COLLECTIONS[type(node)]:
        raise JsYamlError(f"unknown tag {node.tag}")
    check = _SHAPES.get(kind)
    if check is not None and not check(node):
        raise JsYamlError(f"cannot resolve a node with {node.tag} explicit tag")


def _is_pairs(node: Any) -> bool:
    return all(isinstance(item, Mapping) and len(item.entries) == 1 for item in node.items)


_SHAPES: dict[str, Callable[[Any], bool]] = {"omap": _is_pairs, "pairs": _is_pairs}


def _property_name(value: Any) -> str:
    """Return the property name for the data of a key, as JavaScript's `String` makes it."""
    if isinstance(value, list):
        if any(isinstance(item, list) for item in value):
            raise JsYamlError("nested arrays are not supported inside keys")
        return ",".join("" if item is None else _property_name(item) for item in value)
    if isinstance(value, dict):
        return "[object Object]"
    if isinstance(value, Foreign):
        return f"[{value.kind} {value.size}]"
    return "null" if value is None else as_key(value)


def _implicit_value(text: str, version: int) -> Any:
    """Return the value of a plain scalar without a tag; js-yaml's `version` is 3 or 4."""
    if text[:1].isalpha() and text not in _NULLS and text not in _BOOLS:
        return text
    for kind in ("null", "bool", "int", "float", "timestamp"):
        if (value := _tagged_value(kind, text, version)) is not _NOT_RESOLVED:
            return value
    return text


def _tagged_value(kind: str, text: str | None, version: int) -> Any:
    """Return the value of a text under a tag of YAML's own, `_NOT_RESOLVED` if it has none.

    The text is None for an empty node.
    """
    if kind == "str":
        return text or ""
    if kind == "null":
        return None if text is None or text in _NULLS else _NOT_RESOLVED
    if text is None:
        return _NOT_RESOLVED
    if kind == "bool":
        return _BOOLS.get(text, _NOT_RESOLVED)
    if kind == "int":
        return _integer(text, version)
    if kind == "float":
        return _real(text, version)
    if kind == "timestamp":
        return Foreign("Date", hash(text)) if _DATE.fullmatch(text) else _NOT_RESOLVED
    if kind == "binary":
        digits = re.sub(r"[\r\n]", "", text)
        whole = _BASE64.fullmatch(text) and len(digits) % 4 == 0
        return Foreign("Buffer") if whole else _NOT_RESOLVED
    if kind == "merge":
        return "<<" if text == "<<" else _NOT_RESOLVED
    return _NOT_RESOLVED


def _integer(text: str, version: int) -> Any:
    match = (_OLD_INT if version == 3 else _INT).fullmatch(text)
    if match is None:
        return _NOT_RESOLVED
    sign = -1 if text.startswith("-") else 1
    groups = {name: value.replace("_", "") for name, value in match.groupdict().items() if value}
    for name, base in (("binary", 2), ("octal", 8), ("hex", 16), ("decimal", 10)):
        if digits := groups.get(name):
            return sign * int(digits, base) if len(digits) <= _MAX_DIGITS else float("inf")
    return _sixties(sign, groups["sexagesimal"])


def _real(text: str, version: int) -> Any:
    pattern = _OLD_FLOAT if version == 3 else _FLOAT
    if not pattern.fullmatch(text) or text.endswith("_"):
        return _NOT_RESOLVED
    digits = text.replace("_", "").lower()
    sign = -1 if digits.startswith("-") else 1
    if digits.endswith((".inf", ".nan")):
        return sign * float(digits[-3:])
    if ":" in digits:
        return _sixties(sign, digits)
    try:
        return float(digits)
    except ValueError:  # `._`, which JavaScript reads as NaN
        return float("nan")


def _sixties(sign: int, digits: str) -> Any:
    parts = digits.lstrip("+-").split(":")
    if len(digits) > _MAX_DIGITS:
        return float("inf")
    value = 0.0
    for part in parts:
        value = value * 60 + float(part or 0)
    return sign * value


def _rewritten_for_libyaml(text: str, version: int) -> Iterator[str]:
    """Yield rewritten texts to try for js-yaml's `version`.

    They have no tabs on empty lines, escapes of surrogates are as one, names of anchors are ASCII words, and
    keys may be long.
    In version 3 a tab does not indent, and an entry may begin in the line of a value in quotes or brackets.
    """
    rewritten = with_ascii_names(with_whole_surrogates(without_tabs_on_empty_lines(text)))
    if version == 3:
        rewritten = _TABS_AT_LINE_START.sub(r"\1", rewritten)
        rewritten = _ENTRY_AFTER_VALUE.sub(r"\g<indent>\g<entry>\n\g<indent>", rewritten)
    rewritten = with_long_keys(rewritten)
    if rewritten != text:
        yield rewritten


def _layout_problem(text: str, root: Node) -> str | None:
    """Return why js-yaml refuses a tree that libyaml read from `text`, or None."""
    return _problem_in(text, root, -1)


def _problem_in(text: str, node: Node, indent: int) -> str | None:
    """Return the first problem in a node inside a block that is indented by `indent` columns."""
    if isinstance(node, Alias):
        return None
    if isinstance(node, Scalar):
        return _in_scalar(text, node)
    if node.flow:
        return _in_flow(text, node, indent)
    if isinstance(node, Mapping):
        if any(isinstance(key, Scalar) and key.anchor is not None for key, _ in node.entries):
            return _NO_END  # it takes the anchor for that of the whole mapping
        inner = min(_key_column(text, key.span.start) for key, _ in node.entries)
        if any(_outdented(text, key.span.end, value, inner) for key, value in node.entries):
            return _NO_END
    else:
        inner = _column(text, node.span.start)
    return next(filter(None, (_problem_in(text, child, inner) for child in _children(node))), None)


def _children(node: Mapping | Sequence) -> list[Node]:
    if isinstance(node, Sequence):
        return list(node.items)
    return [child for entry in node.entries for child in entry]


def _column(text: str, at: int) -> int:
    return at - (text.rfind("\n", 0, at) + 1)


def _key_column(text: str, at: int) -> int:
    """Return the column of a key, or of the `?` before it."""
    line_start = text.rfind("\n", 0, at) + 1
    before = text[line_start:at].rstrip(" \t")
    return (len(before) - 1) if before.endswith("?") else at - line_start


def _outdented(text: str, key_end: int, value: Node, indent: int) -> bool:
    """Return whether a value in quotes or brackets, or a block scalar, is under its key and no deeper."""
    if isinstance(value, Mapping | Sequence) and not value.flow:
        return False
    start = value.span.start
    colon, line_end, _ = text[key_end:start].partition("\n")
    return bool(line_end) and ":" in colon and start < value.span.end and _column(text, start) <= indent


def _in_flow(text: str, node: Node, indent: int) -> str | None:
    """Return the first problem of what is in brackets: a plain scalar goes on in indented lines only."""
    if isinstance(node, Mapping | Sequence):
        return next(filter(None, (_in_flow(text, child, indent) for child in _children(node))), None)
    if isinstance(node, Scalar) and not node.style:
        lines = text[node.span.start : node.span.end].split("\n")[1:]
        if any(line.strip() and len(line) - len(line.lstrip(" ")) <= indent for line in lines):
            return "missed comma between flow collection entries"
    return _in_scalar(text, node) if isinstance(node, Scalar) else None


def _in_scalar(text: str, node: Scalar) -> str | None:
    """Return the problem of a character: in quotes any control but the tab, elsewhere what does not print."""
    written = text[node.span.start : node.span.end] if node.style in ("'", '"') else node.text
    if node.style in ("|", ">") and _COMMENT_IN_HEADER.match(text, node.span.start):
        return "a line break is expected"
    for code in map(ord, escaped_in(written)):
        if node.style in ("'", '"') and code < 0x20:
            return "expected valid JSON character"
        if node.style not in ("'", '"') and code not in _PRINTABLE:
            return "the stream contains non-printable characters"
    return None
