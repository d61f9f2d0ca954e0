"""YAML as `Bun.YAML.parse` of Bun 1.4 reads it: core schema of YAML 1.2, last of repeated keys, merge keys.

It is built on our node tree, which comes from libyaml; most frontmatter is read without one. Source: the
results of Bun 1.4.0 and 1.4.5, which are the same, for generated texts
(`tests/libraries/bun-yaml-1.4.5.jsonl`). Which texts are refused is reproduced for all of them; which of
Bun's messages they get, for what people write: unclosed quotes, bad escapes, aliases, block headers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from skilltool.emulation.javascript import as_key, in_key_order
from skilltool.emulation.libyaml_differences import (
    PRIVATE,
    escaped,
    layout_problem,
    unescaped,
    with_long_keys,
    with_null_keys,
    without_tabs_on_empty_lines,
)
from skilltool.text.frontmatter.composing import compose, is_printable
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.frontmatter.scalars import core_value
from skilltool.text.lazy_pattern import lazy_pattern

_ALIASING = "Excessive aliasing"
_MOST_EXPANDED = 1_000_000
# Bun has no bound that a skill could reach; ours keeps the recursion below Python's limit.
_MAX_DEPTH = 200
_LARGEST = 2**64 - 1
_STRING_TAGS = frozenset({"!", "tag:yaml.org,2002:str"})
_NEGATIVE_HEX = lazy_pattern(r"-0x[0-9a-fA-F]+")
_UNEXPECTED_TOKEN = "Unexpected token"
_UNEXPECTED_CHARACTER = "Unexpected character"
_UNEXPECTED_END = "Unexpected EOF"
_UNRESOLVED_ALIAS = "Unresolved alias"
_UNRESOLVED_TAG = "Unresolved tag handle"
_TAB = "Tab characters cannot be used as indentation"
_MULTILINE_KEY = "Multiline implicit key"
_FIRST_LINE_WITHOUT_KEY = lazy_pattern(r"\s*(?![ \t]*(?:[-?#\[{]|[^\n]*:[ \t]))[^\s:#][^\n]*(?<!:)\n")
_KEY_ON_TWO_LINES = lazy_pattern(r"[^\n]*\n\s*(?::|(?<= )[^\s#][^\n]*:)(?:\s|$)")
_ALIAS = lazy_pattern(r"(?:^|[ \t,\[{:-])\*[^\s,\[\]{}]*[ \t]*$")
_LEADING_COMMA = r"(?m)(^ *(?:- +)*|: +),"  # compiled only for a text that libyaml has refused
_COMMA = chr(PRIVATE + ord(","))
_KEY = r"(?P<key>[A-Za-z_][A-Za-z0-9_-]{0,99})"
# A plain value begins with no sign of YAML, and holds neither `: ` nor ` #`, nor a colon at its end.
_PLAIN = r"(?P<plain>[^] !\"#%&')*,:>?@[`{|}-](?:[^#:]|(?<! )#|:(?! |$))*)"
_QUOTED = r"\"(?P<double>[^\"\\]*)\"|'(?P<single>[^']*)'"
# JavaScript's numbers are exact up to here.
_EXACT = 2**53
_SIMPLE_LINE = lazy_pattern(rf"{_KEY}:(?: +(?:{_QUOTED}|{_PLAIN}))? *")


class BunYamlError(ValueError):
    """A text that Bun refuses: `str()` is its message after `YAML Parse error: `.

    `offset` is where libyaml stops, in code points, None if unknown.
    """

    def __init__(self, message: str, offset: int | None = None) -> None:
        """Take Bun's message."""
        super().__init__(message)
        self.offset = offset


def load(text: str) -> Any:
    """Return the data of YAML `text`: dict, list, str, int, float, bool or None; keys are strings.

    Raises `BunYamlError`, and `BoundError` for what exceeds skilltool's bounds.
    """
    if (simple := simple_mapping(text)) is not None:
        return simple
    if (at := text.find("\0")) >= 0:
        raise BunYamlError(_UNEXPECTED_CHARACTER, at)
    parsed, root = _composed(escaped(text.removeprefix("\ufeff")))
    if root is None:
        return None
    if problem := _layout_problem(parsed, root):
        raise BunYamlError(problem)
    return _Reader().data(root)


def _composed(text: str) -> tuple[str, Node | None]:
    """Return the text that libyaml accepts, as given or rewritten, and its tree."""
    given = text if text.endswith("\n") else f"{text}\n"
    refusal = None
    for candidate in chain((given,), _rewritten_for_libyaml(given)):
        try:
            return candidate, compose(candidate, max_depth=_MAX_DEPTH).root
        except BoundError:
            raise
        except YamlError as error:
            refusal = refusal or error
    assert refusal is not None
    raise BunYamlError(_message_for(given, refusal), refusal.start)


