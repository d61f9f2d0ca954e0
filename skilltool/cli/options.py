"""Options that several commands share."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.bounds.budget import SECONDS, VARIABLE, Budget

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem
from skilltool.cli.help import option
from skilltool.errors import nearest
from skilltool.files import user_directories

_QUIET = "skilltool.quiet"  # in `click.Context.meta`


class Choice(click.Choice[str]):
    """A closed list of values whose error suggests the nearest one."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return click's message, followed by a suggestion where one is near."""
        message: str = super().get_invalid_choice_message(value, ctx)
        hint = nearest(str(value), map(str, self.choices))
        return f"{message.rstrip('.')}; did you mean '{hint}'?" if hint else message


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
    help="Print only findings and errors.",
)

color_option = option(
    "Output",
    "--color",
    type=Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    metavar="WHEN",
    help="When to use colour; `auto` means on a terminal, unless NO_COLOR or FORCE_COLOR is set.",
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

raw_option = option(
    "Output",
    "--raw",
    is_flag=True,
    help="Print control characters and CI workflow commands unescaped.",
)

cache_dir_option = option(
    "Cache and processes",
    "--cache-dir",
    type=click.Path(path_type=Path),
    envvar="SKILLTOOL_CACHE_DIR",
    metavar="DIR",
    help="Use this cache directory instead of the user's.",
)


def cache_directory(named: Path | None) -> Path | None:
    """Return the directory of the cache: the named one, or the user's own; None if there is no home."""
    return user_directories.cache_directory() if named is None else named.absolute()


def _keep_time_limit(ctx: click.Context, param: click.Parameter, value: float | None) -> None:
    """Put the seconds where every process that works on skills finds them: into the environment."""
    if value is not None:
        os.environ[VARIABLE] = f"{value:g}"


class _Seconds(click.FloatRange):
    name = "number of seconds"  # what click calls a value in its error


time_limit_option = option(
    "Limits",
    "--time-limit",
    type=_Seconds(*SECONDS),
    envvar=VARIABLE,
    expose_value=False,
    callback=_keep_time_limit,
    metavar="SECONDS",
    help="CPU time limit per skill; raising it also raises the total limit for all skills. "
    f"[default: {Budget().seconds:g}]",
)


def use_links(color: str) -> bool:
    """Return whether paths on standard output are hyperlinks; `color` is the value of `--color`.

    `--color never` asks for plain text; NO_COLOR is about colour only (https://no-color.org).
    """
    from skilltool.report.style import supported

    return color != "never" and supported(os.environ, sys.stdout.isatty())


def completions(known: Iterable[tuple[str, str]], begun: str, lists: bool = True) -> list[CompletionItem]:
    """Return the names that begin with what follows the last comma; a shell replaces the whole list.

    Without `lists` a comma is a character like any other.
    """
    from click.shell_completion import CompletionItem

    earlier, comma, last = begun.rpartition(",") if lists else ("", "", begun)
    taken = set(earlier.split(","))
    return [
        CompletionItem(f"{earlier}{comma}{name}", help=about)
        for name, about in known
        if name.startswith(last) and (not lists or name not in taken)
    ]


def complete_runtimes(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the runtimes whose ids begin with `begun`, and `all` where several may be given."""
    from skilltool.runtimes import IDS, get

    known = [(name, get(name).title) for name in IDS]
    return completions([*known, ("all", "every runtime")] if parameter.multiple else known, begun)


def complete_rules(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the rules and groups whose names begin with `begun`, and `all` for options that take it."""
    from skilltool.rules import GROUPS, NAMES, manual

    known = [(name, manual.page(name).summary) for name in NAMES]
    known += [(group, f"the rules in the group {group}") for group in GROUPS]
    return completions([*known, ("all", "every rule")] if parameter.multiple else known, begun)


Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def runtimes_option(meaning: str, group: str = "Rules") -> Decorator:
    """Return `--runtime` for several runtimes: a tuple of ids and names of groups."""
    return option(
        group,
        "--runtime",
        "runtimes",
        multiple=True,
        callback=split_at_commas,
        metavar="IDS",
        shell_complete=complete_runtimes,
        help=meaning,
    )


def _rules_option(name: str, meaning: str) -> Decorator:
    return option(
        "Rules",
        name,
        multiple=True,
        callback=split_at_commas,
        metavar="RULES",
        shell_complete=complete_rules,
        help=meaning,
    )


select_option = _rules_option("--select", "Run only these rules or groups (comma-separated), or `all`.")
extend_select_option = _rules_option(
    "--extend-select", "Run these rules or groups in addition to those selected."
)
ignore_option = _rules_option("--ignore", "Do not run these rules or groups.")
