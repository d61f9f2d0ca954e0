"""`skilltool baseline`."""

from __future__ import annotations

from pathlib import Path
from shlex import join
from typing import Any

import click

from skilltool.cli.help import option
from skilltool.cli.lint import PathsCommand, chosen_settings, lint_options
from skilltool.cli.options import quiet_option
from skilltool.cli.output import note, write_summary

_FILE = "skilltool-baseline.json"
_EPILOG = f"""\b
Examples:
  skilltool baseline                      accept all current findings
  skilltool baseline skills -o base.json  accept the findings under `skills`
  skilltool lint --baseline {_FILE}

A finding stays accepted when it moves to a different line. To use the file in every run, add
`baseline = "{_FILE}"` to the configuration.
"""


@click.command("baseline", cls=PathsCommand, epilog=_EPILOG)
@lint_options
@option(
    "Output",
    "-o",
    "--output-file",
    type=click.Path(path_type=Path),
    default=_FILE,
    show_default=True,
    metavar="FILE",
    help="The file to write.",
)
@quiet_option
def command(output_file: Path, **options: Any) -> int:
    """Accept the current findings of the skills in PATHS by writing them to a file for `lint --baseline`."""
    from skilltool.cli import progress
    from skilltool.errors import PathError
    from skilltool.lint import baseline, given_up
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
    left_out = [each for each in report.diagnostics if given_up.is_given_up(each)]
    for diagnostic in left_out:
        way_out = f": {diagnostic.help}" if diagnostic.help else ""
        note(f"{diagnostic.path}: {diagnostic.message}; this cannot be accepted{way_out}")
    found = count_of(len(report.diagnostics) - len(left_out), "finding")
    command = join(["skilltool", "lint", "--baseline", str(output_file)])
    write_summary([f"{output_file}: {found} accepted; `{command}` reports only new ones"])
    return 2 if any(map(given_up.is_internal, left_out)) else int(bool(left_out))
