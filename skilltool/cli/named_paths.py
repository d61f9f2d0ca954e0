"""Commands whose paths often come from a program or from `*`, where a file may be named like an option."""

from __future__ import annotations

import os

import click

from skilltool.cli.help import Command


class PathsCommand(Command):
    """A command that refuses to run if an option is also the name of a file.

    pre-commit and shells append names to the options with nothing in between, and a file in somebody
    else's repository may be called `--exit-zero`. After `--` every argument is a path.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments as click does; raises `UsageError` for an option that is also a file."""
        if not ctx.resilient_parsing:
            options = args[: args.index("--")] if "--" in args else args
            for name in options:
                if name.startswith("-") and name != "-" and os.path.lexists(name):
                    raise click.UsageError(
                        f"`{name}` is both an option and a file in this directory. "
                        f"If you mean the file, write `./{name}` or put `--` before the paths; "
                        "if you mean the option, rename or exclude the file.",
                        ctx,
                    )
        return super().parse_args(ctx, args)