class _Reader:
    """Turns nodes into data, in the order of the text, so that anchors come before their aliases."""

    def __init__(self) -> None:
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._nodes = 0

    def data(self, node: Node) -> Any:
        if isinstance(node, Alias):
            return self._followed(node)
        before = self._nodes
        self._nodes += 1
        if isinstance(node, Scalar):
            value = _value(node)
        elif isinstance(node, Sequence):
            value = [self.data(item) for item in node.items]
        else:
            value = self._mapping(node)
        if node.anchor:
            self._anchors[node.anchor] = value, self._nodes - before
        return value

    def _followed(self, alias: Alias) -> Any:
        """Return what an alias stands for; its nodes count again, so that aliases of aliases end."""
        if alias.name not in self._anchors:
            raise BunYamlError(_UNRESOLVED_ALIAS, alias.span.start)
        found, nodes = self._anchors[alias.name]
        self._nodes += nodes
        if self._nodes > _MOST_EXPANDED:
            raise BunYamlError(_ALIASING, alias.span.start)
        return found

    def _mapping(self, node: Mapping) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.entries:
            name, data = text_of(self.data(key)), self.data(value)
            if name == "<<" and isinstance(data, dict | list):
                for each in data if isinstance(data, list) else [data]:
                    merged = each if isinstance(each, dict) else {}
                    found.update({inner: merged[inner] for inner in merged if inner not in found})
            else:
                found[name] = data
        return in_key_order(found)


def text_of(value: Any) -> str:
    """Return what JavaScript's `String(value)` returns for data of YAML: `1.5`, `true`, `a,b`."""
    if value is None:
        return "null"
    if isinstance(value, list):
        return ",".join("" if item is None else text_of(item) for item in value)
    return "[object Object]" if isinstance(value, dict) else as_key(value)


def _value(node: Scalar) -> Any:
    text = unescaped(node.text)
    if node.style or node.tag in _STRING_TAGS:
        return text
    if _NEGATIVE_HEX.fullmatch(text):
        return int(text, 16)
    value = core_value(text)
    too_large = (isinstance(value, int) and abs(value) > _LARGEST) or (
        isinstance(value, float) and text.isdigit()
    )
    return value if not too_large else text if text.startswith("0") else float(text)


def simple_mapping(text: str) -> dict[str, Any] | None:
    """Return the data of YAML that is only `key: value` lines, None for any other text.

    A key without a value may have such lines under it, with two spaces before them.
    """
    if not is_printable(text):
        return None
    found: dict[str, Any] = {}
    below: dict[str, Any] | None = None  # what lines with two spaces would add to
    parent = ""
    for line in text.removesuffix("\n").split("\n"):
        indented = line.startswith("  ")
        match = _SIMPLE_LINE.fullmatch(line, 2 if indented else 0)
        if match is None:
            return None
        key, plain, double, single = match.group("key", "plain", "double", "single")
        if plain is not None:
            value: Any = core_value(plain.rstrip(" "))
            if isinstance(value, int | float) and abs(value) > _EXACT:
                return None
        else:
            value = double if double is not None else single
        if indented:
            if below is None:
                return None
            found[parent] = below
            below[key] = value
        else:
            found[key], parent = value, key
            below = {} if value is None and plain is None else None
    return found


def _rewritten_for_libyaml(text: str) -> Iterator[str]:
    """Yield rewritten texts to try: a comma that begins a plain scalar, empty or long keys, tabs on lines.

    A rewritten text has the same meaning, except where quoted text or a block scalar happens to look like
    what is rewritten; so it is to be tried only after libyaml has refused the given one.
    """
    plain = with_long_keys(without_tabs_on_empty_lines(text))
    commas = re.sub(_LEADING_COMMA, rf"\1{_COMMA}", plain)
    yield commas
    yield with_null_keys(commas)


def _layout_problem(text: str, root: Node) -> str | None:
    """Return Bun's message for the layout of a tree that libyaml read from `text`, None if it accepts it.

    Bun and the npm package `yaml` refuse the same: lines in quotes or brackets that are not indented, and
    comments that touch what is before them.
    """
    problem = layout_problem(text, root)
    if problem is None:
        return None
    return _UNEXPECTED_TOKEN if problem.startswith("Flow") else _UNEXPECTED_CHARACTER


def _message_for(text: str, error: YamlError) -> str:
    """Return Bun's message for `text`, which libyaml refuses with `error`."""
    problem, context = error.problem, error.context or ""
    line_start = text.rfind("\n", 0, error.start) + 1
    rest = text[error.start :]
    if "cannot start any token" in problem and rest.startswith("\t"):
        return _TAB
    if "end of stream" in problem and "quoted" in context:
        return _unclosed(text[line_start : error.start], rest)
    if "escape" in problem or "hexdecimal" in problem or "block scalar" in context:
        return _UNEXPECTED_CHARACTER
    if "undefined tag handle" in problem:
        return _UNRESOLVED_TAG
    if "mapping values" in problem and _FIRST_LINE_WITHOUT_KEY.match(text[:line_start]):
        return _MULTILINE_KEY
    if "document start" in problem and rest.startswith(":"):
        return _MULTILINE_KEY
    if "could not find expected ':'" in problem and _KEY_ON_TWO_LINES.match(rest):
        return _MULTILINE_KEY
    alias = "scanning an alias" in context or _ALIAS.search(text[line_start : error.start])
    return _UNRESOLVED_ALIAS if alias and rest.strip() else _UNEXPECTED_TOKEN


def _unclosed(before: str, quoted: str) -> str:
    """Return the message for a quote that is never closed: Bun stops at a line that is not indented."""
    indent = len(before) - len(before.lstrip(" "))
    lines = (line for line in re.split("[\r\n]", quoted)[1:] if line.strip())
    flush = bool(before.strip()) and any(len(line) - len(line.lstrip(" ")) <= indent for line in lines)
    return _UNEXPECTED_CHARACTER if flush else _UNEXPECTED_END
