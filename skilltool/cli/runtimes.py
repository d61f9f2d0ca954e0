"""`skilltool runtimes`."""

from __future__ import annotations

import click

from skilltool.cli import completing
from skilltool.cli.options import Choice
from skilltool.cli.output import write

_EPILOG = """\b
Examples:
  skilltool runtimes                      every runtime and edition
  skilltool runtimes kodelet              its roots, settings and rules, each with its source
"""


@click.command("runtimes", epilog=_EPILOG)
@click.argument("runtime_id", metavar="[ID]", required=False, shell_complete=completing.runtimes)
@click.option(
    "--output-format", type=Choice(["text", "json"]), default="text", help="Text, or JSON for programs."
)
def command(runtime_id: str | None, output_format: str) -> int:
    """Show the runtimes that are known, or the facts of one and where they come from."""
    import json

    from skilltool import runtimes
    from skilltool.runtimes import facts

    chosen = [runtimes.get(name) for name in ([runtime_id] if runtime_id else runtimes.IDS)]
    if output_format == "json":
        data = {"schema_version": 1, "runtimes": [facts.data(runtime) for runtime in chosen]}
        write(json.dumps(data, indent=2) + "\n")
    elif runtime_id:
        write(facts.page(chosen[0]))
    else:
        write(facts.table(chosen))
    return 0
