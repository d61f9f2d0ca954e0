"""YAML as gopkg.in/yaml.v2 2.4.0 decodes it into `map[string]interface{}`.

Only what runtimes ask of it is kept: which values are strings, and which. Source: yaml.v2's
`resolve.go` and `decode.go` (YAML 1.1 booleans with `y` and `n`, numbers as Go's `ParseInt(_, 0, 64)`
takes them, timestamps kept as text), and the goldens.
"""

from __future__ import annotations

import base64
import binascii
import re

from skilltool.frontmatter.nodes import Alias, Mapping, Node, Scalar, Sequence, YamlError
from skilltool.runtimes.shared.yaml_go import compose

_TAG = "tag:yaml.org,2002:"
_WORDS = re.compile(
    r"y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON|n|N|no|No|NO|false|False|FALSE|off|Off|OFF"
    r"|~|null|Null|NULL|\.nan|\.NaN|\.NAN|[+-]?\.(?:inf|Inf|INF)|"
)
# After underscores are removed; Go's base prefixes, and its float style.
_INT = re.compile(r"[-+]?(?:0[xX][0-9a-fA-F]+|0[oO]?[0-7]+|0[bB][01]+|0|[1-9][0-9]*)")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LEADING_DOT = re.compile(r"\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?")


def strings(text: str) -> dict[str, str] | None:
    """Return the string values of the mapping in YAML `text`, the last of repeated keys; None for others.

    A key whose value is no string is left out. `{}` for an empty text. Raises `YamlError` where
    yaml.v2 gives an error.
    """
    root = compose(text)
    anchors: dict[str, Node] = {}
    if root is None or (isinstance(root, Scalar) and root.plain and _word(root.text)):
        return {}
    note_anchors(root, anchors)
    if not isinstance(root, Mapping):
        raise YamlError("cannot unmarshal into map[string]interface {}", root.span.start)
    found: dict[str, str] = {}
    merged: dict[str, str] = {}
    for key, value in root.entries:
        key = followed(key, anchors)
        if isinstance(key, Scalar) and key.text == "<<" and key.plain:
            merged.update(_merged(followed(value, anchors), anchors))
            continue
        if not isinstance(key, Scalar):
            raise YamlError("cannot unmarshal a key into string", key.span.start)
        found.pop(key.text, None)
        merged.pop(key.text, None)
        resolved = _string(followed(value, anchors))
        if resolved is not None:
            found[key.text] = resolved
    return {**merged, **found}


def note_anchors(node: Node, anchors: dict[str, Node]) -> None:
    """Note every anchored node and check every alias, in the order of the text; raises `YamlError`."""
    if isinstance(node, Alias):
        if node.name not in anchors:
            raise YamlError(f"unknown anchor '{node.name}' referenced", node.span.start)
    elif isinstance(node, Sequence):
        for item in node.items:
            note_anchors(item, anchors)
    elif isinstance(node, Mapping):
        for key, value in node.entries:
            note_anchors(key, anchors)
            note_anchors(value, anchors)
    if not isinstance(node, Alias) and node.anchor:
        anchors[node.anchor] = node


def followed(node: Node, anchors: dict[str, Node]) -> Node:
    """Return what an alias stands for; any other node is itself."""
    return anchors[node.name] if isinstance(node, Alias) else node


def _merged(node: Node, anchors: dict[str, Node]) -> dict[str, str]:
    """Return the string values that a merge key brings in; raises for what cannot be merged."""
    if isinstance(node, Sequence):
        found: dict[str, str] = {}
        for item in reversed(node.items):
            found.update(_merged(followed(item, anchors), anchors))
        return found
    if not isinstance(node, Mapping):
        raise YamlError("map merge requires map or sequence of maps as the value", node.span.start)
    pairs = ((key, _string(followed(value, anchors))) for key, value in node.entries)
    return {key.text: value for key, value in pairs if isinstance(key, Scalar) and value is not None}


def _string(node: Node) -> str | None:
    """Return the value of a node if Go's `.(string)` holds for it."""
    if not isinstance(node, Scalar):
        return None
    tag = node.tag or ""
    if tag.startswith(_TAG) or tag == "!":
        return _tagged(node, tag.removeprefix(_TAG))
    return None if node.plain and _typed(node.text) else node.text


def _tagged(node: Scalar, tag: str) -> str | None:
    """Return the string that an explicit standard tag makes of a scalar; raises where it cannot."""
    if tag in {"str", "!"}:
        return node.text
    if tag == "binary":
        try:
            return base64.b64decode("".join(node.text.split()), validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            raise YamlError("!!binary value contains invalid base64 data", node.span.start) from None
    if tag == "timestamp":
        return node.text
    if tag in {"int", "float", "bool", "null", "merge"}:
        if not _typed(node.text):
            raise YamlError(f"cannot decode !!str `{node.text}` as a !!{tag}", node.span.start)
        return None
    return node.text


def _word(text: str) -> bool:
    return text in {"", "~", "null", "Null", "NULL"}


def _typed(text: str) -> bool:
    """Return whether yaml.v2 reads a plain scalar as something other than a string."""
    if _WORDS.fullmatch(text):
        return True
    if text[0] == ".":
        return bool(_LEADING_DOT.fullmatch(text))
    if text[0] not in "+-0123456789":
        return False
    plain = text.replace("_", "")
    if _INT.fullmatch(plain):
        return _fits(plain)
    return bool(_FLOAT.fullmatch(plain))


def _fits(plain: str) -> bool:
    """Return whether a number of Go's integer syntax is a number for yaml.v2; decimal ones may be floats."""
    digits = plain.lstrip("+-")
    if digits.isdigit() and (digits == "0" or digits[0] != "0"):
        return True
    body = re.sub(r"^0[oO]?(?=[0-7])", "0o", digits) if digits[1:2] not in "xXbB" else digits
    value = int(body, 0)
    return -(2**63) <= (-value if plain[0] == "-" else value) < 2**64 or bool(_FLOAT.fullmatch(plain))
