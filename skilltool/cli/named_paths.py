"""A command whose paths often come from a program or from `*`: file names that would pass for options."""

from __future__ import annotations

import os

import click


class PathsCommand(click.Command):
    """A command that ends, before it does anything, where an option is the name of a file as well.

    pre-commit and shells put names behind the options without a mark between them, and the name of a file
    in somebody else's repository may be `--exit-zero`. Behind `--` every argument is a path.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse such an argument with a `UsageError`, and let click read the others."""
        if not ctx.resilient_parsing:
            options = args[: args.index("--")] if "--" in args else args
            for name in options:
                if name.startswith("-") and name != "-" and os.path.lexists(name):
                    raise click.UsageError(
                        f"`{name}` may be an option or the file of that name here. "
                        f"As a file write `./{name}`, or `--` before all paths; else rename or exclude it.",
                        ctx,
                    )
        return super().parse_args(ctx, args)
