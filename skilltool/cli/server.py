"""`skilltool server`."""

from __future__ import annotations

import sys
from errno import EBADF

import click

from skilltool.cli.help import Command
from skilltool.cli.options import time_limit_option
from skilltool.cli.output import note
from skilltool.errors import SkilltoolError

_EPILOG = """\b
Examples:
  skilltool server                        the command that an editor runs

\b
Editors:
  Neovim 0.11, in init.lua:
    vim.lsp.config('skilltool',
      {cmd = {'skilltool', 'server'}, filetypes = {'markdown'}})
    vim.lsp.enable('skilltool')
  Helix, in languages.toml:
    [language-server.skilltool]
    command = "skilltool"
    args = ["server"]

\b
docs/editors.md covers more editors.

The exit status is 0 after `shutdown` and `exit`, 1 if the editor disconnects without them, 2 if the server
cannot start, and 130 after Ctrl-C.
"""


@click.command("server", cls=Command, epilog=_EPILOG)
@click.option("--stdio", is_flag=True, help="Communicate over standard input and output (always on).")
@time_limit_option
def command(stdio: bool) -> int:
    """Run the language server for SKILL.md files. Editors start this command.

    The server reports findings as you type, offers fixes, and explains what each runtime does with a field
    and with the skill. It never writes files.
    """
    try:
        from skilltool.server.stdio import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "skilltool":
            raise
        raise SkilltoolError(
            f"the language server needs {error.name}; install it with: pip install 'skilltool[server]'"
        ) from None
    if sys.stdin.isatty():
        note(
            "this server is for editors, which start it and write to its standard input; set up your editor "
            "as described in `skilltool server --help`, or run `skilltool lint`; Ctrl-C ends the server"
        )
    try:
        return serve()
    except OSError as error:
        if error.errno != EBADF:
            raise
        raise SkilltoolError(
            "standard input is closed; an editor must start the server and keep it open"
        ) from None
