"""The `--help` of every command: options in groups, headings and options in colour on a terminal.

click has neither. Its help stays as it is, but for two things: the list of options is split into the groups
that each `Option` names, and on a terminal the formatter paints headings and names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

import click
from click.core import ParameterSource

from skilltool.cli.color import HEADING, METAVAR, TERM, painted, use_color

_OTHER = "Other options"
# The order in which help shows groups, whatever the order in which options are declared.
GROUPS = (
    "Rules",
    "Tables",
    "Files",
    "Template",
    "Text",
    "Runtime",
    "Model",
    "Page",
    "Location",
    "Output",
    "Fixes",
    "Exit status",
    "Configuration",
    "Cache and processes",
    "Processes",
    "Limits",
    _OTHER,
)
_FEW = 8  # options that need no groups
_TERM_COLUMN = 30  # characters of the left column at most; a longer term has a line of its own
# Patterns are compiled only where there is colour: this module is imported at every start.
_SUBHEADING = r"(?m)^\w[\w ]*:$"
_NAME_OR_METAVAR = r"-[\w-]+|[A-Z]\S*"


class Option(click.Option):
    """An option that knows its group in `--help`, one of `GROUPS`."""

    def __init__(self, *args: Any, group: str = _OTHER, **kwargs: Any) -> None:
        """Take what `click.Option` takes, and the group."""
        self.group = group
        super().__init__(*args, **kwargs)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the term and its text; a closed list of values is named after the text, as clap does."""
        record = super().get_help_record(ctx)
        if record is None or not isinstance(self.type, click.Choice):
            return record
        return record[0], f"{record[1]} [possible values: {', '.join(map(str, self.type.choices))}]"

    def get_help_extra(self, ctx: click.Context) -> Any:
        """Return what click adds in brackets: the default and the variable, but not the range of a number.

        With `show_envvar`, click would name the variable in errors, too, wherever the value is from.
        """
        extra = super().get_help_extra(ctx)
        extra.pop("range", None)
        if isinstance(self.envvar, str):
            extra["envvars"] = (self.envvar,)
        return extra

    def get_error_hint(self, ctx: click.Context | None) -> str:
        """Return the variable where an invalid value is from there, else the names of the option."""
        if ctx is not None and ctx.get_parameter_source(self.name or "") is ParameterSource.ENVIRONMENT:
            return f"'{self.envvar}'"
        return super().get_error_hint(ctx)


def option(group: str, *names: str, **attributes: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare an option of a group, as `click.option` does."""
    return click.option(*names, cls=Option, group=group, **attributes)


class Command(click.Command):
    """A command with grouped and coloured help."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, in colour where standard output is a terminal that shows it."""
        return _help(self, ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each group of options, their columns aligned; one section for a few options."""
        options = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        sections: dict[str, list[tuple[str, str]]] = {group: [] for group in GROUPS}
        for each in options:
            group = "Options" if len(options) <= _FEW else getattr(each, "group", _OTHER)
            if (record := each.get_help_record(ctx)) is not None:
                sections.setdefault(group, []).append((record[0], record[1].replace("  [", " [")))
        terms = [len(term) for rows in sections.values() for term, _ in rows]
        width = max((length for length in terms if length <= _TERM_COLUMN), default=0)
        for group, rows in sections.items():
            if rows:
                with formatter.section(group):
                    formatter.write_dl([(f"{term:<{width}}", text) for term, text in rows], col_max=width)


class CommandGroup(click.Group):
    """A group of commands with coloured help."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help, in colour where standard output is a terminal that shows it."""
        return _help(self, ctx)


# Does not end a line, which a hyphen does; it becomes one again when it is written.
_HYPHEN = "\u2011"


class _Formatter(click.HelpFormatter):
    """Formats help that fits: words stay whole, and a comment goes below a command that leaves it no room."""

    def write(self, string: str) -> None:
        super().write(string.replace(_HYPHEN, "-"))

    def write_text(self, text: str) -> None:
        if "\b" in text:
            room = self.width - self.current_indent
            text = "\n".join(_narrowed(line, room) for line in text.split("\n"))
        super().write_text(text.replace("-", _HYPHEN))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _TERM_COLUMN, col_spacing: int = 2
    ) -> None:
        super().write_dl([(term, text.replace("-", _HYPHEN)) for term, text in rows], col_max, col_spacing)


def _narrowed(line: str, room: int) -> str:
    """Return `command   comment` on two lines where it is wider than the room."""
    match = re.fullmatch(r"( *)(\S.*?) {2,}(\S.*)", line)
    if match is None or len(line) <= room:
        return line
    return f"{match[1]}{match[2]}\n{match[1]}    {match[3]}"


class _ColorFormatter(_Formatter):
    """Formats help in colour; click measures terms without their colour."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(painted(prog, TERM), args, painted("Usage:", HEADING) + " ")

    def write_heading(self, heading: str) -> None:
        self.write(" " * self.current_indent + painted(f"{heading}:", HEADING) + "\n")

    def write_text(self, text: str) -> None:
        super().write_text(re.sub(_SUBHEADING, lambda match: painted(match[0], HEADING), text))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = _TERM_COLUMN, col_spacing: int = 2
    ) -> None:
        super().write_dl([(_painted_term(term), text) for term, text in rows], col_max, col_spacing)


def _help(command: click.Command, ctx: click.Context) -> str:
    """Return what `command.format_help` writes; click prints it to standard output.

    The usage line of an error comes from a formatter of click's own and is plain.
    """
    ctx.color = use_color("auto")
    kind = _ColorFormatter if ctx.color else _Formatter
    formatter = kind(width=ctx.terminal_width, max_width=ctx.max_content_width)
    command.format_help(ctx, formatter)
    return formatter.getvalue().rstrip("\n")


def _painted_term(term: str) -> str:
    """Paint a command's name, or in `-o, --output-file FILE` the names and the value."""
    if not term.startswith("-"):
        return painted(term, TERM)
    return re.sub(
        _NAME_OR_METAVAR,
        lambda match: painted(match[0], TERM if match[0].startswith("-") else METAVAR),
        term,
    )
