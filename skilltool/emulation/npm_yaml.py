"""YAML as the npm package `yaml` 2.8.2 parses it: core schema of YAML 1.2, unique keys, no merge keys.

It is built on our node tree, which comes from libyaml; `libyaml_differences` bridges most differences between
the two. Sources: the documentation of `yaml`, and its results for generated texts
(`tests/libraries/yaml-2.8.2.jsonl`). Which texts are refused is reproduced; the messages are ours, and
`npm_yaml_errors` has those of `yaml`.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from skilltool.emulation.javascript import Foreign, as_key, in_key_order, node_bytes
from skilltool.emulation.libyaml_differences import (
    column_of,
    escaped,
    layout_problem,
    original_name,
    unescaped,
    with_ascii_names,
    with_long_keys,
    with_null_keys,
    with_whole_surrogates,
    without_tabs_on_empty_lines,
)
from skilltool.text.frontmatter.composing import compose
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError
from skilltool.text.frontmatter.scalars import core_value
from skilltool.text.lazy_pattern import lazy_pattern

_MAX_ALIASES = 100
_UNRESOLVED = "Unresolved alias (the anchor must be set before the alias): "
_EXCESSIVE = "Excessive alias count indicates a resource exhaustion attack"
_STANDARD = "tag:yaml.org,2002:"
_TYPES = {"bool": bool, "float": float, "int": int, "null": type(None)}
_OBJECTS = {"binary": "Buffer", "timestamp": "Date", "set": "Set", "omap": "Map"}
_TIME = lazy_pattern(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?:[tT]|[ \t]+)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{1,2}):(?P<second>[0-9]{1,2})"
    r"(?P<fraction>\.[0-9]+)?(?:[ \t]*(?P<zone>Z|[-+][012]?[0-9](?::[0-9]{2})?))?)?"
)
_UNUSUAL = lazy_pattern(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff\ufeff]|\r(?!\n)"
)
_MARK = "\ufeff"
# A line that is blank, a comment or a directive.
_BEFORE_DOCUMENT = lazy_pattern(_MARK + r"?(?:%[^\n]*|[ \t]*(?:#[^\n]*|\r)?)(?:\n|\Z)")
_FILLED_ITEM = lazy_pattern(r"[ \t]*-[ \t]+[^\s#]")


class NotParsedError(ValueError):
    """A text that `yaml` refuses; `parse_error` is False if it throws another error than its own.

    `words` is its own message, or ours where that is not known.
    """

    def __init__(self, problem: str, parse_error: bool = True, words: str | None = None) -> None:
        """Take a message of ours."""
        super().__init__(problem)
        self.parse_error = parse_error
        self.words = words or problem


def load(text: str) -> Any:
    """Return the data of YAML `text`: dict, list, str, int, float, bool, None, or `Foreign`.

    Keys are in JavaScript's order. Raises `NotParsedError`, and `BoundError` for what exceeds skilltool's
    bounds.
    """
    error = _answer(text)
    if isinstance(error, NotParsedError):
        raise error.with_traceback(None)
    return error


@lru_cache(maxsize=4)
def _answer(text: str) -> Any:
    """Return the data, or why there is none; several clients read a text, and none changes the data."""
    try:
        return _loaded(text)
    except NotParsedError as error:
        if error.parse_error:
            from skilltool.emulation import npm_yaml_errors

            error.words = npm_yaml_errors.words(text) or str(error)
        return error.with_traceback(None)


def _loaded(text: str) -> Any:
    unmarked, marked_line = _without_marks(text)
    readable = escaped(unmarked, _UNUSUAL)
    try:
        parsed, root, closed = _composed(readable)
    except BoundError:
        raise
    except YamlError as error:
        raise NotParsedError(error.problem) from None
    if root is None:
        return None
    problem = None if closed else layout_problem(parsed, root)
    if problem is None and marked_line is not None:
        problem = _problem_after_mark(parsed, root, marked_line)
    problem = problem or _repeated_key_problem(root)
    if problem:
        raise NotParsedError(problem)
    return _Reader().data(root)


def _composed(text: str) -> tuple[str, Node | None, bool]:
    """Return the text that libyaml accepted, its tree, and whether a missing closing quote was added to it.

    That is the text given, else one of its rewritten forms. The lines of an added quote may be indented
    freely.
    """
    ended = text if text.endswith("\n") else f"{text}\n"
    try:
        return ended, compose(ended).root, False
    except BoundError:
        raise
    except YamlError as error:
        refusal = error
    for rewritten, closed in _rewritten_for_libyaml(text):
        with suppress(YamlError):
            return rewritten, compose(rewritten).root, closed
    raise refusal


def _without_marks(text: str) -> tuple[str, int | None]:
    """Return text without the byte order marks that `yaml` drops.

    It drops one at the start of each line up to the first line of the document. If it drops one there, too,
    also return the offset at which that line now begins.
    """
    kept: list[str] = []
    at = 0
    while (line := _BEFORE_DOCUMENT.match(text, at)) and line.end() > at:
        kept.append(line[0].removeprefix(_MARK))
        at = line.end()
    before = "".join(kept)
    dropped = text.startswith(_MARK, at)
    return before + text[at + dropped :], len(before) if dropped else None


def _rewritten_for_libyaml(text: str) -> Iterator[tuple[str, bool]]:
    """Yield rewritten texts to try, each with a final line end, and whether a closing quote was added.

    Rewritten are tabs on lines that are otherwise empty or a comment, escapes of surrogates, empty keys
    (lines that begin with a colon), long keys in braces, and anchors whose names are not ASCII words. `yaml`
    also accepts a quoted scalar that is never closed if the text ends with the same quote, as content;
    libyaml gets a closing one added.
    """
    rewritten = with_ascii_names(with_whole_surrogates(without_tabs_on_empty_lines(text)))
    rewritten = with_long_keys(rewritten, in_blocks=False)
    without_empty_keys = with_null_keys(rewritten)
    quote = text[-1] if text.endswith(("'", '"')) else ""
    for end in dict.fromkeys(["", quote]):
        yield f"{rewritten}{end}\n", bool(end)
        yield f"{without_empty_keys}{end}\n", bool(end)


def _problem_after_mark(text: str, root: Node, start: int) -> str | None:
    """Return the error of `yaml` for a block that begins in a line, at `start`, that had a byte order mark.

    The mark counts as a column, so the first item of a list, or the first of several indented keys, is not
    in the column of the others.
    """
    if isinstance(root, Scalar | Alias) or root.flow or text[start : root.span.start].strip(" \t"):
        return None
    if isinstance(root, Sequence):
        return "Unexpected scalar at node end" if _FILLED_ITEM.match(text, start) else None
    indented = len(root.entries) > 1 and column_of(text, root) > 0
    return "All mapping items must start at the same column" if indented else None


def _repeated_key_problem(node: Node) -> str | None:
    """Return the error for two keys of one mapping that are the same scalar, else None."""
    if isinstance(node, Sequence):
        return next(filter(None, map(_repeated_key_problem, node.items)), None)
    if not isinstance(node, Mapping):
        return None
    seen: set[tuple[str, Any]] = set()
    for key, value in node.entries:
        if isinstance(key, Scalar):
            found = _value(key)
            same = ("number" if type(found) in (int, float) else type(found).__name__, found)
            if same in seen:
                return "Map keys must be unique"
            seen.add(same)
        if problem := _repeated_key_problem(key) or _repeated_key_problem(value):
            return problem
    return None


@dataclass(slots=True)
class _Anchored:
    """A node with an anchor, its data, and how often its aliases have been expanded so far."""

    node: Node
    data: Any
    uses: int = 1
    weight: int = 0


class _Reader:
    """Turns nodes into data, in the order of the text, so that anchors come before their aliases."""

    def __init__(self) -> None:
        self._anchors: dict[str, _Anchored] = {}

    def data(self, node: Node) -> Any:
        found: Any
        if isinstance(node, Alias):
            return self._followed(node)
        if isinstance(node, Scalar):
            found = _value(node)
        else:
            if node.anchor:  # an alias may be inside the node it stands for
                self._anchors[node.anchor] = _Anchored(node, [] if isinstance(node, Sequence) else {})
            found = self._mapping(node) if isinstance(node, Mapping) else [self.data(i) for i in node.items]
            found = Foreign(_OBJECTS[kind]) if (kind := _kind(node)) in ("set", "omap") else found
        if node.anchor:
            known = self._anchors.get(node.anchor)
            uses, weight = (known.uses, known.weight) if known and known.node is node else (1, 0)
            self._anchors[node.anchor] = _Anchored(node, found, uses, weight)
        return found

    def _followed(self, alias: Alias) -> Any:
        if alias.name not in self._anchors:
            problem = f"the alias {alias.name} has no anchor before it"
            raise NotParsedError(problem, parse_error=False, words=_UNRESOLVED + original_name(alias.name))
        anchored = self._anchors[alias.name]
        anchored.uses += 1
        anchored.weight = anchored.weight or self._weight(anchored.node)
        if anchored.uses * anchored.weight > _MAX_ALIASES:
            raise NotParsedError("excessive alias expansion", parse_error=False, words=_EXCESSIVE)
        return anchored.data

    def _weight(self, node: Node) -> int:
        """Return how often aliases under a node are expanded, as `yaml` counts: multiplied downwards."""
        if isinstance(node, Alias):
            anchored = self._anchors.get(node.name)
            return anchored.uses * anchored.weight if anchored else 0
        if isinstance(node, Sequence):
            return max(map(self._weight, node.items), default=0)
        if isinstance(node, Mapping):
            return max((self._weight(child) for entry in node.entries for child in entry), default=0)
        return 1

    def _mapping(self, node: Mapping) -> dict[str, Any]:
        pairs = [(self._name(key), self.data(value)) for key, value in node.entries]
        return in_key_order(dict(pairs))

    def _name(self, key: Node) -> str:
        """Return the property name for a key node; for an object, its source text."""
        foreign = self.data(key)
        if isinstance(key, Scalar) and isinstance(foreign, Foreign):
            return node_bytes(key.text).decode("utf-8", "replace") if foreign.kind == "Buffer" else key.text
        return _key(foreign)


def _key(value: Any) -> str:
    """Return the property name for a value; a collection becomes the text of a flow collection."""
    if isinstance(value, list):
        return f"[ {', '.join(map(_key, value))} ]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{key}: {_key(item)}' for key, item in value.items())} }}"
    return value.kind if isinstance(value, Foreign) else as_key(value)


def _kind(node: Scalar | Sequence | Mapping) -> str:
    return (node.tag or "").removeprefix(_STANDARD)


def _iso_form(text: str) -> str | None:
    """Return the ISO form of a time, in UTC; None beyond the years 1 to 9999. Raises `NotParsedError`."""
    match = _TIME.fullmatch(text)
    if match is None:
        raise NotParsedError("!!timestamp expects a date")
    year, month, day, hour, minute = (
        int(match[name] or 0) for name in ("year", "month", "day", "hour", "minute")
    )
    zone = match["zone"] or "Z"
    sign, (hours, _, minutes) = -1 if zone[0] == "-" else 1, zone.strip("+-Z").partition(":")
    years, month = divmod(month - 1, 12)
    try:
        date = datetime(year + years, month + 1, 1) + timedelta(
            days=day - 1,
            hours=hour - sign * int(hours or 0),
            minutes=minute - sign * int(minutes or 0),
            milliseconds=int(f"{match['second'] or 0}{(match['fraction'] or '')[1:4]:0<3}"),
        )
    except (ValueError, OverflowError):
        return None
    return f"{date.isoformat(timespec='milliseconds')}Z"


def _value(node: Scalar) -> Any:
    text = unescaped(node.text)
    if node.plain:
        return core_value(text)
    kind = _kind(node)
    if kind == "binary":
        raw = node_bytes(text)
        return Foreign(_OBJECTS[kind], len(raw), raw.removeprefix(BOM_UTF8).decode("utf-8", "replace"))
    if kind == "timestamp":
        return Foreign(_OBJECTS[kind], text=_iso_form(text))
    if kind == "merge" and text == "<<":
        return Foreign("symbol")
    if kind in _TYPES and isinstance(found := core_value(text), _TYPES[kind]):
        return text if kind == "int" and isinstance(found, bool) else found
    return text
