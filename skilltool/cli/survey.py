"""`skilltool survey`."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli.help import Command, option
from skilltool.cli.options import (
    Choice,
    ignore_option,
    quiet_option,
    runtimes_option,
    select_option,
    time_limit_option,
)
from skilltool.cli.output import inform, note, write_summary
from skilltool.errors import PathError, SkilltoolError

if TYPE_CHECKING:
    from skilltool.registry.run import Counts, Plan
    from skilltool.registry.workers import Workers

_NEEDED = ("pyarrow", "rensa")
_EPILOG = """\b
Examples:
  skilltool survey skills/ --out tables         the skills under a directory
  skilltool survey skills.parquet --out tables  a table of files
  skilltool survey a.zip b.tar.gz --out tables --report report.html
  skilltool survey skills.parquet --out tables --executor dask

To check only new skills, or to continue after an interruption, run the same
command again.

\b
Exit status:
  0  the tables are complete, with or without findings
  2  the tables are incomplete, or a source cannot be read
"""


@click.command("survey", cls=Command, epilog=_EPILOG)
@click.argument("sources", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="SOURCE...")
@option(
    "Tables",
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    metavar="DIR",
    help="Write the tables here, reusing results from earlier runs.",
)
@option(
    "Tables",
    "--earlier",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Also reuse results from the tables in this directory (read-only).",
)
@option(
    "Tables",
    "--report",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write a self-contained HTML file with plots of the tables.",
)
@runtimes_option(
    "Report findings for these runtimes or groups (comma-separated). Verdicts cover all runtimes. "
    "[default: portable]"
)
@select_option
@ignore_option
@option(
    "Processes",
    "--executor",
    type=Choice(["local", "dask"]),
    default="local",
    show_default=True,
    metavar="NAME",
    help="Check skills in `local` processes or on the workers of a `dask` cluster.",
)
@option(
    "Processes",
    "--scheduler",
    metavar="ADDRESS",
    help="Address of a Dask scheduler; without it, `--executor dask` starts a cluster on this machine.",
)
@option(
    "Processes",
    "-j",
    "--jobs",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Number of processes on this machine; 0 means one per CPU. [default: 0]",
)
@option(
    "Processes",
    "--shard",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    metavar="N",
    help="Number of skills sent to a worker at a time, and of rows in each partition of the `skills` table.",
)
@time_limit_option
@quiet_option
def command(sources: tuple[Path, ...], **options: Any) -> int:
    """Check all skills in SOURCE and write tables of skills, findings, verdicts and copies.

    SOURCE is a directory, an archive (zip or tar), or a table of files with the columns skill_id, path and
    bytes (.parquet, .jsonl). Each skill is checked separately, in an otherwise empty directory.
    """
    if options["scheduler"] is not None and options["executor"] != "dask":
        raise click.UsageError("--scheduler needs --executor dask")
    _require(options["executor"])
    return _survey(sources, options)


def _require(executor: str) -> None:
    """Raise `SkilltoolError` where a package is not installed that only this command needs."""
    needed = (*_NEEDED, *(("distributed",) if executor == "dask" else ()))
    missing = next((name for name in needed if find_spec(name) is None), None)
    if missing is not None:
        extra = "dask" if missing == "distributed" else "registry"
        raise SkilltoolError(f"survey needs {missing}; install it with: pip install 'skilltool[{extra}]'")


def _survey(named: tuple[Path, ...], options: Mapping[str, Any]) -> int:
    from skilltool.cli import progress
    from skilltool.cli.signals import ended_by_sigterm
    from skilltool.registry.run import survey
    from skilltool.registry.tables import lines

    plan = _plan(named, options)
    try:
        with ended_by_sigterm(), progress.rate_shown() as bar:
            counts = survey(plan, lambda: _workers(options), bar)
    except KeyboardInterrupt:
        note(f"interrupted; {plan.out} is incomplete, run the command again to resume")
        raise
    write_summary([*_totals(counts), "", *lines(plan.out)])
    if options["report"] is not None:
        from skilltool.registry.report import write_report

        try:
            write_report(plan.out, options["report"])
        except OSError as error:  # of the file beside it, which becomes the report
            raise PathError(f"{options['report']}: {error.strerror}") from None
        inform(f"wrote {options['report']}")
    for sentence in (*counts.notes, *counts.problems):
        note(sentence)
    return 2 if counts.problems else 0


def _plan(named: tuple[Path, ...], options: Mapping[str, Any]) -> Plan:
    from skilltool.lint import settings
    from skilltool.lint.config import Config
    from skilltool.registry.run import Plan
    from skilltool.registry.sources import open_sources

    given = {key: options[key] for key in ("select", "ignore")}
    given["runtimes"] = options["runtimes"] or ("portable",)
    if settings.AUTO in given["runtimes"]:
        raise click.UsageError(
            "--runtime auto needs to know the skill's directory, which a survey does not know"
        )
    resolved = settings.resolve(Config(), given)
    return Plan(
        open_sources(named),
        tuple(map(str, named)),
        options["out"],
        resolved,
        shard=options["shard"],
        earlier=options["earlier"],
    )


def _workers(options: Mapping[str, Any]) -> Workers:
    if options["executor"] == "dask":
        from skilltool.registry.dask_workers import DaskWorkers

        return DaskWorkers(options["scheduler"], options["jobs"])
    from skilltool.registry.workers import LocalWorkers

    return LocalWorkers(options["jobs"])


def _totals(counts: Counts) -> list[str]:
    statuses = ", ".join(f"{number:,} {name}" for name, number in sorted(counts.statuses.items()))
    carried = f" ({counts.carried:,} reused)" if counts.carried else ""
    return [f"{counts.skills:,} skill{'' if counts.skills == 1 else 's'}: {statuses or 'none'}{carried}"]
