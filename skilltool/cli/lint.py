"""`skilltool lint`: its options, a check, `--fix`, `--diff`, `--watch` and `--show-settings`.

`baseline` shares PATHS and the options that choose skills and rules.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from skilltool.cli.color import painted_diff, use_color
from skilltool.cli.help import Command, option
from skilltool.cli.options import (
    Choice,
    cache_dir_option,
    cache_directory,
    color_option,
    extend_select_option,
    ignore_option,
    is_quiet,
    output_file_option,
    quiet_option,
    raw_option,
    runtimes_option,
    select_option,
    time_limit_option,
    use_links,
)
from skilltool.cli.output import exact, exact_or_escaped, inform, note, write, write_file
from skilltool.errors import PathError
from skilltool.findings.finding import Severity
from skilltool.report import FOR_PEOPLE, FORMATS
from skilltool.text.printable import SafeText, safe_text

if TYPE_CHECKING:
    from skilltool.bounds.pool import WorkerPool
    from skilltool.fix.edits import FixOutcome
    from skilltool.lint.config import Config
    from skilltool.lint.result import Report
    from skilltool.lint.settings import Settings

_NOTHING = "no skills found; nothing was checked"
_COUNTED = (*FOR_PEOPLE, "json")  # the formats of --statistics

_OPTIONS = (
    click.argument("paths", nargs=-1, type=click.Path(readable=False, path_type=Path)),
    runtimes_option(
        "Check for these runtimes or groups (comma-separated); "
        "`auto` chooses by each skill's directory. [default: auto]"
    ),
    select_option,
    extend_select_option,
    ignore_option,
    option(
        "Files",
        "--exclude",
        multiple=True,
        metavar="PATTERN",
        help="Exclude files matching this gitignore pattern; may be repeated.",
    ),
    option(
        "Files",
        "--force-exclude/--no-force-exclude",
        default=None,
        help="Apply exclusions to files named on the command line, too. [default: off]",
    ),
    option(
        "Files",
        "--respect-gitignore/--no-respect-gitignore",
        default=None,
        help="Exclude files that git ignores. [default: on]",
    ),
    option(
        "Files", "--allow-empty", is_flag=True, default=None, help="Do not fail when no skills are found."
    ),
    option(
        "Configuration",
        "--config",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Use this configuration file instead of the nearest one.",
    ),
    option("Configuration", "--isolated", is_flag=True, help="Ignore all configuration files."),
    option("Cache and processes", "--no-cache", is_flag=True, help="Do not read or write the cache."),
    cache_dir_option,
    option(
        "Cache and processes",
        "-j",
        "--jobs",
        type=click.IntRange(min=0),
        metavar="N",
        help="Number of processes; 0 picks a suitable number. [default: 0]",
    ),
    time_limit_option,
)


def lint_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the argument PATHS and the options that choose skills, runtimes and rules."""
    for add in reversed(_OPTIONS):
        function = add(function)
    return function


def chosen_settings(options: Mapping[str, Any]) -> Settings:
    """Return the settings of a run: its configuration file, overridden by the values of its options."""
    from skilltool.lint import settings

    given = {key.replace("_", "-"): value for key, value in options.items()}
    given["looks-up"] = not options["paths"]
    given["cache"] = None if options["no_cache"] else cache_directory(options["cache_dir"])
    return settings.resolve(_configuration(options), given)


def _configuration(options: Mapping[str, Any]) -> Config:
    """Load the file named by `--config`, nothing with `--isolated`, else the nearest file above the paths."""
    from skilltool.lint import config

    named: Path | None = options["config"]
    if named and options["isolated"]:
        raise click.UsageError("--isolated and --config cannot be used together")
    if options["isolated"]:
        return config.Config()
    return config.load(named) if named else config.find(_common_directory(options["paths"]))


def _common_directory(paths: tuple[Path, ...]) -> Path:
    """Return the innermost directory that holds all `paths`: the search for a configuration starts there."""
    if not paths:
        return Path()
    try:
        common = Path(os.path.commonpath([os.path.abspath(path) for path in paths]))
        return common if common.is_dir() else common.parent
    except (OSError, ValueError):  # a path that cannot be accessed; paths on different drives
        return Path()


