"""`skilltool lint`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from skilltool.cli.options import Choice, color_option, use_color
from skilltool.report import FORMATS

_EPILOG = """\b
Examples:
  skilltool lint                          every skill below this directory
  skilltool lint skills/pdf               one skill
  skilltool lint --runtime agentskills    against the open specification
  skilltool lint --output-format json . > report.json

Exit status: 0 nothing at or above --fail-on was found; 1 something was;
2 the check could not be made: a wrong option or configuration, an unreadable
path, or no skill at all.
"""


@click.command("lint", epilog=_EPILOG)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--runtime", "runtimes", multiple=True, metavar="ID", help="A target to check for; repeatable.")
@click.option("--select", multiple=True, metavar="RULE", help="Run only these rules or groups; repeatable.")
@click.option("--extend-select", multiple=True, metavar="RULE", help="Also run these rules or groups.")
@click.option("--ignore", multiple=True, metavar="RULE", help="Do not run these rules or groups.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Pass over what matches, as in .gitignore.")
@click.option("--force-exclude/--no-force-exclude", default=None, help="Exclude paths named here, too.")
@click.option(
    "--respect-gitignore/--no-respect-gitignore", default=None, help="Pass over what .gitignore ignores."
)
@click.option("--allow-empty", is_flag=True, default=None, help="Finding no skill at all is no error.")
@click.option(
    "--fail-on", type=Choice(["error", "warning", "info", "never"]), help="Mildest severity for exit 1."
)
@click.option("--output-format", type=Choice(FORMATS), help="How to print findings; default full.")
@click.option(
    "--config", type=click.Path(path_type=Path), metavar="FILE", help="Use this configuration file."
)
@click.option("--isolated", is_flag=True, help="Use no configuration file.")
@click.option("--show-settings", is_flag=True, help="Print the settings of this run, and do nothing else.")
@color_option
def command(
    paths: tuple[Path, ...],
    config: Path | None,
    isolated: bool,
    show_settings: bool,
    color: str,
    **options: Any,
) -> int:
    """Check the skills in PATHS (default: this directory) and report what is wrong.

    A path inside a skill stands for that skill, any other directory for all skills below it.
    """
    from skilltool import config as configs
    from skilltool import lint, report, settings

    if isolated and config:
        raise click.UsageError("--isolated and --config cannot be used together")
    found = configs.Config()
    if not isolated:
        found = configs.load(config) if config else configs.find(_common(paths))
    chosen = settings.resolve(found, {key.replace("_", "-"): value for key, value in options.items()})
    if show_settings:
        click.echo(_described(chosen))
        return 0
    result = lint.run(paths or (Path(),), chosen)
    text = report.render(result.report, chosen.output_format, use_color(color))
    click.echo(text, nl=False, color=True)
    return _status(result, chosen)


def _common(paths: tuple[Path, ...]) -> Path:
    """Return the directory in which the search for a configuration file begins."""
    if not paths:
        return Path()
    common = Path(os.path.commonpath([os.path.abspath(path) for path in paths]))
    return common if common.is_dir() else common.parent


def _status(result: Any, chosen: Any) -> int:
    """Print what could not be checked and return the exit status."""
    from skilltool.report.printable import printable

    for problem in result.problems:
        click.echo(f"skilltool: {printable(problem)}", err=True)
    if result.problems:
        return 2
    if not result.report.skills:
        click.echo("skilltool: no skill to check", err=True)
    worst = result.report.worst
    return int(worst is not None and chosen.fail_on is not None and worst >= chosen.fail_on)


def _described(chosen: Any) -> str:
    """Return settings as the TOML of a configuration file, with the file they came from."""
    import json

    values = {
        "runtimes": list(chosen.runtimes),
        "select": list(chosen.rules),
        "exclude": list(chosen.exclude),
        "force-exclude": chosen.force_exclude,
        "respect-gitignore": chosen.respect_gitignore,
        "allow-empty": chosen.allow_empty,
        "fail-on": str(chosen.fail_on) if chosen.fail_on else "never",
        "output-format": chosen.output_format,
    }
    lines = [f"{key} = {json.dumps(value)}" for key, value in values.items()]
    return "\n".join([f"# configuration: {chosen.config or 'none'}", *lines])
