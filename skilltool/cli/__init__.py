"""How does a command line become one call into the library, and its result text and an exit status?

Commands are modules of this package, imported when they are used. Exit status 0 means that all is well, 1
that there are findings or a skill does not load, 2 that skilltool could not do what was asked.
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
from skilltool.cli.help import CommandGroup
from skilltool.errors import SkilltoolError

COMMANDS = {
    "new": "Create a skill from a template.",
    "lint": "Check skills and report what is wrong.",
    "resolve": "Show which client loads which copy of each skill, and why.",
    "render": "Print the exact text that a runtime sends to its model.",
    "cost": "Show how much of each client's context the skills use.",
    "needs": "Show what skills refer to and require, each item with its place.",
    "capture": "Check whether installed clients still send what `render` prints.",
    "route": "Check whether a model can pick the right skill for a prompt.",
    "preview": "Show skills, and what each client's model reads, in a browser.",
    "runtimes": "List the runtimes or describe one, with sources.",
    "rule": "Explain a rule or list the rules.",
    "survey": "Check all skills in a registry and write the results as tables.",
    "pack": "Build a reproducible archive of a skill, or check an archive.",
    "baseline": "Accept the current findings so that lint reports only new ones.",
    "clean": "Delete the cache of lint results and model answers.",
    "server": "Run the language server for editors.",
    "completion": "Print a shell completion script.",
    "schema": "Print a JSON Schema for frontmatter, configuration or reports.",
}


_EPILOG = """\b
Examples:
  skilltool new pdf-tools                 create a skill
  skilltool lint                          check the skills under this directory
  skilltool rule broken-link              explain a rule
  skilltool resolve                       see which client loads which copy
  skilltool render pdf-tools              see what the model reads
Run `skilltool COMMAND --help` for the options of a command.
"""


class _Commands(CommandGroup):
    """Imports a command only when it is called; `skilltool --help` needs none of them."""

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
        from skilltool.cli import did_you_mean

        hint = did_you_mean.sentence(did_you_mean.command(args, COMMANDS))
        raise click.UsageError(f"No such command '{name}'.{hint}", ctx)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.command(cls=_Commands, epilog=_EPILOG, context_settings=_SETTINGS)
@click.version_option(__version__, "-V", "--version", prog_name="skilltool", message="%(prog)s %(version)s")
def group() -> None:
    """Write, check and understand skill packages: directories with a SKILL.md."""


def main() -> None:
    """Run the command line and exit; the one place where errors become text."""
    # What the caller has closed stays useless: whoever reads or writes there is told so. Only notes are lost.
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_WRONLY), encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stdout = open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            for_programs = stream is sys.stdout and not stream.isatty()  # the same bytes in every locale
            stream.reconfigure(encoding="utf-8" if for_programs else None, errors="backslashreplace")
    if "_SKILLTOOL_COMPLETE" in os.environ:  # a shell asks for completions
        from skilltool.cli.completion import register

        register()
    try:
        status = group.main(prog_name="skilltool", standalone_mode=False)
    except SkilltoolError as error:
        status = _failed(str(error))
    except click.ClickException as error:
        status = _usage_error(error)
    except click.Abort:
        status = 130
    except SystemExit:  # click's answer to a reader of --help who has gone away
        status = 0
    except OSError as error:
        status = _failed(_reason(error))
    except Exception as error:  # a user never sees a traceback
        from skilltool.bounds.budget import InternalReason

        status = _failed(InternalReason.of(error))
    sys.exit(status if isinstance(status, int) else 0)


def _reason(error: OSError) -> str:
    """Return the text of a system error that no command has handled."""
    if error.filename is None and error.errno == ENOENT:
        return "the current directory no longer exists; change to a different one"
    if error.filename is None:  # from click's own output, such as --help
        from skilltool.cli.output import abandon, unwritable

        abandon(sys.stdout)
        return unwritable(error)
    return f"{error.filename}: {error.strerror or error}"


def _failed(message: str) -> int:
    from skilltool.cli.output import note

    note(message)
    return 2


def _usage_error(error: click.ClickException) -> int:
    """Print click's message as click does; the arguments in it may be the names of a stranger's files."""
    from skilltool.cli.output import write_error
    from skilltool.text.printable import SafeText, safe_lines

    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        write_error(SafeText(f"{error.message}\n"))
        return 2
    lines: list[str] = []
    context = getattr(error, "ctx", None)
    if context is not None:
        hint = f"Try '{context.command_path} {context.help_option_names[-1]}' for help."
        lines = [*context.get_usage().split("\n"), hint, ""]
    message = f"Error: {_message_of(error)}"
    # Only the values of an argument that is missing have lines of their own, and they are ours.
    is_list = isinstance(error, click.MissingParameter)
    write_error(safe_lines([*lines, *(message.split("\n") if is_list else [message])]))
    return 2


def _message_of(error: click.ClickException) -> str:
    """Return click's message, with our own suggestions for an unknown option: click's go by letters only."""
    if not isinstance(error, click.NoSuchOption) or error.ctx is None:
        return error.format_message()
    from skilltool.cli import did_you_mean

    hint = did_you_mean.sentence(did_you_mean.option(error.option_name, error.ctx))
    return f"No such option '{error.option_name}'.{hint}"
