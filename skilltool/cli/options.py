"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from skilltool.cli.help import option
from skilltool.errors import nearest

_QUIET = "skilltool.quiet"  # in `click.Context.meta`


class Choice(click.Choice[str]):
    """A closed list of values whose error suggests the nearest one, and names the variable it is from."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the value; raises `click.BadParameter`."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if param is not None and ctx is not None and _from_environment(param, ctx):
                error.param_hint = f"'{param.envvar}'"
            raise

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return click's message, followed by a suggestion where one is near."""
        message: str = super().get_invalid_choice_message(value, ctx)
        hint = nearest(str(value), map(str, self.choices))
        return f"{message.rstrip('.')}; did you mean '{hint}'?" if hint else message


def _from_environment(param: click.Parameter, ctx: click.Context) -> bool:
    return ctx.get_parameter_source(param.name or "") is ParameterSource.ENVIRONMENT


def split_at_commas(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in `values`, each of which may hold several: the callback of repeatable options."""
    return tuple(name.strip() for value in values for name in value.split(","))


def _keep_quiet(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    ctx.meta[_QUIET] = value


def is_quiet() -> bool:
    """Return whether the running command was given `--quiet`; False outside of a command."""
    ctx = click.get_current_context(silent=True)
    return ctx is not None and bool(ctx.meta.get(_QUIET))


quiet_option = option(
    "Output",
    "-q",
    "--quiet",
    is_flag=True,
    expose_value=False,
    callback=_keep_quiet,
    help="Print findings and errors, but nothing else.",
)

color_option = option(
    "Output",
    "--color",
    type=Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    metavar="WHEN",
    help="When to use colour; `auto`: on a terminal, unless NO_COLOR or FORCE_COLOR is set.",
)

format_option = option(
    "Output",
    "--output-format",
    type=Choice(["text", "json"]),
    default="text",
    show_default=True,
    metavar="FORMAT",
    help="Text for people or JSON for programs.",
)

output_file_option = option(
    "Output",
    "-o",
    "--output-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write to this file instead of standard output.",
)

cache_dir_option = option(
    "Cache and processes",
    "--cache-dir",
    type=click.Path(path_type=Path),
    envvar="SKILLTOOL_CACHE_DIR",
    metavar="DIR",
    help="Directory of the cache, instead of the user's cache directory.",
)


def cache_directory(named: Path | None) -> Path:
    """Return the directory of the cache: the one that was named, or the user's own."""
    if named is not None:
        return named.absolute()
    from platformdirs import user_cache_path

    return user_cache_path("skilltool", appauthor=False)


def use_links(color: str) -> bool:
    """Return whether paths on standard output are hyperlinks; `color` is the value of `--color`.

    `--color never` asks for plain text; NO_COLOR is about colour only (https://no-color.org).
    """
    from skilltool.report.links import supported

    return color != "never" and supported(os.environ, sys.stdout.isatty())
