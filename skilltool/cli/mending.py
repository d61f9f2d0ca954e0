"""What `lint --fix` and `lint --diff` do and say."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli.output import note, write, write_file, write_shown

if TYPE_CHECKING:
    from skilltool.mend import Outcome
    from skilltool.settings import Settings

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


def put_diff(paths: tuple[Path, ...], chosen: Settings, unsafe: bool, file: Path | None) -> int:
    """Print the diff of all fixes, or write it to a file; return 1 if there is any, 2 if some failed."""
    from skilltool import mend
    from skilltool.cli import progress

    with progress.shown("mending") as bar:
        outcome = mend.plan(paths, chosen, unsafe, bar)
    diff = mend.diff(outcome)
    if file is not None:
        write_file(file, diff.encode("utf-8", "surrogatepass"))
    else:  # On a terminal nothing of a skill moves the cursor; in a pipe `git apply` needs the exact text.
        (write_shown if sys.stdout.isatty() else write)(diff)
    _say_refused(outcome)
    for problem in outcome.problems:
        note(problem)
    return 2 if outcome.problems else int(any(change.changes for change in outcome.changes))


def mended(
    paths: tuple[Path, ...], chosen: Settings, unsafe: bool, show: bool
) -> tuple[tuple[Path, ...], Outcome]:
    """Apply the fixes and say so; return the paths, a renamed one by its new name, and what was done."""
    from skilltool import mend
    from skilltool.cli import progress
    from skilltool.report.base import counted

    with progress.shown("mending") as bar:
        planned = mend.plan(paths, chosen, unsafe, bar)
    _say_refused(planned)
    done = mend.apply(planned)
    for problem in done.problems:
        note(problem)
    changed = [change for change in done.changes if change.changes]
    if show:
        for change in changed:
            rules = ", ".join(f"{rule} ({number})" for rule, number in sorted(change.applied.items()))
            note(f"fixed {change.path}: {rules}")
    if changed:
        note(f"fixed {counted(done.count, 'finding')} in {counted(len(changed), 'file')}")
    return tuple(mend.after_renames(paths, done)), done


def _say_refused(outcome: Outcome) -> None:
    for change in outcome.changes:
        for rule, why in change.refused.items():
            note(f"{change.path}: left as it is by the fix of `{rule}`: {why}")
