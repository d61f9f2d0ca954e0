"""How does a new skill come into being? From a template and answers, checked before it is moved into place."""

from __future__ import annotations

from skilltool.scaffold.create import (
    Made,
    Order,
    check,
    default,
    default_runtime,
    make,
    opened,
    target_directory,
    template_names,
)

__all__ = [
    "Made",
    "Order",
    "check",
    "default",
    "default_runtime",
    "make",
    "opened",
    "target_directory",
    "template_names",
]
