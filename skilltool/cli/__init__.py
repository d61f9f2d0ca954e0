"""The command line: arguments, one call into the library, text and an exit status.

Commands are modules of this package, imported when they are used. 0 is clean, 1 means
findings (or a skill that does not load), 2 that skilltool could not do what was asked.
"""

from __future__ import annotations

import os
import sys
from errno import ENOENT
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path

import click

from skilltool import __version__
from skilltool.errors import SkilltoolError, nearest

COMMANDS = {
    "new": "Make a new skill from a template, where its runtime looks.",
    "lint": "Check skills and report what is wrong with them.",
    "resolve": "Show which copy of a name wins in a runtime, and why.",
    "render": "Print the exact text that a runtime gives its model.",
    "runtimes": "Show the runtimes that are known, and their facts.",
    "rule": "Show the manual page of a rule, or the table of all rules.",
    "pack": "Make one reproducible archive of one skill, or check one.",
    "baseline": "Accept today's findings, so that lint reports only new ones.",
    "clean": "Delete the results that earlier runs have kept.",
    "server": "Run the language server, for an editor to start.",
    "completion": "Print the script that completes commands in a shell.",
    "schema": "Print a JSON Schema: of frontmatter, configuration or reports.",
}


_EPILOG = """\b
Examples:
  skilltool new pdf-tools                 a new skill that lints and loads
  skilltool lint                          check every skill below this directory
  skilltool rule broken-link              what a rule means, and how to mend it
  skilltool schema config                 a JSON Schema, for editors

`skilltool COMMAND --help` tells more of each command.
"""


class _Commands(click.Group):
    """A group whose commands are imported only when they are called; help needs none of them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"skilltool.cli.{cmd_name}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name in COMMANDS or name.startswith("-") or ctx.resilient_parsing:
            return super().resolve_command(ctx, args)
        hint = f"lint {name}" if Path(name).exists() else nearest(name, COMMANDS)
        meant = f" Did you mean 'skilltool {hint}'?" if hint else ""
        raise click.UsageError(f"No such command '{name}'.{meant}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_Commands, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="skilltool", message="%(prog)s %(version)s")
def group() -> None:
    """Write, check and understand skill packages: directories with a SKILL.md."""


def main() -> None:
    """Run the command line and leave the process; the one place where errors become text."""
    if sys.stdin is None:  # closed by the caller: there is nothing to read,
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:  # and what nobody wants to read is written nowhere
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            for_programs = stream is sys.stdout and not stream.isatty()  # the same bytes in every locale
            stream.reconfigure(encoding="utf-8" if for_programs else None, errors="backslashreplace")
    if "_SKILLTOOL_COMPLETE" in os.environ:  # a shell asks what may follow
        from skilltool.cli.shells import register

        register()
    try:
        status = group.main(prog_name="skilltool", standalone_mode=False)
    except SkilltoolError as error:
        status = _failed(str(error))
    except click.ClickException as error:
        status = _misused(error)
    except click.Abort:
        status = 130
    except OSError as error:
        status = _failed(_reason(error))
    except Exception as error:  # no traceback ever reaches a user
        status = _failed(f"internal error, please report it: {error!r}")
    sys.exit(status if isinstance(status, int) else 0)


def _reason(error: OSError) -> str:
    """Say what a system error is about that has reached the end: a file, or what has no name here."""
    if error.filename is None and error.errno == ENOENT:
        return "the working directory does not exist any more; change to another one"
    # Without a name it is click's own output, such as --help.
    return f"{error.filename or 'standard output'}: {error.strerror or error}"


def _failed(message: str) -> int:
    from skilltool.cli.output import note

    note(message)
    return 2


def _misused(error: click.ClickException) -> int:
    """Print click's own message, in which a file name that a shell put in may stand."""
    from io import StringIO

    from skilltool.report.printable import printable

    shown = StringIO()
    error.show(shown)
    for line in shown.getvalue().splitlines():
        click.echo(printable(line), err=True)
    return 2