class PathsCommand(Command):
    """A command that refuses to run if an option is also the name of a file.

    pre-commit and shells append names to the options with nothing in between, and a file in somebody
    else's repository may be called `--exit-zero`. After `--` every argument is a path.
    """

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse arguments as click does; raises `UsageError` for an option that is also a file."""
        if not ctx.resilient_parsing:
            options = args[: args.index("--")] if "--" in args else args
            for name in options:
                if name.startswith("-") and name != "-" and os.path.lexists(name):
                    raise click.UsageError(
                        f"`{name}` is both an option and a file in this directory. "
                        f"If you mean the file, write `./{name}` or put `--` before the paths; "
                        "if you mean the option, rename or exclude the file.",
                        ctx,
                    )
        return super().parse_args(ctx, args)


_EPILOG = """\b
Examples:
  skilltool lint                        check the skills under this directory
  skilltool lint skills/pdf             check one skill
  skilltool lint --runtime agentskills  check against the open specification
  skilltool lint --select safety,body   run the rules in two groups
  skilltool lint --diff                 show what --fix would change
  skilltool lint --output-format json -o report.json

\b
Exit status:
  0  no finding reaches --fail-on
  1  at least one finding does
  2  the check could not run: an invalid option or
     configuration, an unreadable path, no skills found,
     or an internal error
