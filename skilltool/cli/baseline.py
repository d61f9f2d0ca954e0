"""`skilltool baseline`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from skilltool.cli.checking import checking_options, chosen_settings
from skilltool.cli.named_paths import PathsCommand
from skilltool.cli.output import note, write

_FILE = "skilltool-baseline.json"
_EPILOG = f"""\b
Examples:
  skilltool baseline                      accept today's findings below this directory
  skilltool baseline skills -o base.json  of one directory, in a file of that name
  skilltool lint --baseline {_FILE}

An entry is a hash of rule, skill and text, without line numbers. To set the file for every run,
put `baseline = "{_FILE}"` into the configuration.
"""


@click.command("baseline", cls=PathsCommand, epilog=_EPILOG)
@checking_options
@click.option(
    "-o",
    "--output-file",
    type=click.Path(path_type=Path),
    default=_FILE,
    show_default=True,
    metavar="FILE",
    help="Where to write.",
)
def command(output_file: Path, **options: Any) -> int:
    """Accept the findings of today: write them to a file with which `lint` reports only new ones."""
    from skilltool.cli import progress
    from skilltool.errors import PathError
    from skilltool.lint import baseline
    from skilltool.lint.result import count_of
    from skilltool.lint.run import check_skills

    chosen = chosen_settings(options)._replace(baseline=None)
    with progress.shown() as bar:
        report = check_skills(chosen, bar)
    for problem in report.problems:
        note(problem)
    if report.problems:
        return 2
    try:
        baseline.write(output_file, report.diagnostics)
    except OSError as error:
        raise PathError(f"{output_file}: {error.strerror}") from None
    found = count_of(len(report.diagnostics), "finding")
    write(f"{output_file}: {found} accepted; `skilltool lint --baseline {output_file}` reports new ones\n")
    return 0
