"""The `--fix` and `--diff` of `lint`: apply fixes or print them, and report what was done."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from skilltool.cli.color import use_color
from skilltool.cli.help import option
from skilltool.cli.highlight import painted_diff
from skilltool.cli.output import NOTHING, inform, note, write, write_escaped, write_file

if TYPE_CHECKING:
    from skilltool.fix.planned_edits import FixOutcome
    from skilltool.lint.settings import Settings

_OPTIONS = (
    option("Fixes", "--fix", is_flag=True, help="Apply safe fixes, then report the remaining findings."),
    option(
        "Fixes",
        "--unsafe-fixes",
        is_flag=True,
        help="With --fix or --diff: include fixes that change the name or the text of a skill.",
    ),
    option("Fixes", "--diff", "as_diff", is_flag=True, help="Print the fixes as a diff; write nothing."),
    option("Fixes", "--show-fixes", is_flag=True, help="With --fix: list the fixes by file and rule."),
    option("Exit status", "--exit-non-zero-on-fix", is_flag=True, help="Exit 1 if anything was fixed."),
)


def fix_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about fixes."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


def check_options(fix: bool, as_diff: bool, statistics: bool, exit_non_zero_on_fix: bool) -> None:
    """Raise a usage error for options about fixes that cannot be honoured together."""
    source = click.get_current_context().get_parameter_source("output_format")
    if as_diff and (fix or statistics or source is ParameterSource.COMMANDLINE):
        raise click.UsageError("--diff cannot be used together with --fix, --output-format or --statistics")
    if exit_non_zero_on_fix and not (fix or as_diff):
        raise click.UsageError("--exit-non-zero-on-fix needs --fix or --diff")


def put_diff(paths: tuple[Path, ...], chosen: Settings, unsafe: bool, file: Path | None) -> int:
    """Print the diff of all fixes, or write it to a file; return 1 if there is any, 2 if some failed."""
    from skilltool.cli import progress
    from skilltool.fix import plan

    with progress.shown("fixing") as bar:
        outcome = plan.plan(paths, chosen, unsafe, bar)
    diff = plan.diff(outcome)
    if file is not None:
        write_file(file, diff.encode("utf-8", "surrogatepass"))
    else:
        _print_diff(diff)
    _say_refused(outcome)
    for problem in (*outcome.unread, *outcome.problems):
        note(problem)
    if not outcome.skills and not outcome.unread:
        inform(NOTHING)
    if any(change.path.startswith("/") for change in outcome.changes):
        inform("paths outside this directory are relative to `/`; run `git apply` there")
    failed = outcome.unread or outcome.problems
    return 2 if failed else int(any(change.changes for change in outcome.changes))


def _print_diff(diff: str) -> None:
    """Print a diff: escaped and in colour for people; in a pipe exactly, since `git apply` needs that."""
    color = use_color(click.get_current_context().params["color"])
    if color or sys.stdout.isatty():
        write_escaped(diff, painted_diff if color else str)
    else:
        write(diff)


def mended(
    paths: tuple[Path, ...], chosen: Settings, unsafe: bool, show: bool
) -> tuple[tuple[Path, ...], FixOutcome]:
    """Apply the fixes and say so; return the paths, a renamed one by its new name, and what was done."""
    from skilltool.cli import progress
    from skilltool.fix import plan
    from skilltool.lint.result import count_of

    with progress.shown("fixing") as bar:
        planned = plan.plan(paths, chosen, unsafe, bar)
    _say_refused(planned)
    done = plan.apply(planned)
    for problem in done.problems:
        note(problem)
    changed = [change for change in done.changes if change.changes]
    if show:
        for change in changed:
            rules = ", ".join(f"{rule} ({number})" for rule, number in sorted(change.applied.items()))
            inform(f"fixed {change.path}: {rules}")
    if changed:
        files = len({change.file for change in changed})
        inform(f"fixed {count_of(done.count, 'finding')} in {count_of(files, 'file')}")
    return tuple(plan.after_renames(paths, done)), done


def _say_refused(outcome: FixOutcome) -> None:
    for change in outcome.changes:
        for rule, why in change.refused.items():
            note(f"{change.path}: fix of `{rule}` not applied: {why}")
