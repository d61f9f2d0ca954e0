"""`skilltool lint`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from skilltool.cli.checking import checking_options
from skilltool.cli.fix_options import fixing_options
from skilltool.cli.named_paths import PathsCommand
from skilltool.cli.options import Choice, color_option
from skilltool.report import FORMATS

_EPILOG = """\b
Examples:
  skilltool lint                          every skill below this directory
  skilltool lint skills/pdf               one skill
  skilltool lint --runtime agentskills    against the open specification
  skilltool lint --diff                   what --fix would change
  skilltool lint --watch                  again after every change
  skilltool lint --output-format json . > report.json

Exit status: 0 nothing at or above --fail-on was found; 1 something was;
2 the check could not be made: a wrong option or configuration, an unreadable
path, or no skill at all.
"""


@click.command("lint", cls=PathsCommand, epilog=_EPILOG)
@checking_options
@fixing_options
@click.option(
    "--fail-on", type=Choice(["error", "warning", "info", "never"]), help="Mildest severity for exit 1."
)
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever is found; 2 stays 2.")
@click.option(
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Report only what this file of `skilltool baseline` has not.",
)
@click.option("--statistics", is_flag=True, help="Print how often each rule found something, nothing else.")
@click.option(
    "--output-format",
    type=Choice(FORMATS),
    envvar="SKILLTOOL_OUTPUT_FORMAT",
    help="How to print findings; default full. Also from SKILLTOOL_OUTPUT_FORMAT.",
)
@click.option(
    "-o",
    "--output-file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write there what would be printed.",
)
@click.option(
    "--stdin-filename",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="With the path `-`: the text on standard input is this SKILL.md.",
)
@click.option("--watch", is_flag=True, help="Check again whenever something changes, until Ctrl-C.")
@click.option("--show-settings", is_flag=True, help="Print the settings of this run, and do nothing else.")
@color_option
def command(**options: Any) -> int:
    """Check the skills in PATHS (default: this directory) and report what is wrong.

    A path inside a skill stands for that skill, any other directory for all skills below it.
    """
    from skilltool.cli.lint_actions import perform
    from skilltool.cli.lint_request import request_of

    return perform(request_of(options)).show()
