"""The options of `skilltool lint` about fixes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

_OPTIONS = (
    click.option("--fix", is_flag=True, help="Mend what is safe to mend, then report the rest."),
    click.option(
        "--unsafe-fixes", is_flag=True, help="With --fix or --diff: also what changes a name or a text."
    ),
    click.option("--diff", "as_diff", is_flag=True, help="Print what --fix would change; write nothing."),
    click.option("--show-fixes", is_flag=True, help="List what was mended, by file and rule."),
    click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit 1 if anything was mended."),
)


def fixing_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about fixes."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function
