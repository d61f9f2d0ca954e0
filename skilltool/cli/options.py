"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from skilltool.errors import nearest


class Choice(click.Choice[str]):
    """A closed list of values whose error names the nearest one, and the variable that it is from."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the value; raises `click.BadParameter`."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            if param is not None and ctx is not None and _from_environment(param, ctx):
                error.param_hint = f"'{param.envvar}'"
            raise

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return click's message, led by a suggestion where one is near."""
        message: str = super().get_invalid_choice_message(value, ctx)
        hint = nearest(str(value), map(str, self.choices))
        return f"did you mean '{hint}'? {message}" if hint else message


def _from_environment(param: click.Parameter, ctx: click.Context) -> bool:
    return ctx.get_parameter_source(param.name or "") is ParameterSource.ENVIRONMENT


def color_option(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--color auto|always|never`."""
    return click.option(
        "--color",
        type=Choice(["auto", "always", "never"]),
        default="auto",
        help="Colour; auto looks at the terminal, NO_COLOR and FORCE_COLOR.",
    )(function)


def use_color(color: str) -> bool:
    """Return whether to colour standard output (https://no-color.org, https://force-color.org)."""
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


cache_dir_option = click.option(
    "--cache-dir",
    type=click.Path(path_type=Path),
    envvar="SKILLTOOL_CACHE_DIR",
    metavar="DIR",
    help="Keep results here, not in the user's cache directory. Also from SKILLTOOL_CACHE_DIR.",
)


def cache_directory(named: Path | None) -> Path:
    """Return the directory of the cache: the one that was named, or the user's own."""
    if named is not None:
        return named.absolute()
    from platformdirs import user_cache_path

    return user_cache_path("skilltool", appauthor=False)


def use_links(color: str) -> bool:
    """Return whether paths on standard output are links.

    `--color never` asks for plain text; NO_COLOR speaks of colour only (https://no-color.org).
    """
    from skilltool.report.links import supported

    return color != "never" and supported(os.environ, sys.stdout.isatty())
