"""`skilltool capture`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from skilltool.cli import progress
from skilltool.cli.answer import in_other_process
from skilltool.cli.help import Command, option
from skilltool.cli.options import completions, format_option, quiet_option
from skilltool.cli.output import inform, note, write
from skilltool.cli.signals import ended_by_sigterm
from skilltool.errors import PathError, SkilltoolError
from skilltool.report.as_json import dumps
from skilltool.text.printable import safe_lines

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from skilltool.capture.client import Client, Place
    from skilltool.capture.inside import Job, Outcome
    from skilltool.capture.installed import Installed
    from skilltool.capture.report import Report
    from skilltool.capture.run import Answered, Plan

_EPILOG = """\b
Examples:
  skilltool capture --list                list installed clients and their last capture
  skilltool capture claude-code           check whether this client has changed
  skilltool capture codex --skills .agents/skills -o captured
  skilltool render pdf --captured captured
  skilltool capture agno --python .venv/bin/python

\b
Exit status:
  0  every client sends what `render` prints
  1  at least one client differs
  2  at least one client could not be captured
"""


def _complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[CompletionItem]:
    from skilltool.capture.clients import IDS

    return completions([(name, "") for name in IDS], begun, lists=False)


@click.command("capture", cls=Command, epilog=_EPILOG)
@click.argument("clients", nargs=-1, metavar="[CLIENT]...", shell_complete=_complete)
@option(
    "Files",
    "--list",
    "listed",
    is_flag=True,
    help="List supported clients, whether they are installed, and their last capture.",
)
@option(
    "Files",
    "--skills",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Use copies of the skills under DIR instead of skilltool's test skills.",
)
@option(
    "Files",
    "--call",
    "calls",
    is_flag=True,
    help="With --skills: also load each skill. The client may then run commands that the skill contains.",
)
@option(
    "Files",
    "--allow-commands",
    is_flag=True,
    help="With --skills: accept skills that make clients run commands when they are loaded.",
)
@option(
    "Runtime",
    "--program",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Path to the client's program. [default: search PATH]",
)
@option(
    "Runtime",
    "--python",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="For a library: Python interpreter of the library's environment.",
)
@option(
    "Limits",
    "--timeout",
    type=click.FloatRange(1, 3600),
    default=180.0,
    show_default=True,
    metavar="SECONDS",
    help="Time limit for each client; a client that exceeds it is killed.",
)
@option(
    "Output",
    "-o",
    "--output-dir",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Directory for what clients send; with more than one client, each gets its own subdirectory.",
)
@option("Output", "--details", is_flag=True, help="Show every difference.")
@option(
    "Output",
    "--edition",
    is_flag=True,
    help="For maintainers: print the line to add to the client's profile for this version, or what to "
    "change in the profile. Needs -o.",
)
@format_option
@quiet_option
def command(
    clients: tuple[str, ...],
    listed: bool,
    skills: Path | None,
    calls: bool,
    allow_commands: bool,
    program: Path | None,
    python: Path | None,
    timeout: float,
    output_dir: Path | None,
    details: bool,
    edition: bool,
    output_format: str,
) -> int:
    """Start installed clients and compare what they send with what `render` prints.

    Each client runs with a temporary home directory, a temporary project and a dummy API key. A server on the
    loopback interface stands in for the model. Telemetry and updates are turned off, and all other network
    access is blocked on systems that support it. The client gets skilltool's test skills or, with --skills,
    copies of yours. Without CLIENT, all installed clients are started.
    """
    from skilltool.capture import clients as known

    chosen = [known.get(name) for name in clients or known.IDS]
    if listed:
        return _list(chosen, output_format)
    _check(clients, skills, calls, allow_commands, program, python, output_dir, edition)
    from skilltool.capture import kept, report
    from skilltool.capture.compare import CHANGED

    if os.name == "nt":
        raise SkilltoolError("capture needs Linux or macOS; on Windows, use WSL")
    copied = None if skills is None else _skills(skills, calls, allow_commands)
    asked = _Asked(copied, calls, timeout)
    reports: list[Report] = []
    for client in chosen:
        with ended_by_sigterm():
            installed = _find(client, program, python)
            if installed.program is None and not clients:
                continue
            directory = output_dir if output_dir is None or len(chosen) == 1 else output_dir / client.id
            reports.append(_capture(client, installed, asked, directory, not edition))
        if output_format == "text":
            if reports[-1].differences:
                inform(report.LEGEND)
            write(safe_lines(report.lines(reports[-1], details)))
            write(safe_lines(kept.edition_lines(reports[-1]) if edition else ()))
    if not reports:
        raise SkilltoolError("no supported client is installed; `skilltool capture --list` lists them")
    if output_format == "json":
        write(dumps(report.data(reports)))
    outcomes = {each.outcome for each in reports}
    return 2 if report.FAILED in outcomes else int(CHANGED in outcomes)


class _Asked(NamedTuple):
    """What the user wants to know: of the probes, or of these skills, and with calls or without."""

    skills: list[Path] | None
    calls: bool
    timeout: float


def _check(
    clients: Sequence[str],
    skills: Path | None,
    calls: bool,
    allow_commands: bool,
    program: Path | None,
    python: Path | None,
    output_dir: Path | None,
    edition: bool,
) -> None:
    """Raise `click.UsageError` for options that have no effect together."""
    if (program is not None or python is not None) and len(clients) != 1:
        raise click.UsageError("--program and --python need exactly one CLIENT")
    if calls and skills is None:
        raise click.UsageError("--call needs --skills; the test skills are always loaded")
    if allow_commands and skills is None:
        raise click.UsageError("--allow-commands needs --skills")
    if edition and (output_dir is None or skills is not None):
        raise click.UsageError("--edition needs -o, and cannot be used together with --skills")


def _list(chosen: Sequence[Client], output_format: str) -> int:
    from skilltool.capture import installed, report
    from skilltool.explain.captured import remembered

    rows = []
    for client in chosen:
        found, last = installed.find(client), remembered(client.id)
        rows.append(
            {
                "client": client.id,
                "package": client.package,
                "library": client.library is not None,
                "program": None if found.program is None else str(found.program),
                "version": found.version,
                "edition": installed.edition(client.id),
                "captured": None if last is None else last.day,
                "outcome": None if last is None else last.outcome,
                "is_current": last is not None and last.is_current,
            }
        )
    if output_format == "json":
        write(dumps({"schema_version": report.SCHEMA_VERSION, "clients": rows}))
    else:
        write(safe_lines(report.listed(rows)))
    return 0


def _find(client: Client, program: Path | None, python: Path | None) -> Installed:
    from skilltool.capture import installed

    if client.library is not None:
        if program is not None:
            raise click.UsageError(
                f"{client.id} is a library; name the Python of its environment with --python"
            )
        return installed.find_library(client, python)
    if python is not None:
        raise click.UsageError(f"{client.id} is a program, not a library; use --program")
    if program is not None and not program.is_file():
        raise PathError(f"{program}: no such file")
    return installed.find(client, program)


def _capture(
    client: Client, found: Installed, asked: _Asked, output_dir: Path | None, remembers: bool
) -> Report:
    """Capture one client; one that cannot be captured is a report with a problem."""
    from skilltool.capture import installed, kept, run
    from skilltool.capture.compare import NOT_CAPTURED
    from skilltool.capture.report import FAILED, Report

    today = datetime.now(UTC).date().isoformat()
    report = Report(client.id, found.version, installed.edition(client.id), today)
    if found.program is None:
        where = "--python" if client.library is not None else "--program"
        report.problem = f"is not installed ({found.why or 'not on PATH'}); set its path with {where}"
        return report
    report.program = str(found.program)
    skills = asked.skills
    if missing := run.missing_programs(client):
        report.notes.append(f"its tool results depend on {', '.join(missing)}, not found on PATH")
    if client.library is not None:
        report.notes.append("this tests a minimal agent with the library's defaults, not your own agent")
    if client.note is not None:
        report.notes.append(client.note)
    with run.private_place(_private_parent()) as place:
        _lay(client, place, skills)
        plan, job, outcome, answered = _start(client, found, asked, place, skills is None or asked.calls)
        report.skills, report.called = run.count_skills(client, place), len(plan.keys)
        report.command, report.variables = run.for_people(job, place), sorted(job.env)
        report.isolated, report.left = outcome.isolated, outcome.left
        report.seconds, report.cpu = outcome.seconds, outcome.cpu
        report.problem = answered.problem
        report.parts = dict(answered.comparison.parts)
        report.differences = list(answered.comparison.differences)
        if missing and "results" in report.changed:
            report.parts["results"] = NOT_CAPTURED
            report.differences = [each for each in report.differences if each.part != "results"]
        report.listed, report.own = answered.comparison.listed, answered.comparison.own
        if report.left:
            inform(f"{report.name} left processes running; they were killed: {', '.join(report.left)}")
        if report.problem is None and skills is None and run.has_budget(client):
            _crowd(client, found, asked, report)
        if output_dir is not None and report.problem is None:
            from skilltool.capture import report as reports

            about = reports.entry(report)
            try:
                kept.write(output_dir, client, place, plan, outcome, answered.captured, about, not remembers)
            except OSError as error:
                raise PathError(f"{error.filename or output_dir}: {error.strerror}") from None
            inform(f"saved to {output_dir}")
    if remembers and report.outcome != FAILED and skills is None:
        _remember(client, found, report)
    return report


def _skills(top: Path, calls: bool, allow_commands: bool) -> list[Path]:
    """Return the skill directories that are to be copied; raises `SkilltoolError` for those that may not."""
    from skilltool.capture import run
    from skilltool.skill.discovery import discover

    if not top.is_dir():
        raise PathError(f"{top}: no such directory")
    found = discover([top])
    for problem in found.problems:
        note(problem)
    if not found.skills:
        raise SkilltoolError(f"{top}: no skills found")
    if not allow_commands and (running := run.commands_in(found.skills, calls)):
        more = f" and {len(running) - 3} more" if len(running) > 3 else ""
        raise SkilltoolError(
            f"clients run commands when they load {', '.join(running[:3])}{more}; review them, then pass "
            "--allow-commands"
        )
    if calls:
        inform("the client loads each skill, and may run commands and read files that the skill names")
    return list(found.skills)


def _private_parent() -> Path | None:
    """Return where the private directories are: in the cache, since clients distrust a temporary one."""
    from skilltool.cli.options import cache_directory

    return cache_directory(None)


def _lay(client: Client, place: Place, skills: list[Path] | None) -> None:
    from skilltool.capture import run

    try:
        if skills is None:
            run.lay_probes(client, place)
        else:
            run.lay_copies(client, place, skills)
        run.write_files(client, place)
    except OSError as error:
        raise PathError(f"{error.filename}: {error.strerror}") from None


def _start(
    client: Client, found: Installed, asked: _Asked, place: Place, with_calls: bool, quietly: bool = False
) -> tuple[Plan, Job, Outcome, Answered]:
    from skilltool.capture import run

    plan = in_other_process(run.plan_for, client.id, place, with_calls, doing="")
    job = run.job(client, run.program_of(client, found.program), place, plan, seconds=asked.timeout)
    if not quietly:
        inform(f"$ {shlex.join(run.for_people(job, place))}")
    with progress.waiting(f"waiting for {client.id}") as line:
        outcome = run.start(job, line or _nothing)
    if not outcome.isolated and not quietly:
        inform("this system does not allow network namespaces, so the client can reach the network")
    answered = in_other_process(run.compared_for, client.id, place, plan, job, outcome, doing="")
    return plan, job, outcome, answered


def _nothing() -> None:
    """Draw nothing."""


def _crowd(client: Client, found: Installed, asked: _Asked, report: Report) -> None:
    """Start the client once more, with more skills than its listing has room for."""
    from skilltool.capture import run
    from skilltool.capture.compare import CHANGED, NOT_CAPTURED, SAME

    with run.private_place(_private_parent()) as place:
        run.lay_probes(client, place, crowd=True)
        run.write_files(client, place)
        _, _, outcome, answered = _start(client, found, asked, place, with_calls=False, quietly=True)
    report.seconds, report.cpu = report.seconds + outcome.seconds, report.cpu + outcome.cpu
    report.parts["budget"] = SAME
    if answered.problem is not None:
        report.parts["budget"] = NOT_CAPTURED
        report.notes.append(f"with more skills than fit in its listing, it {answered.problem}")
    elif answered.comparison.changed:
        report.parts["budget"] = CHANGED
        report.differences += [
            each._replace(part="budget") for each in answered.comparison.differences if each.part != "tool"
        ]


def _remember(client: Client, found: Installed, report: Report) -> None:
    from skilltool.explain import captured

    if found.program is None or report.version is None or client.library is not None:
        return
    about = {name: getattr(report, name) for name in ("version", "edition", "day", "outcome", "changed")}
    try:
        stamp = captured.stamp_of(found.program.absolute(), client.package)
        captured.remember(client.id, client.package, stamp, about)
    except OSError as error:
        note(f"the result of this capture was not saved: {error.filename}: {error.strerror}")
