"""`skilltool lint`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli.color import use_color
from skilltool.cli.fixing import check_options, fix_options, mended, put_diff
from skilltool.cli.help import option
from skilltool.cli.lint_options import chosen_settings, lint_options
from skilltool.cli.named_paths import PathsCommand
from skilltool.cli.options import Choice, color_option, output_file_option, quiet_option, use_links
from skilltool.cli.output import NOTHING, inform, note, write, write_file
from skilltool.report import FOR_PEOPLE, FORMATS, Report

if TYPE_CHECKING:
    from skilltool.lint.run import Run
    from skilltool.lint.settings import Settings

_COUNTED = (*FOR_PEOPLE, "json")  # the formats of --statistics
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
     an unreadable path, or no skills found
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
    help="Path of the SKILL.md that is read from standard input when PATHS is `-`.",
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
def command(
    paths: tuple[Path, ...],
    config: Path | None,
    isolated: bool,
    show_settings: bool,
    watch: bool,
    exit_zero: bool,
    statistics: bool,
    color: str,
    fix: bool,
    unsafe_fixes: bool,
    as_diff: bool,
    show_fixes: bool,
    output_file: Path | None,
    stdin_filename: Path | None,
    exit_non_zero_on_fix: bool,
    **options: Any,
) -> int:
    """Check the skills in PATHS and report what is wrong.

    A path inside a skill selects that skill; any other directory selects all skills below it. The default is
    the current directory; `-` reads one SKILL.md from standard input.
    """
    from skilltool import report
    from skilltool.cli import progress
    from skilltool.lint import run

    check_options(fix, as_diff, statistics, exit_non_zero_on_fix)
    from_stdin = paths == (Path("-"),) and (stdin_filename is not None or not os.path.lexists("-"))
    if from_stdin and (stdin_filename is None or fix or as_diff):
        raise click.UsageError(
            "`-` needs --stdin-filename FILE, and cannot be used together with --fix or --diff"
        )
    if stdin_filename is not None and not from_stdin:
        raise click.UsageError("--stdin-filename needs `-` as the only path")
    chosen = chosen_settings((stdin_filename,) if stdin_filename else paths, config, isolated, dict(options))
    if show_settings:
        from skilltool.cli.settings_text import described

        _put(described(chosen), output_file)
        return 0
    paths = paths or (Path(),)
    if watch:
        from skilltool.cli.watching import watch as keep_watching

        if from_stdin or fix or as_diff or output_file is not None:
            raise click.UsageError("--watch cannot be used together with `-`, --fix, --diff or --output-file")
        keep_watching(
            paths,
            lambda: chosen_settings(paths, config, isolated, dict(options)),
            lambda made, now: _text(made, now, statistics, color),
        )
        return 0
    if as_diff:
        status = put_diff(paths, chosen, unsafe_fixes, output_file)
        return 0 if exit_zero and status == 1 else status
    if statistics and chosen.output_format not in _COUNTED:
        raise click.UsageError(
            f"--statistics prints text or JSON, not `{chosen.output_format}`; add --output-format full"
        )
    fixed_any = failed = False
    if fix:
        paths, done = mended(paths, chosen, unsafe_fixes, show_fixes)
        fixed_any, failed = done.count > 0, bool(done.problems)
    if stdin_filename is not None:
        result = run.Run(run.check_text(sys.stdin.buffer.read(), stdin_filename, chosen), ())
    else:
        with progress.shown() as bar:
            result = run.lint_paths(paths, chosen, bar)
    made = result.report._replace(problems=result.problems)
    text = _text(made, chosen, statistics, color if output_file is None else "never")
    said = [*result.problems]
    if output_file is None or made.skills or not made.problems:
        _put(text, output_file)
    else:
        said.append(f"{output_file} was not written: nothing was checked")
    for each in said:
        note(each)
    for each in report.notes(made, chosen.output_format):
        inform(each)
    status = 2 if failed else _status(result, chosen, exit_zero)
    return max(status, int(exit_non_zero_on_fix and fixed_any))


def _put(text: str, file: Path | None) -> None:
    """Write a result to `file`, or to standard output if it is None."""
    if file is None:
        write(text)
    else:
        write_file(file, text.encode("utf-8", "backslashreplace"))


def _text(made: Report, chosen: Settings, statistics: bool, color: str) -> str:
    """Return a report in the chosen format; `color` is the value of `--color`.

    The one place for `--quiet` to drop the summary and the hints of a format: `is_quiet()` says so.
    """
    from skilltool import report

    if statistics:
        from skilltool.report.statistics import tally

        return tally(made, chosen.output_format == "json")
    return report.render(made, chosen.output_format, use_color(color), use_links(color))


def _status(result: Run, chosen: Settings, exit_zero: bool) -> int:
    """Return the exit status of a run; note if there was nothing to check."""
    if result.problems:
        return 2
    if not result.report.skills:
        inform(NOTHING)
    worst = result.report.worst
    return int(not exit_zero and worst is not None and chosen.fail_on is not None and worst >= chosen.fail_on)
