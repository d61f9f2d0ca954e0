"""Builds a node tree from YAML text; plain lines need no YAML parser, which takes 20 ms to import."""

from __future__ import annotations

from functools import lru_cache

from skilltool.text.frontmatter import plain_lines
from skilltool.text.frontmatter.nodes import MAX_DEPTH, Document


def compose(text: str, base: int = 0, first_only: bool = False, max_depth: int = MAX_DEPTH) -> Document:
    """Build the node tree of YAML `text`; `base` is added to all offsets.

    With `first_only`, text after the first document is ignored, as in Go's parsers. Raises `BoundError` if a
    limit is exceeded, and `YamlError` for anything that is not a single YAML document.

    Several runtimes read the same text of a skill, so the last trees are kept.
    """
    return _compose(text, base, first_only, max_depth)


@lru_cache(maxsize=4)
def _compose(text: str, base: int, first_only: bool, max_depth: int) -> Document:
    root = plain_lines.read(text, base)
    if root is not None:
        return Document(root, end=base + len(text))
    from skilltool.text.frontmatter.libyaml import compose_by_libyaml

    return compose_by_libyaml(text, base, first_only, max_depth)
