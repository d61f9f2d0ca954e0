"""`skilltool runtimes`."""

from __future__ import annotations

import click

from skilltool.cli.color import painted_outline, painted_table, use_color
from skilltool.cli.help import Command
from skilltool.cli.options import color_option, complete_runtimes, format_option
from skilltool.cli.output import write
from skilltool.report.as_json import dumps
from skilltool.report.style import terminal_width
from skilltool.text.printable import flowed, safe_text

_EPILOG = """\b
Examples:
  skilltool runtimes                      list every runtime and version
  skilltool runtimes claude-code          describe one, with its sources
"""


@click.command("runtimes", cls=Command, epilog=_EPILOG)
@click.argument("runtime_id", metavar="[ID]", required=False, shell_complete=complete_runtimes)
@format_option
@color_option
def command(runtime_id: str | None, output_format: str, color: str) -> int:
    """List the runtimes, or describe the runtime ID, with a source for every fact."""
    from skilltool import runtimes
    from skilltool.runtimes import facts

    chosen = [runtimes.get(name) for name in ([runtime_id] if runtime_id else runtimes.IDS)]
    if output_format == "json":
        write(dumps({"schema_version": 1, "runtimes": [facts.data(runtime) for runtime in chosen]}))
    elif runtime_id:
        page = safe_text(facts.page(chosen[0]), painted_outline if use_color(color) else str)
        write(flowed(page, terminal_width()))
    else:
        table = safe_text(facts.table(chosen), painted_table if use_color(color) else str)
        write(flowed(table, terminal_width()))
    return 0
