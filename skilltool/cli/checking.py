"""What `lint` and `baseline` share: options that say which skills are checked, and how."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli import completing
from skilltool.cli.options import cache_dir_option, cache_directory

if TYPE_CHECKING:
    from skilltool.lint.config import Config
    from skilltool.lint.settings import Settings


def _rules(name: str, about: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.option(name, multiple=True, metavar="RULE", help=about, shell_complete=completing.rules)


_OPTIONS = (
    click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path)),
    click.option(
        "--runtime",
        "runtimes",
        multiple=True,
        metavar="ID",
        shell_complete=completing.runtimes,
        help="A target, or all; repeatable. Default: portable.",
    ),
    _rules("--select", "Run only these rules or groups; repeatable."),
    _rules("--extend-select", "Also run these rules or groups."),
    _rules("--ignore", "Do not run these rules or groups."),
    click.option(
        "--exclude", multiple=True, metavar="PATTERN", help="Pass over what matches, as in .gitignore."
    ),
    click.option("--force-exclude/--no-force-exclude", default=None, help="Exclude paths named here, too."),
    click.option(
        "--respect-gitignore/--no-respect-gitignore", default=None, help="Pass over what .gitignore ignores."
    ),
    click.option("--allow-empty", is_flag=True, default=None, help="Finding no skill at all is no error."),
    click.option(
        "--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file."
    ),
    click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=0),
        metavar="N",
        help="Use N processes; 0, the default, for what suits the cores and the number of skills.",
    ),
    cache_dir_option,
    click.option("--no-cache", is_flag=True, help="Check every skill anew, and keep nothing."),
    click.option("--isolated", is_flag=True, help="Use no configuration file."),
)


def checking_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument PATHS and the options that choose skills, targets and rules."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def chosen_settings(options: Mapping[str, Any]) -> Settings:
    """Return the settings of a run from its configuration file and the values of `checking_options`."""
    from skilltool.lint import settings

    given = {key.replace("_", "-"): value for key, value in options.items()}
    given["cache"] = None if options["no_cache"] else cache_directory(options["cache_dir"])
    return settings.resolve(_configuration(options), given)


def _configuration(options: Mapping[str, Any]) -> Config:
    """Return the configuration of a run: of the named file, of none, or of the file nearest to the paths."""
    from skilltool.lint import config

    if options["config"] and options["isolated"]:
        raise click.UsageError("--isolated and --config cannot be used together")
    if options["isolated"]:
        return config.Config()
    return config.load(options["config"]) if options["config"] else config.find(_common(options["paths"]))


def _common(paths: tuple[Path, ...]) -> Path:
    """Return the directory in which the search for a configuration file begins."""
    if not paths:
        return Path()
    try:
        common = Path(os.path.commonpath([os.path.abspath(path) for path in paths]))
        return common if common.is_dir() else common.parent
    except (OSError, ValueError):  # a path that must not be looked at; paths on different drives
        return Path()
