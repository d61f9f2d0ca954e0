"""`skilltool schema`."""

from __future__ import annotations

import click

from skilltool.cli.completion import complete_schemas
from skilltool.cli.help import Command
from skilltool.cli.output import write
from skilltool.text.printable import safe_lines, safe_text

_EPILOG = """\b
Examples:
  skilltool schema                        frontmatter that every runtime accepts
  skilltool schema agentskills            the open specification
  skilltool schema config > skilltool.schema.json
  skilltool schema --list                 list the schemas
"""


@click.command("schema", cls=Command, epilog=_EPILOG)
@click.argument("name", default="skill", shell_complete=complete_schemas)
@click.option("--list", "listed", is_flag=True, help="List the schemas.")
def command(name: str, listed: bool) -> int:
    """Print the JSON Schema named NAME.

    NAME is `skill` (the default: frontmatter that every runtime accepts), the id of a runtime (frontmatter
    that this runtime accepts), `config`, or the name of a command's JSON output: `report` (of lint),
    `resolve`, `render`, `cost`, `needs`, `capture` or `route`. `cases` is for the prompts that `route` reads.
    Editors use JSON Schemas to complete and explain YAML keys.
    """
    from skilltool.skill import schema

    if listed:
        write(safe_lines(f"{known:<14} {schema.load(known)['title']}" for known in schema.names()))
    else:
        write(safe_text(schema.text(name)))
    return 0
