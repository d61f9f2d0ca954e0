"""`skilltool completion`."""

from __future__ import annotations

import click

from skilltool.cli.help import Command
from skilltool.cli.options import Choice
from skilltool.cli.output import write
from skilltool.text.printable import safe_text

_EPILOG = """\b
Examples:
  skilltool completion bash >> ~/.bashrc
  skilltool completion zsh >> ~/.zshrc
  skilltool completion fish > ~/.config/fish/completions/skilltool.fish
"""
_COMPINIT = "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit -i }"


@click.command("completion", cls=Command, epilog=_EPILOG)
@click.argument("shell", type=Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> int:
    """Print the script that completes commands, options and names in SHELL."""
    from click.shell_completion import get_completion_class

    from skilltool.cli import group
    from skilltool.cli.shells import register

    register()
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"click cannot complete in {shell}")
    script = found(group, {}, "skilltool", "_SKILLTOOL_COMPLETE").source()
    if shell == "zsh":  # `compdef` exists only after `compinit`, which not every `.zshrc` calls
        script = script.replace("    compdef ", f"    {_COMPINIT}\n    compdef ", 1)
    write(safe_text(f"{script}\n"))
    return 0
