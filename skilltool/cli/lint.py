"""`skilltool lint`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from skilltool.cli.fix_options import fix_options
from skilltool.cli.help import option
from skilltool.cli.lint_options import lint_options
from skilltool.cli.named_paths import PathsCommand
from skilltool.cli.options import Choice, color_option, output_file_option, quiet_option
from skilltool.cli.output import raw_option
from skilltool.report import FORMATS

_EPILOG = """\b
Examples:
  skilltool lint                        check the skills below this directory
  skilltool lint skills/pdf             check one skill
  skilltool lint --runtime agentskills  check for the open specification
  skilltool lint --select safety,body   run the rules of two groups
  skilltool lint --diff                 show what --fix would change
  skilltool lint --output-format json -o report.json

\b
Exit status:
  0  no finding is as severe as --fail-on
  1  at least one is
  2  the check could not run: an invalid option or configuration,
     an unreadable path, no skills found, or an internal error
"""


@click.command("lint", cls=PathsCommand, epilog=_EPILOG)
@lint_options
@option(
    "Rules",
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Report only findings that are not in this file, written by `skilltool baseline`.",
)
@option(
    "Files",
    "--stdin-filename",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Path of the file of a skill that is read from standard input when PATHS is `-`.",
)
@option(
    "Output",
    "--output-format",
    type=Choice(FORMATS),
    envvar="SKILLTOOL_OUTPUT_FORMAT",
    metavar="FORMAT",
    help="Format of the report. [default: full]",
)
@output_file_option
@option(
    "Output",
    "--statistics",
    is_flag=True,
    help="Print the number of findings of each rule instead of the findings.",
)
@quiet_option
@option("Output", "--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@color_option
@raw_option
@option(
    "Exit status",
    "--fail-on",
    type=Choice(["error", "warning", "info", "never"]),
    metavar="SEVERITY",
    help="Lowest severity that fails the run. [default: error]",
)
@option(
    "Exit status", "--exit-zero", is_flag=True, help="Exit 0 even if there are findings; errors still exit 2."
)
@fix_options
@option("Configuration", "--show-settings", is_flag=True, help="Print the effective settings and exit.")
def command(**options: Any) -> int:
    """Check the skills in PATHS and report what is wrong.

    A path inside a skill selects that skill; any other directory selects all skills below it, and the
    manifests of packages. The default is the current directory; `-` reads one file from standard input.
    """
    from skilltool.cli.lint_actions import perform
    from skilltool.cli.lint_request import request_of

    return perform(request_of(options)).show()
