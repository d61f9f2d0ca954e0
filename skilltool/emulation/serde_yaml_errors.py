"""What does serde_yaml 0.9 say about YAML that is broken, or of another type than expected?

Source: `libyaml/error.rs` and `error.rs` of serde_yaml 0.9, `Unexpected` of serde 1. Positions are lines and
columns from 1 in code points; the very start of a text is not told, and of characters that YAML refuses the
offset in bytes.
"""

from __future__ import annotations

import re

import yaml

from skilltool.emulation import serde_yaml_scalars
from skilltool.text.frontmatter.nodes import Node, Scalar, Sequence

MANY_DOCUMENTS = "deserializing from YAML containing more than one document is not supported"
_BREAK = re.compile("\r\n|[\r\n\x85\u2028\u2029]")


class SerdeYamlError(ValueError):
    """A text that serde_yaml refuses; the message is its own."""


def at(text: str, offset: int) -> str:
    """Return ` at line L column C` for an offset, nothing for the very start."""
    line, start = 0, 0
    for found in _BREAK.finditer(text, 0, offset):
        line, start = line + 1, found.end()
    return _position(line, offset - start)


def _position(line: int, column: int) -> str:
    return f" at line {line + 1} column {column + 1}" if line or column else ""


def syntax_error(text: str) -> SerdeYamlError:
    """Return the first error about a text that is not YAML: the parser's, or an alias without an anchor."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    anchors: set[str | None] = set()
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.AliasEvent) and event.anchor not in anchors:
                offset = event.start_mark.index if event.start_mark else 0
                return SerdeYamlError(f"unknown anchor{at(text, offset)}")
            anchors.add(getattr(event, "anchor", None))
    except yaml.reader.ReaderError as error:
        where = f" at position {error.position}" if error.position else ""
        return SerdeYamlError(f"{error.reason}{where}")
    except yaml.MarkedYAMLError as error:
        return SerdeYamlError(_told(error))
    except yaml.YAMLError as error:
        return SerdeYamlError(str(error))
    return SerdeYamlError("not YAML")


def _told(error: yaml.MarkedYAMLError) -> str:
    """Return the problem and where it is, then what was being parsed, and where that begins if elsewhere."""
    problem, context = (
        "" if mark is None else _position(mark.line, mark.column)
        for mark in (error.problem_mark, error.context_mark)
    )
    told = f"{error.problem}{problem}"
    if error.context is None:
        return told
    return f"{told}, {error.context}{context if context != problem else ''}"


def after_document(text: str, end: int) -> bool:
    """Return whether something follows the document that ends at an offset: another one, or what is none."""
    return bool(re.sub(r"(?m)^(?:\.\.\.)?[ \t]*(?:#.*)?$", "", text[end:]).strip())


def mismatch(node: Node, expected: str) -> str:
    """Return what serde says of a value where another type is expected."""
    if isinstance(node, Scalar):
        return serde_yaml_scalars.mismatch(node, expected)
    kind = "sequence" if isinstance(node, Sequence) else "map"
    return f"invalid type: {kind}, expected {expected}"
