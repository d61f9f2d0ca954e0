"""Reads the `---` block of a skill: as plain data, with a span for every key and value."""

from skilltool.text.frontmatter.nodes import Mapping, Node, Plain, Scalar, Sequence
from skilltool.text.frontmatter.reading import Frontmatter, Path, Problem, read
from skilltool.text.frontmatter.scalars import Timestamp, core_value, yaml11_value

__all__ = [
    "Frontmatter",
    "Mapping",
    "Node",
    "Path",
    "Plain",
    "Problem",
    "Scalar",
    "Sequence",
    "Timestamp",
    "core_value",
    "read",
    "yaml11_value",
]
