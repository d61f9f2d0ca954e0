"""The options that say for which runtimes, and by which rules, skills are checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skilltool.cli import completing
from skilltool.cli.help import option
from skilltool.cli.options import split_at_commas

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def runtimes_option(meaning: str) -> Decorator:
    """Return `--runtime`, a tuple of ids and groups."""
    return _names("--runtime", "runtimes", metavar="IDS", shell_complete=completing.runtimes, help=meaning)


def _names(*names: str, **attributes: Any) -> Decorator:
    """Return an option about rules that takes several names at once, and may be repeated."""
    return option("Rules", *names, multiple=True, callback=split_at_commas, **attributes)


def _rules(name: str, meaning: str) -> Decorator:
    return _names(name, metavar="RULES", shell_complete=completing.rules, help=meaning)


select_option = _rules("--select", "Run only these rules or groups, separated by commas, or `all`.")
extend_select_option = _rules("--extend-select", "Run these rules or groups in addition to those selected.")
ignore_option = _rules("--ignore", "Do not run these rules or groups.")
