"""YAML as PyYAML's `CSafeLoader` reads it: libyaml's scanner, with its own error messages.

The same data as `pyyaml` in all but corners. The library python-frontmatter prefers it, and so what it says
of broken YAML is libyaml's: without the line at fault, with other words. The installed PyYAML itself does the
reading; where it was built without libyaml, its pure Python loader does.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import Any

import yaml

from skilltool.emulation.pyyaml import Composed, load_with
from skilltool.text.frontmatter.nodes import MAX_DEPTH, MAX_NODES, BoundError


def safe_load(text: str, read: Collection[str] | None = None) -> Any:
    """Return the data of YAML `text`, as `yaml.load(text, yaml.CSafeLoader)` does.

    Raises `PyYamlError` and `BoundError` as `pyyaml.safe_load` does.
    """
    return load_with(composed, text, read)


@lru_cache(maxsize=8)
def composed(text: str) -> Composed:
    """Return the node tree of YAML `text`, or the exception that reading raised.

    Nodes are counted on the events first: libyaml's wrapper recurses, and deep nesting ends the process.
    """
    try:
        _check_bounds(text)
        loader = _loader(text)
        try:
            node: yaml.Node | None = loader.get_single_node()
            return node
        finally:
            loader.dispose()
    except Exception as error:
        return error.with_traceback(None)


def _loader(text: str) -> Any:
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)


def _check_bounds(text: str) -> None:
    """Raise `BoundError` for what composing would reach: it stops at the first error, or before it."""
    loader = _loader(text)
    depth = nodes = 0
    try:
        while (event := loader.get_event()) is not None:
            if isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            elif isinstance(event, yaml.NodeEvent):
                nodes += 1
                depth += isinstance(event, yaml.CollectionStartEvent)
            if depth > MAX_DEPTH:
                raise BoundError(f"nested more than {MAX_DEPTH} levels deep", 0)
            if nodes > MAX_NODES:
                raise BoundError(f"more than {MAX_NODES:,} nodes", 0)
    except yaml.YAMLError:
        return
    finally:
        loader.dispose()
