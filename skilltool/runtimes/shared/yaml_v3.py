"""YAML as gopkg.in/yaml.v3 decodes it into a struct of string fields.

Source: yaml.v3's `decode.go` and `yaml.go` (`fail`, `uniqueKeys`, `terror`), and the goldens. A scalar is
its source text, null is nothing; lists and mappings are errors; a key twice is an error.
"""

from __future__ import annotations

import base64
import binascii

from skilltool.frontmatter.nodes import (
    BoundError,
    Mapping,
    Node,
    Scalar,
    Sequence,
    YamlError,
)
from skilltool.frontmatter.scalars import core_value
from skilltool.runtimes.shared.yaml_go import compose
from skilltool.runtimes.shared.yaml_v2 import followed, note_anchors

_STANDARD = "tag:yaml.org,2002:"
_BINARY = f"{_STANDARD}binary"
_TYPES: dict[str, type | tuple[type, ...]] = {
    "null": type(None),
    "bool": bool,
    "int": int,
    "float": (int, float),
}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


def strings(text: str, fields: tuple[str, ...], struct: str) -> dict[str, str]:
    """Return the values of `fields` that the mapping in YAML `text` has; `struct` is Go's name of the type.

    Raises ValueError with the words of yaml.v3, and `BoundError` for what skilltool does not read.
    """
    try:
        root = compose(text)
        anchors: dict[str, Node] = {}
        if root is not None:
            note_anchors(root, anchors)
    except BoundError:
        raise
    except YamlError as error:
        where = f"line {error.go_line}: " if error.go_line else ""
        raise ValueError(f"yaml: {where}{error.problem}") from None
    if root is None or (isinstance(root, Scalar) and root.plain and root.text in _NULLS):
        return {}
    decoder = _Decoder(text, anchors)
    found = decoder.mapping(root, fields, struct)
    if decoder.problems:
        raise ValueError("yaml: unmarshal errors:\n  " + "\n  ".join(decoder.problems))
    return found


class _Decoder:
    def __init__(self, text: str, anchors: dict[str, Node]) -> None:
        self._text = text
        self._anchors = anchors
        self.problems: list[str] = []

    def mapping(self, root: Node, fields: tuple[str, ...], struct: str) -> dict[str, str]:
        if not isinstance(root, Mapping):
            self._mismatch(root, struct)
            return {}
        self._check_unique(root)
        if self.problems:
            return {}
        found: dict[str, str] = {}
        merged: dict[str, str] = {}
        for key, value in root.entries:
            key, value = followed(key, self._anchors), followed(value, self._anchors)
            if not isinstance(key, Scalar):
                self._mismatch(key, "string")
            elif key.plain and key.text == "<<":
                merged = self._merged(value, fields, struct)
            elif key.text in fields and (text := self._string(value)) is not None:
                found[key.text] = text
        return {**merged, **found}

    def _merged(self, node: Node, fields: tuple[str, ...], struct: str) -> dict[str, str]:
        """Return what a merge key brings in: of several mappings the first one with a key wins."""
        items = node.items if isinstance(node, Sequence) else (node,)
        nodes = [followed(item, self._anchors) for item in items]
        found: dict[str, str] = {}
        for each in reversed(nodes):
            if not isinstance(each, Mapping):
                raise ValueError("yaml: map merge requires map or sequence of maps as the value")
            found.update(self.mapping(each, fields, struct))
        return found

    def _check_unique(self, node: Mapping) -> None:
        keys = [key for key, _ in node.entries if isinstance(key, Scalar)]
        first: dict[str, list[Scalar]] = {}
        for key in keys:
            for earlier in first.get(key.text, ()):
                quoted = go_quoted(key.text)
                lines = self._line(key), self._line(earlier)
                self.problems.append(
                    f"line {lines[0]}: mapping key {quoted} already defined at line {lines[1]}"
                )
            first.setdefault(key.text, []).append(key)

    def _string(self, node: Node) -> str | None:
        if not isinstance(node, Scalar):
            self._mismatch(node, "string")
            return None
        if node.tag == _BINARY:
            try:
                return base64.b64decode("".join(node.text.split()), validate=True).decode("utf-8", "replace")
            except (binascii.Error, ValueError):
                raise ValueError("yaml: !!binary value contains invalid base64 data") from None
        kind = (node.tag or "").removeprefix(_STANDARD)
        if kind in _TYPES:
            value = core_value(node.text)
            if not isinstance(value, _TYPES[kind]):
                raise ValueError(f"yaml: cannot decode !!str {_shown(node)} as a !!{kind}")
            return None if value is None else node.text
        return None if node.plain and node.text in _NULLS else node.text

    def _mismatch(self, node: Node, wanted: str) -> None:
        if isinstance(node, Scalar):
            kind = f"!!str {_shown(node)}"
        else:
            kind = "!!seq" if isinstance(node, Sequence) else "!!map"
        self.problems.append(f"line {self._line(node)}: cannot unmarshal {kind} into {wanted}")

    def _line(self, node: Node) -> int:
        return self._text.count("\n", 0, node.span.start) + 1


def _shown(node: Scalar) -> str:
    return f"`{node.text[:7]}...`" if len(node.text) > 10 else f"`{node.text}`"


_ESCAPES = {7: "a", 8: "b", 12: "f", 10: "n", 13: "r", 9: "t", 11: "v", 92: "\\", 34: '"'}


def go_quoted(text: str) -> str:
    """Return text as Go's `%q` writes it: in double quotes, unprintable characters escaped."""
    return '"' + "".join(map(_quoted, text)) + '"'


def _quoted(character: str) -> str:
    code = ord(character)
    if code in _ESCAPES:
        return f"\\{_ESCAPES[code]}"
    if character.isprintable():
        return character
    if code < 0x80:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