"""


@click.command("lint", cls=PathsCommand, epilog=_EPILOG)
@lint_options
@option(
    "Rules",
    "--baseline",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Report only findings not in this `skilltool baseline` file.",
)
@option(
    "Files",
    "--stdin-filename",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="File name to use for the text on standard input if PATHS is `-`.",
)
@option(
    "Output",
    "--output-format",
    type=Choice(FORMATS),
    envvar="SKILLTOOL_OUTPUT_FORMAT",
    metavar="FORMAT",
    help="Report format. [default: full]",
)
@output_file_option
@option(
    "Output",
    "--statistics",
    is_flag=True,
    help="Print the number of findings per rule instead of the findings.",
)
@option(
    "Output",
    "--notes",
    is_flag=True,
    help="Show each note (severity `info`) instead of a count. Implied by --fail-on info.",
)
@option(
    "Output",
    "--no-limit",
    is_flag=True,
    help="Show all findings for each skill; by default, about 30 lines are shown for each.",
)
@quiet_option
@option("Output", "--watch", is_flag=True, help="Check again whenever a file changes, until Ctrl-C.")
@color_option
@raw_option
@option(
    "Exit status",
    "--fail-on",
    type=Choice(["error", "warning", "info", "never"]),
    metavar="SEVERITY",
    help="Lowest severity that fails the run. [default: error]",
)
@option(
    "Exit status",
    "--exit-zero",
    is_flag=True,
    help="Exit 0 even if there are findings. Usage and internal errors still exit 2.",
)
@option("Fixes", "--fix", is_flag=True, help="Apply safe fixes, then report the remaining findings.")
@option(
    "Fixes",
    "--unsafe-fixes",
    is_flag=True,
    help="With --fix or --diff: include fixes that change a skill's name or text.",
)
@option("Fixes", "--diff", "as_diff", is_flag=True, help="Print the fixes as a diff; write nothing.")
@option("Fixes", "--show-fixes", is_flag=True, help="With --fix: list the fixes by file and rule.")
@option("Exit status", "--exit-non-zero-on-fix", is_flag=True, help="Exit 1 if anything was fixed.")
@option("Configuration", "--show-settings", is_flag=True, help="Print the effective settings and exit.")
def command(**options: Any) -> int:
    """Check the skills in PATHS and report what is wrong.

    A path inside a skill selects that skill. Any other directory selects all skills and package manifests
    under it. The default is the current directory; `-` reads one file from standard input.
    """
    return _lint_or_fix(_request_of(options)).show()


class _Request:
    """The options of one call, checked against each other; `options` are the raw values by parameter."""

    def __init__(self, settings: Settings, options: Mapping[str, Any]) -> None:
        """Take the settings that the options give."""
        self.settings = settings
        self.options = options

    def __getitem__(self, name: str) -> Any:
        """Return the value of an option by the name of its parameter (`output_file`)."""
        return self.options[name]

    def again(self) -> _Request:
        """Return the request with the settings as they are configured now."""
        return self.with_settings(chosen_settings(self.options))

    def with_settings(self, settings: Settings) -> _Request:
        """Return a request of the same options for a run with other settings."""
        return _Request(settings, self.options)

    def text(self, found: Report) -> SafeText:
        """Return what is printed of a report, or written to a file."""
        from skilltool import report

        style = report.PLAIN
        if self["output_file"] is None:
            color = self["color"]
            style = report.Style(use_color(color), use_links(color), report.terminal_width())
        notes = self["notes"] or self.settings.fail_on is Severity.INFO
        style = style._replace(quiet=is_quiet(), notes=notes, limit=not self["no_limit"])
        if self["statistics"]:
            from skilltool.report.finding_lines import tally

            return tally(found, self.settings.output_format == "json", style)
        return report.render(found, self.settings.output_format, style)


class _Outcome(NamedTuple):
    """The text of a result, where it goes (standard output where `file` is None), and the exit status.

    `text` is None where nothing is written, and bytes where they must be exact. `notes` are errors and
    warnings, `hints` what `--quiet` drops.
    """

    text: SafeText | bytes | None
    status: int
    notes: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    file: Path | None = None

    def show(self) -> int:
        """Print the answer, notes on standard error, and return the exit status."""
        if self.text is not None and self.file is None:
            write(self.text)
        elif self.text is not None and self.file is not None:
            raw = self.text if isinstance(self.text, bytes) else self.text.encode("utf-8", "backslashreplace")
            write_file(self.file, raw)
        for line in self.notes:
            note(line)
        for line in self.hints:
            inform(line)
        return self.status


def _request_of(options: dict[str, Any]) -> _Request:
    """Return the request of these options; raises `UsageError` for options that exclude each other."""
    from_stdin = options["paths"] == (Path("-"),)
    if options["stdin_filename"] is not None and not from_stdin:
        raise click.UsageError("--stdin-filename needs `-` as the only path")
    if from_stdin and (options["stdin_filename"] is not None or not os.path.lexists("-")):
        if options["stdin_filename"] is None or options["fix"] or options["as_diff"]:
            raise click.UsageError(
                "`-` needs --stdin-filename FILE, and cannot be used together with --fix or --diff"
            )
        options["paths"] = (options["stdin_filename"],)
    _check_fix_options(options)
    if options["watch"] and any(options[key] for key in ("stdin_filename", "fix", "as_diff", "output_file")):
        raise click.UsageError("--watch cannot be used together with `-`, --fix, --diff or --output-file")
    request = _Request(chosen_settings(options), options)
    form = request.settings.output_format
    if options["statistics"] and not options["as_diff"] and form not in _COUNTED:
        raise click.UsageError(f"--statistics prints text or JSON, not `{form}`; add --output-format full")
    return request


def _check_fix_options(options: Mapping[str, Any]) -> None:
    source = click.get_current_context().get_parameter_source("output_format")
    if options["as_diff"] and (
        options["fix"] or options["statistics"] or source is ParameterSource.COMMANDLINE
    ):
        raise click.UsageError("--diff cannot be used together with --fix, --output-format or --statistics")
    if options["raw"] and not options["as_diff"]:
        raise click.UsageError("--raw needs --diff")
    if options["exit_non_zero_on_fix"] and not (options["fix"] or options["as_diff"]):
        raise click.UsageError("--exit-non-zero-on-fix needs --fix or --diff")


def _lint_or_fix(request: _Request) -> _Outcome:
    """Do what is asked for: print the settings, watch, print a diff, or check, after fixes if wanted."""
    if request["show_settings"]:
        return _Outcome(_settings_as_toml(request.settings), 0, file=request["output_file"])
    if request["watch"]:
        _watch(request)
        return _Outcome(None, 0)
    if request["as_diff"]:
        return _make_diff(request)
    if request["fix"]:
        return _fix_then_check(request)
    return _check(request)


def _check(request: _Request, pool: WorkerPool | None = None) -> _Outcome:
    """Check the skills, or the text on standard input, and report; `pool` has what is left of the budgets."""
    from skilltool import report
    from skilltool.cli import progress

    settings = request.settings
    if request["stdin_filename"] is not None:
        from skilltool.lint.check_alone import check_text

        found = check_text(_standard_input(), request["stdin_filename"], settings)
    else:
        from skilltool.lint.run import check_skills

        with progress.shown() as bar:
            found = check_skills(settings, bar, pool)
    notes, file = [*found.problems], request["output_file"]
    text: SafeText | None = request.text(found)
    if file is not None and found.problems and not found.skills:
        text = None
        notes.append(f"{file} was not written: nothing was checked")
    hints = [*found.hints, *report.notes(found, settings.output_format)]
    if not found.problems and not found.skills:
        hints.append(_NOTHING)
    return _Outcome(text, _exit_status(found, request), tuple(notes), tuple(hints), file)


def _standard_input() -> bytes:
    """Return what is on standard input, which may have no end: at most a byte more than a skill may have.

    Raises `PathError` if it cannot be read.
    """
    from skilltool.skill.skill_file import MAX_BYTES

    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise PathError(f"standard input: {error.strerror}") from None


def _exit_status(report: Report, request: _Request) -> int:
    from skilltool.lint.given_up import is_internal

    if report.problems or any(map(is_internal, report.diagnostics)):
        return 2
    worst, fail_on = report.worst, request.settings.fail_on
    return int(not request["exit_zero"] and None not in (worst, fail_on) and worst >= fail_on)  # type: ignore[operator]


def _make_diff(request: _Request) -> _Outcome:
    """Return the diff of all fixes; the status is 1 if there is any, 2 if some could not be planned."""
    from skilltool.bounds.budget import InternalReason
    from skilltool.bounds.pool import WorkerPool
    from skilltool.cli import progress
    from skilltool.findings.secrets import without_secrets
    from skilltool.fix.diff import diff
    from skilltool.fix.plan import plan

    with progress.shown("fixing") as bar, WorkerPool() as pool:
        outcome = plan(request.settings, request["unsafe_fixes"], bar, pool)
        patch, file = diff(outcome, pool), request["output_file"]
    notes = (*_refusals(outcome), *_given_up(outcome, request), *outcome.unread, *outcome.problems)
    hints = [*outcome.hints, *([_NOTHING] if not outcome.skills and not outcome.unread else [])]
    if any(edit.path.startswith("/") for edit in outcome.edits):
        hints.append("the patch contains absolute paths; run `git apply` in `/`")
    if any(without_secrets(edit.before) != edit.before for edit in outcome.edits):
        hints.append("secrets are hidden in the diff, so it cannot be applied to lines that contain a secret")
    text: SafeText | bytes = exact(patch)
    if file is None:
        paint = painted_diff if use_color(request["color"]) else None
        text, remark = exact_or_escaped(patch, request["raw"], paint)
        hints += [remark] if remark else []
    has_defect = any(isinstance(reason, InternalReason) for reason in outcome.given_up.values())
    failed = outcome.unread or outcome.problems or has_defect
    found = bool(outcome.changes or outcome.given_up)
    status = 2 if failed else int(found and not request["exit_zero"])
    return _Outcome(text, status, notes, tuple(hints), file)


def _fix_then_check(request: _Request) -> _Outcome:
    """Apply the fixes, note what was fixed, then check and report the rest."""
    from skilltool.bounds.pool import WorkerPool
    from skilltool.fix.edits import paths_after

    with WorkerPool() as pool:
        done = _fix(request, pool)
        pool.allowance.renew()
        paths = tuple(paths_after(request.settings.paths, done))
        answer = _check(request.with_settings(request.settings._replace(paths=paths)), pool)
    status = 2 if done.problems else answer.status
    return answer._replace(status=max(status, int(request["exit_non_zero_on_fix"] and done.fixed > 0)))


def _fix(request: _Request, pool: WorkerPool) -> FixOutcome:
    """Apply the fixes and note at once what was done, whatever becomes of the check after it."""
    from skilltool.cli import progress
    from skilltool.fix.edits import apply
    from skilltool.fix.plan import plan
    from skilltool.lint.result import count_of

    with progress.shown("fixing") as bar:
        planned = plan(request.settings, request["unsafe_fixes"], bar, pool, go_on=True)
    done = apply(planned)
    for each in (*_refusals(planned), *done.problems):
        note(each)
    if planned.given_up:
        skills = count_of(len(planned.given_up), "skill")
        was = "it was" if len(planned.given_up) == 1 else "they were"
        note(f"{skills} could not be checked, so {was} not fixed; the report says why")
    if planned.left_over and request.settings.cache is not None:
        skills = count_of(len(planned.left_over), "skill")
        note(f"the time limit was reached with {skills} left; run the command again to continue")
    if request["show_fixes"]:
        for edit in done.changes:
            rules = ", ".join(f"{rule} ({number})" for rule, number in sorted(edit.applied.items()))
            inform(f"fixed {edit.path}: {rules}")
    if done.changes:
        files = len({edit.file for edit in done.changes})
        inform(f"fixed {count_of(done.fixed, 'finding')} in {count_of(files, 'file')}")
    return done


def _given_up(outcome: FixOutcome, request: _Request) -> Iterator[str]:
    """Yield a line for each skill that was given up, as the report of a check has it."""
    from skilltool.lint import given_up
    from skilltool.report import PLAIN, concise

    for directory, reason in outcome.given_up.items():
        file = directory / given_up.file_of(directory)
        yield concise.line(given_up.diagnostic(file, reason, request.settings), PLAIN)


def _refusals(outcome: FixOutcome) -> Iterator[str]:
    for edit in outcome.edits:
        for rule, why in edit.refused.items():
            yield f"{edit.path}: fix for `{rule}` not applied: {why}"


def _watch(request: _Request) -> None:
    """Check with the current settings, print the report, and start again after each change.

    Files that vanish, a configuration that is invalid for a moment, even a deleted working directory are
    reported and waited for. It ends with Ctrl-C, when nobody reads the output any more (`| head`), or with
    `SkilltoolError` when nothing can be watched.
    """
    from skilltool.cli.watch import draw, repeat

    here = Path.cwd()
    settings = request.settings
    if settings.output_format not in FOR_PEOPLE:
        note(f"--watch prints `full`, since the format `{settings.output_format}` is for programs")

    def files() -> Iterator[Path]:
        yield from (here / file for file in (settings.config, settings.baseline) if file is not None)

    def check() -> None:
        nonlocal request, settings
        request = request.again()
        settings = request.settings
        output, notes = _check_quietly(request)
        draw(partial(write, output), *(partial(note, each) for each in notes))

    repeat(check, [here / path for path in settings.paths], files, settings.cache)


def _check_quietly(request: _Request) -> tuple[SafeText, list[str]]:
    from skilltool.lint.run import check_skills

    if request.settings.output_format not in FOR_PEOPLE:
        request = request.with_settings(request.settings._replace(output_format="full"))
    report = check_skills(request.settings)
    return request.text(report), list(report.problems)


# What `safe_text` would escape in a way that TOML does not know.
_COMMAND = r"(?<=#)#(?=\w*\[)"
_NUMBER_SIGN = r"\\u0023"


def _settings_as_toml(chosen: Settings) -> SafeText:
    """Return settings as TOML that can be used as a configuration.

    Comments name their file, and for whom the skills found would be checked.
    """
    from skilltool.lint.find import planned_audiences
    from skilltool.report.finding_lines import audience_lines
    from skilltool.skill.length import recommended

    length = chosen.max_length or recommended()
    values: dict[str, str | bool | int | Sequence[str]] = {
        "runtimes": chosen.runtimes,
        "select": chosen.rules,
        "exclude": chosen.exclude,
        "force-exclude": chosen.force_exclude,
        "respect-gitignore": chosen.respect_gitignore,
        "allow-empty": chosen.allow_empty,
        "fail-on": str(chosen.fail_on) if chosen.fail_on else "never",
        "max-lines": length.lines,
        "max-tokens": length.tokens,
        "name-source": chosen.name_source,
        "output-format": chosen.output_format,
    }
    if chosen.baseline is not None:
        values["baseline"] = str(chosen.baseline)
    lines = [f"{key} = {_toml(value)}" for key, value in values.items()]
    tables: dict[str, dict[str, str | Sequence[str]]] = {
        "severity": {rule: str(severity) for rule, severity in chosen.severities},
        "per-path-runtimes": dict(chosen.per_path_runtimes),
        "per-file-ignores": {pattern: sorted(rules) for pattern, rules in chosen.per_file_ignores},
    }
    for name, table in tables.items():
        if table:
            lines += ["", f"[{name}]", *(f"{_toml(key)} = {_toml(value)}" for key, value in table.items())]
    where = "".join(map(_toml_character, str(chosen.config or "none")))
    audiences = planned_audiences(chosen)
    names = {audience.names for audience in audiences.values()}
    found = [f"# checked against {name}" for name in names if len(names) == 1]
    found += [f"# {line}" for line in audience_lines(audiences)]
    return safe_text("\n".join([f"# configuration: {where}", *found, *lines]) + "\n")


def _toml(value: str | bool | int | Sequence[str]) -> str:
    """Return a value as TOML, with every unprintable character as an escape."""
    if isinstance(value, bool | int):
        return str(value).lower()
    if isinstance(value, str):
        text = "".join(map(_toml_character, value))
        return f'"{re.sub(_COMMAND, _NUMBER_SIGN, text)}"'
    if len(value) < 3:
        return f"[{', '.join(map(_toml, value))}]"
    return "\n".join(["[", *(f"    {_toml(entry)}," for entry in value), "]"])


def _toml_character(character: str) -> str:
    if character in '"\\':
        return f"\\{character}"
    return character if character.isprintable() else f"\\U{ord(character):08x}"
