"""`skilltool lint`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli.checking import checking_options, chosen_settings
from skilltool.cli.fixing import check_options, mended, mending_options, put_diff
from skilltool.cli.named_paths import PathsCommand
from skilltool.cli.options import Choice, color_option, use_color, use_links
from skilltool.cli.output import NOTHING, note, write, write_file
from skilltool.report import FOR_PEOPLE, FORMATS, Report

if TYPE_CHECKING:
    from skilltool.lint.run import Run
    from skilltool.lint.settings import Settings

_COUNTED = (*FOR_PEOPLE, "json")  # the formats of --statistics
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
@mending_options
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
    """Check the skills in PATHS (default: this directory) and report what is wrong.

    A path inside a skill stands for that skill, any other directory for all skills below it.
    """
    from skilltool import report
    from skilltool.cli import progress
    from skilltool.lint import run

    check_options(fix, as_diff, statistics, exit_non_zero_on_fix)
    from_stdin = paths == (Path("-"),) and (stdin_filename is not None or not os.path.lexists("-"))
    if from_stdin and (stdin_filename is None or fix or as_diff):
        raise click.UsageError("`-` needs --stdin-filename FILE, and takes neither --fix nor --diff")
    if stdin_filename is not None and not from_stdin:
        raise click.UsageError("--stdin-filename goes with the one path `-`")
    chosen = chosen_settings((stdin_filename,) if stdin_filename else paths, config, isolated, dict(options))
    if show_settings:
        from skilltool.cli.settings_text import described

        _put(described(chosen), output_file)
        return 0
    paths = paths or (Path(),)
    if watch:
        from skilltool.cli.watching import watch as keep_watching

        if from_stdin or fix or as_diff or output_file is not None:
            raise click.UsageError("--watch only looks: it takes neither `-` nor --fix, --diff or -o")
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
    text = _text(made, chosen, statistics, color, output_file)
    said = [*result.problems]
    if output_file is None or made.skills or not made.problems:
        _put(text, output_file)
    else:
        said.append(f"{output_file}: left as it was, since nothing was checked")
    for each in (*said, *report.notes(made, chosen.output_format)):
        note(each)
    status = 2 if failed else _status(result, chosen, exit_zero)
    return max(status, int(exit_non_zero_on_fix and fixed_any))


def _put(text: str, file: Path | None) -> None:
    """Write a result to a file, or to standard output where there is none."""
    if file is None:
        write(text)
    else:
        write_file(file, text.encode("utf-8", "backslashreplace"))


def _text(made: Report, chosen: Settings, statistics: bool, color: str, file: Path | None = None) -> str:
    """Return what is printed of a report, or written to a file; `color` is the option's value."""
    from skilltool import report

    if file is None:
        style = report.Style(use_color(color), use_links(color), report.terminal_width())
    else:
        style = report.PLAIN
    if statistics:
        from skilltool.report.statistics import tally

        return tally(made, chosen.output_format == "json", style)
    return report.render(made, chosen.output_format, style)


def _status(result: Run, chosen: Settings, exit_zero: bool) -> int:
    """Return the exit status of a run, and say if there was nothing to check."""
    if result.problems:
        return 2
    if not result.report.skills:
        note(NOTHING)
    worst = result.report.worst
    return int(not exit_zero and worst is not None and chosen.fail_on is not None and worst >= chosen.fail_on)
