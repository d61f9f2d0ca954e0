"""`skilltool lint`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from skilltool.cli.options import Choice, color_option, use_color
from skilltool.cli.output import note, write
from skilltool.report import FORMATS

if TYPE_CHECKING:
    from skilltool.config import Config
    from skilltool.lint import Run
    from skilltool.settings import Settings

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
@click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path))
@click.option(
    "--runtime",
    "runtimes",
    multiple=True,
    metavar="ID",
    help="A target, or all; repeatable. Default: portable.",
)
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
    from skilltool import lint, report, settings

    found = _configuration(paths, config, isolated)
    chosen = settings.resolve(found, {key.replace("_", "-"): value for key, value in options.items()})
    if show_settings:
        write(_described(chosen))
        return 0
    result = lint.run(paths or (Path(),), chosen)
    write(report.render(result.report, chosen.output_format, use_color(color)))
    for problem in result.problems:
        note(problem)
    return _status(result, chosen)


def _configuration(paths: tuple[Path, ...], named: Path | None, isolated: bool) -> Config:
    """Return the configuration of a run: of the named file, of none, or of the nearest file."""
    from skilltool import config

    if named and isolated:
        raise click.UsageError("--isolated and --config cannot be used together")
    if isolated:
        return config.Config()
    return config.load(named) if named else config.find(_common(paths))


def _common(paths: tuple[Path, ...]) -> Path:
    """Return the directory in which the search for a configuration file begins."""
    if not paths:
        return Path()
    try:
        common = Path(os.path.commonpath([os.path.abspath(path) for path in paths]))
        return common if common.is_dir() else common.parent
    except (OSError, ValueError):  # a path that must not be looked at; paths on different drives
        return Path()


def _status(result: Run, chosen: Settings) -> int:
    """Return the exit status of a run, and say if there was nothing to check."""
    if result.problems:
        return 2
    if not result.report.skills:
        note("no skill to check; that is allowed here")
    worst = result.report.worst
    return int(worst is not None and chosen.fail_on is not None and worst >= chosen.fail_on)


def _described(chosen: Settings) -> str:
    """Return settings as the TOML of a configuration file, with the file they came from."""
    from skilltool.report.printable import printable

    values: dict[str, str | bool | Sequence[str]] = {
        "runtimes": chosen.runtimes,
        "select": chosen.rules,
        "exclude": chosen.exclude,
        "force-exclude": chosen.force_exclude,
        "respect-gitignore": chosen.respect_gitignore,
        "allow-empty": chosen.allow_empty,
        "fail-on": str(chosen.fail_on) if chosen.fail_on else "never",
        "output-format": chosen.output_format,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    where = printable(str(chosen.config or "none"))
    return "\n".join([f"# configuration: {where}", *lines]) + "\n"


def _toml(value: str | bool | Sequence[str]) -> str:
    """Return a value as TOML, every character that is not plain as an escape."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return '"' + "".join(map(_toml_character, value)) + '"'
    if len(value) < 3:
        return f"[{', '.join(map(_toml, value))}]"
    return "\n".join(["[", *(f"    {_toml(entry)}," for entry in value), "]"])


def _toml_character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"
