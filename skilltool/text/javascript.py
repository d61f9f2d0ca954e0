"""Reads JavaScript, and TypeScript as far as it is JavaScript, by tree-sitter's grammar. Nothing is run.

Types of TypeScript are errors to that grammar, after which it goes on reading. Offsets count code points.
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import TYPE_CHECKING

from skilltool.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

MOST_CHARS = 300_000
_MOST_SECONDS = 1.0  # of processor time; ordinary scripts take 0.1 ms for a kilobyte
_NOT_ASCII = lazy_pattern(r"[^\x00-\x7f]")


def read(text: str) -> Node | None:
    """Return the root of the tree of a text; None if it is very long, or takes too long. Never raises."""
    if len(text) > MOST_CHARS:
        return None
    data = _NOT_ASCII.sub("x", text).encode()  # one byte for each character
    end = time.process_time() + _MOST_SECONDS
    parser = _parser()
    try:
        tree = parser.parse(
            lambda offset, _point: data[offset:],
            progress_callback=lambda _offset, _has_error: time.process_time() > end,
        )
    except ValueError:  # the time is over
        parser.reset()
        return None
    return tree.root_node


@lru_cache(maxsize=1)
def _parser() -> Parser:
    import tree_sitter
    import tree_sitter_javascript

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_javascript.language()))
