"""The options that `lint` and `baseline` share: which skills are checked, for what, and how."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli.help import option
from skilltool.cli.options import cache_dir_option, cache_directory, time_limit_option
from skilltool.cli.rule_options import extend_select_option, ignore_option, runtimes_option, select_option

if TYPE_CHECKING:
    from skilltool.lint.config import Config
    from skilltool.lint.settings import Settings


_OPTIONS = (
    click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path)),
    runtimes_option(
        "Check for these runtimes or groups, separated by commas; `auto` goes by where each skill lies. "
        "[default: auto]"
    ),
    select_option,
    extend_select_option,
    ignore_option,
    option(
        "Files",
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Exclude files matching this gitignore pattern; may be repeated.",
    ),
    option(
        "Files",
        "--force-exclude/--no-force-exclude",
        default=None,
        help="Exclude files even if they are named on the command line. [default: off]",
    ),
    option(
        "Files",
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Exclude files that git ignores. [default: on]",
    ),
    option(
        "Files", "--allow-empty", is_flag=True, default=None, help="Do not fail when no skills are found."
    ),
    option(
        "Configuration",
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Use this configuration file instead of the nearest one.",
    ),
    option("Configuration", "--isolated", is_flag=True, help="Ignore all configuration files."),
    option("Cache and processes", "--no-cache", is_flag=True, help="Do not read or write the cache."),
    cache_dir_option,
    option(
        "Cache and processes",
        "-j",
        "--jobs",
        type=click.IntRange(min=0),
        metavar="N",
        help="Number of processes; 0 chooses one for the machine and the number of skills. [default: 0]",
    ),
    time_limit_option,
)


def lint_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument PATHS and the options that choose skills, runtimes and rules."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


def chosen_settings(options: Mapping[str, Any]) -> Settings:
    """Return the settings of a run: its configuration file, overridden by the values of its options."""
    from skilltool.lint import settings

    given = {key.replace("_", "-"): value for key, value in options.items()}
    given["looks-up"] = not options["paths"]
    given["cache"] = None if options["no_cache"] else cache_directory(options["cache_dir"])
    return settings.resolve(_configuration(options), given)


def _configuration(options: Mapping[str, Any]) -> Config:
    """Load the file named by `--config`, nothing with `--isolated`, else the nearest file above the paths."""
    from skilltool.lint import config

    named: Path | None = options["config"]
    if named and options["isolated"]:
        raise click.UsageError("--isolated and --config cannot be used together")
    if options["isolated"]:
        return config.Config()
    return config.load(named) if named else config.find(_common(options["paths"]))


def _common(paths: tuple[Path, ...]) -> Path:
    """Return the innermost directory that holds all `paths`: the search for a configuration starts there."""
    if not paths:
        return Path()
    try:
        common = Path(os.path.commonpath([os.path.abspath(path) for path in paths]))
        return common if common.is_dir() else common.parent
    except (OSError, ValueError):  # a path that cannot be accessed; paths on different drives
        return Path()
