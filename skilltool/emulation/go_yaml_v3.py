"""YAML as gopkg.in/yaml.v3 3.0.1 decodes it into a struct of string fields.

Source: yaml.v3's `decode.go` and `yaml.go` (`fail`, `uniqueKeys`, `terror`), and recordings of nfa. A
scalar gives its source text, null leaves the field empty; lists, mappings and repeated keys are errors.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from skilltool.emulation.go import quoted, replaced
from skilltool.emulation.go_yaml import BOOLS, compose, is_merge, kind_of, short_tag, targets, text_of
from skilltool.text.frontmatter.nodes import Alias, BoundError, Mapping, Node, Scalar, Sequence, YamlError

# yaml.v3 names each pair of equal keys, so that their number grows with the square of that of the keys.
_MOST_REPEATED = 10_000
# Bytes: a longer value is cut in messages.
_MOST_BYTES, _CUT_BYTES = 10, 7


def strings(text: str, fields: tuple[str, ...], struct: str) -> dict[str, str]:
    """Return the values of those `fields` that the mapping in YAML `text` has.

    `struct` is Go's name of the type, for messages. Raises ValueError with the message of yaml.v3, and
    `BoundError` for what exceeds skilltool's bounds.
    """
    try:
        root = compose(text, reads_ahead=True)
        if root is None:
            return {}
        decoder = _Decoder(text, targets(root), fields, struct)
        decoder.struct(root, None)
    except BoundError:
        raise
    except YamlError as error:
        where = f"line {error.go_line}: " if error.go_line else ""
        raise ValueError(f"yaml: {where}{error.problem}") from None
    if decoder.problems:
        raise ValueError("yaml: unmarshal errors:\n  " + "\n  ".join(decoder.problems))
    return decoder.found


class _Decoder:
    """Decodes one mapping into `found`; `problems` are errors after which yaml.v3 goes on decoding."""

    def __init__(self, text: str, bound: dict[int, Node], fields: tuple[str, ...], struct: str) -> None:
        self._line_ends = [match.start() for match in re.finditer("\n", text)]
        self._targets = bound
        self._fields = fields
        self._struct = struct
        self._open: set[int] = set()
        self.found: dict[str, str] = {}
        self.problems: list[str] = []

    def struct(self, node: Node, taken: set[str] | None) -> None:
        """Decode a mapping, or an alias to one; a merged one must not set the keys in `taken` again."""
        node = self._target(node)
        if not isinstance(node, Mapping):
            if not isinstance(node, Scalar) or kind_of(node, BOOLS) != "null":
                self._mismatch(node, self._struct)
            return
        if self._repeats_a_key(node):
            return
        merged: Node | None = None
        done: set[str] = set()
        for key, value in node.entries:
            if is_merge(key):
                merged = value
                continue
            name = self._string(self._target(key), "string")
            if name is None or (taken is not None and name in taken):
                continue
            if taken is not None:
                taken.add(name)
            if name in done:
                line = self._line(key)
                self.problems.append(f"line {line}: field {name} already set in type {self._struct}")
            elif name in self._fields:
                done.add(name)
                text = self._string(self._target(value), "string")
                self.found.update({} if text is None else {name: text})
        if merged is not None:
            self._merge(merged, self._names(node) if taken is None else taken)

    def _merge(self, node: Node, taken: set[str]) -> None:
        """Decode what a merge key adds: keys of the mapping itself, even null ones, take precedence."""
        for part in node.items if isinstance(node, Sequence) else (node,):
            if not isinstance(self._target(part), Mapping):
                words = "map merge requires map or sequence of maps as the value"
                raise YamlError(words, part.span.start)
            if id(part) in self._open:
                raise YamlError(
                    f"anchor '{getattr(part, 'name', '')}' value contains itself", part.span.start
                )
            self._open.add(id(part))
            self.struct(part, taken)
            self._open.discard(id(part))

    def _names(self, node: Mapping) -> set[str]:
        keys = (self._target(key) for key, _ in node.entries)
        return {key.text for key in keys if isinstance(key, Scalar) and kind_of(key, BOOLS) == "str"}

    def _repeats_a_key(self, node: Mapping) -> bool:
        """Add a problem for each pair of equal keys: scalars, aliases, any two lists or mappings."""
        known: dict[tuple[type, str], list[tuple[int, int]]] = {}
        found: list[tuple[int, int, str]] = []
        for at, (key, _) in enumerate(node.entries):
            text = key.text if isinstance(key, Scalar) else key.name if isinstance(key, Alias) else ""
            same = known.setdefault((type(key), text), [])
            if len(found) + len(same) > _MOST_REPEATED:
                raise BoundError(f"more than {_MOST_REPEATED:,} pairs of equal keys", key.span.start)
            line = self._line(key)
            words = f"line {line}: mapping key {quoted(text)} already defined at line " if same else ""
            found += [(before, at, f"{words}{first}") for before, first in same]
            same.append((at, line))
        self.problems += [words for _, _, words in sorted(found)]
        return bool(found)

    def _string(self, node: Node, wanted: str) -> str | None:
        """Return the text of a scalar, None for null; a collection adds a problem."""
        if not isinstance(node, Scalar):
            self._mismatch(node, wanted)
            return None
        kind = kind_of(node, BOOLS)
        return None if kind == "null" else text_of(node, kind)

    def _mismatch(self, node: Node, wanted: str) -> None:
        value = "!!seq" if isinstance(node, Sequence) else "!!map"
        if isinstance(node, Scalar):
            value = f"!!{kind_of(node, BOOLS)}"
        if not isinstance(node, Alias) and node.tag:
            value = short_tag(node.tag)
        if value not in ("!!seq", "!!map"):
            value += f" `{_cut(node.text if isinstance(node, Scalar) else '')}`"
        self.problems.append(f"line {self._line(node)}: cannot unmarshal {value} into {wanted}")

    def _target(self, node: Node) -> Node:
        return self._targets[id(node)] if isinstance(node, Alias) else node

    def _line(self, node: Node) -> int:
        return bisect_right(self._line_ends, node.span.start - 1) + 1


def _cut(text: str) -> str:
    """Return a value as messages show it: one of more than ten bytes is cut after seven."""
    raw = text.encode()
    if len(raw) <= _MOST_BYTES:
        return text
    return f"{replaced(raw[:_CUT_BYTES].decode('utf-8', 'surrogateescape'))}..."
