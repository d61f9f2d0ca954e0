"""The options of `skilltool lint` about fixes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skilltool.cli.help import option

_OPTIONS = (
    option("Fixes", "--fix", is_flag=True, help="Apply safe fixes, then report the remaining findings."),
    option(
        "Fixes",
        "--unsafe-fixes",
        is_flag=True,
        help="With --fix or --diff: include fixes that change the name or the text of a skill.",
    ),
    option("Fixes", "--diff", "as_diff", is_flag=True, help="Print the fixes as a diff; write nothing."),
    option("Fixes", "--show-fixes", is_flag=True, help="With --fix: list the fixes by file and rule."),
    option("Exit status", "--exit-non-zero-on-fix", is_flag=True, help="Exit 1 if anything was fixed."),
)


def fix_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about fixes."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function
