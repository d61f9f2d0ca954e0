"""What `lint --fix` and `lint --diff` do and say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from skilltool.cli.output import NOTHING, note, write, write_file, write_shown

if TYPE_CHECKING:
    from skilltool.fix.planned_edits import FixOutcome
    from skilltool.lint.settings import Settings

_OPTIONS = (
    click.option("--fix", is_flag=True, help="Mend what is safe to mend, then report the rest."),
    click.option(
        "--unsafe-fixes", is_flag=True, help="With --fix or --diff: also what changes a name or a text."
    ),
    click.option("--diff", "as_diff", is_flag=True, help="Print what --fix would change; write nothing."),
    click.option("--show-fixes", is_flag=True, help="List what was mended, by file and rule."),
    click.option("--exit-non-zero-on-fix", is_flag=True, help="Exit 1 if anything was mended."),
)


def mending_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options about fixes."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def check_options(fix: bool, as_diff: bool, statistics: bool, exit_non_zero_on_fix: bool) -> None:
    """Raise a usage error for options about fixes that cannot be honoured together."""
    source = click.get_current_context().get_parameter_source("output_format")
    if as_diff and (fix or statistics or source is ParameterSource.COMMANDLINE):
        raise click.UsageError(
            "--diff only prints a patch: no --fix, --output-format or --statistics with it"
        )
    if exit_non_zero_on_fix and not (fix or as_diff):
        raise click.UsageError("--exit-non-zero-on-fix goes with --fix")


def put_diff(paths: tuple[Path, ...], chosen: Settings, unsafe: bool, file: Path | None) -> int:
    """Print the diff of all fixes, or write it to a file; return 1 if there is any, 2 if some failed."""
    from skilltool.cli import progress
    from skilltool.fix import plan

    with progress.shown("mending") as bar:
        outcome = plan.plan(paths, chosen, unsafe, bar)
    diff = plan.diff(outcome)
    if file is not None:
        write_file(file, diff.encode("utf-8", "surrogatepass"))
    else:  # On a terminal nothing of a skill moves the cursor; in a pipe `git apply` needs the exact text.
        (write_shown if sys.stdout.isatty() else write)(diff)
    _say_refused(outcome)
    for problem in (*outcome.unread, *outcome.problems):
        note(problem)
    if not outcome.skills and not outcome.unread:
        note(NOTHING)
    if any(change.path.startswith("/") for change in outcome.changes):
        note("paths outside of this directory stand from `/`: there `git apply` takes them")
    failed = outcome.unread or outcome.problems
    return 2 if failed else int(any(change.changes for change in outcome.changes))


def mended(
    paths: tuple[Path, ...], chosen: Settings, unsafe: bool, show: bool
) -> tuple[tuple[Path, ...], FixOutcome]:
    """Apply the fixes and say so; return the paths, a renamed one by its new name, and what was done."""
    from skilltool.cli import progress
    from skilltool.fix import plan
    from skilltool.lint.result import count_of

    with progress.shown("mending") as bar:
        planned = plan.plan(paths, chosen, unsafe, bar)
    _say_refused(planned)
    done = plan.apply(planned)
    for problem in done.problems:
        note(problem)
    changed = [change for change in done.changes if change.changes]
    if show:
        for change in changed:
            rules = ", ".join(f"{rule} ({number})" for rule, number in sorted(change.applied.items()))
            note(f"fixed {change.path}: {rules}")
    if changed:
        files = len({change.file for change in changed})
        note(f"fixed {count_of(done.count, 'finding')} in {count_of(files, 'file')}")
    return tuple(plan.after_renames(paths, done)), done


def _say_refused(outcome: FixOutcome) -> None:
    for change in outcome.changes:
        for rule, why in change.refused.items():
            note(f"{change.path}: left as it is by the fix of `{rule}`: {why}")
