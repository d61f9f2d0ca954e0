"""`skilltool completion`."""

from __future__ import annotations

import click

from skilltool.cli.options import Choice
from skilltool.cli.output import write

_EPILOG = """\b
Examples:
  skilltool completion bash >> ~/.bashrc
  skilltool completion zsh >> ~/.zshrc
  skilltool completion fish > ~/.config/fish/completions/skilltool.fish
"""


@click.command("completion", epilog=_EPILOG)
@click.argument("shell", type=Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the script that completes commands and options in a shell."""
    from click.shell_completion import get_completion_class

    from skilltool.cli import group

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"no completion for {shell}")
    write(found(group, {}, "skilltool", "_SKILLTOOL_COMPLETE").source() + "\n")
    return 0
