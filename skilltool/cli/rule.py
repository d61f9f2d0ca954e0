"""`skilltool rule`."""

from __future__ import annotations

import click

from skilltool.cli import completing
from skilltool.cli.options import Choice
from skilltool.cli.output import write

_EPILOG = """\b
Examples:
  skilltool rule                          one line for each rule
  skilltool rule broken-link              why it matters, with an example
  skilltool rule --all --output-format json

The id of a rule stands in brackets in each finding: warning[broken-link].
"""


@click.command("rule", epilog=_EPILOG)
@click.argument("rule_id", metavar="[ID]", required=False, shell_complete=completing.rules)
@click.option("--all", "everything", is_flag=True, help="Every rule's page, not only the table.")
@click.option(
    "--output-format", type=Choice(["text", "json"]), default="text", help="Text, or JSON for programs."
)
def command(rule_id: str | None, everything: bool, output_format: str) -> int:
    """Show the manual page of the rule ID; without one, a table of all rules."""
    from skilltool import rules
    from skilltool.rules import manual

    if rule_id and everything:
        raise click.UsageError("name one rule or give --all, not both")
    names = [rule_id] if rule_id else rules.NAMES
    pages = [manual.page(name) for name in names]
    if output_format == "json":
        import json

        write(json.dumps({"schema_version": 1, "rules": [page.data() for page in pages]}, indent=2) + "\n")
    elif rule_id or everything:
        write("\n".join(page.text() for page in pages))
    else:
        write(manual.table(pages))
    return 0
