"""`skilltool schema`."""

from __future__ import annotations

import click

from skilltool.cli import completing
from skilltool.cli.output import write

_EPILOG = """\b
Examples:
  skilltool schema                        frontmatter that every runtime takes
  skilltool schema agentskills            frontmatter of the open specification
  skilltool schema config > skilltool.schema.json
  skilltool schema --list                 all names
"""


@click.command("schema", epilog=_EPILOG)
@click.argument("name", default="skill", shell_complete=completing.schemas)
@click.option("--list", "listed", is_flag=True, help="List the names of all schemas.")
def command(name: str, listed: bool) -> int:
    """Print the JSON Schema called NAME (default: skill, the portable frontmatter).

    Names are skill, report, config, and a runtime's id for its frontmatter. Editors that take
    JSON Schemas for YAML then complete keys and show what they mean.
    """
    from skilltool.skill import schema

    if listed:
        write("".join(f"{known:<14} {schema.load(known)['title']}\n" for known in schema.names()))
    else:
        write(schema.text(name))
    return 0
