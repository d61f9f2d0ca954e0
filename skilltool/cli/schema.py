"""`skilltool schema`."""

from __future__ import annotations

import click


@click.command("schema")
@click.argument("name", default="skill")
@click.option("--list", "listed", is_flag=True, help="List the names of all schemas.")
def command(name: str, listed: bool) -> int:
    """Print the JSON Schema called NAME (default: skill, the portable frontmatter).

    Names are skill, report, config, and a runtime's id for its frontmatter. Editors that take
    JSON Schemas for YAML then complete keys and show what they mean.
    """
    from skilltool import schema

    if listed:
        for known in schema.names():
            click.echo(f"{known:<14} {schema.load(known)['title']}")
    else:
        click.echo(schema.text(name), nl=False)
    return 0
