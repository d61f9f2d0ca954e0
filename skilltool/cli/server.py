"""`skilltool server`."""

from __future__ import annotations

import sys

import click

from skilltool.cli.output import note
from skilltool.errors import SkilltoolError

_EPILOG = """\b
Examples:
  skilltool server                        as an editor starts it

\b
Editors:
  Neovim 0.11, in init.lua:
    vim.lsp.config('skilltool', {cmd = {'skilltool', 'server'}, filetypes = {'markdown'}})
    vim.lsp.enable('skilltool')
  Helix, in languages.toml:
    [language-server.skilltool]
    command = "skilltool"
    args = ["server"]

\b
docs/editors.md has more of them. Exit status: 0 after shutdown and exit, 1 if the
editor went away without them, 2 if the server cannot start.
"""


@click.command("server", epilog=_EPILOG)
@click.option("--stdio", is_flag=True, help="Talk on standard input and output; there is no other way.")
def command(stdio: bool) -> int:
    """Run the language server for SKILL.md files, for an editor to start.

    It shows findings as you type, offers their fixes, and says what each runtime makes of a
    field and of the skill. It writes no file.
    """
    try:
        from skilltool.server.stdio import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "skilltool":
            raise
        raise SkilltoolError(
            f"the language server needs {error.name}; install it with: pip install 'skilltool[server]'"
        ) from None
    if sys.stdin is None:
        raise SkilltoolError("standard input is closed; an editor starts the server and talks to it there")
    if sys.stdin.isatty():
        note("waiting for an editor on standard input; docs/editors.md says how editors start it")
    return serve()
