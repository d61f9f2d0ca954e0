"""`skilltool route`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli.answer import answer, is_for_people, style_of, watch_option
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, color_option, format_option, output_file_option
from skilltool.cli.output import inform, note
from skilltool.cli.sessions import NO_SKILLS, SessionQuestion, inform_of_other_skills, session_options
from skilltool.files.one_run import one_run
from skilltool.report.as_json import dumps
from skilltool.text.printable import SafeText, safe_lines, safe_text

if TYPE_CHECKING:
    from skilltool.report.style import Style
    from skilltool.route.find_cases import Found
    from skilltool.route.listing import Listing

_EPILOG = """\b
Examples:
  skilltool route                          check the cases that are here
  skilltool route evals/routing.json       check these
  skilltool route --runtime codex --details
  skilltool route --init -o evals/routing.json      a file with prompts to fill in
  skilltool route trigger_tests.yaml --convert      the same cases in our form

\b
Exit status:
  0  nothing is wrong, or less than --fail-on says
  1  something is
  2  there is nothing to check, or a file cannot be read
"""


@click.command("route", cls=Command, epilog=_EPILOG)
@click.argument("cases", nargs=-1, type=click.Path(path_type=Path), metavar="[CASES]...")
@session_options
@option(
    "Exit status",
    "--fail-on",
    type=Choice(["error", "warning", "never"]),
    default="error",
    show_default=True,
    metavar="SEVERITY",
    help="Lowest severity that fails the run.",
)
@option("Text", "--details", is_flag=True, help="Show all cases that are not ranked first, and notes.")
@option("Text", "--show-prompts", "prompts", is_flag=True, help="Show prompts, not only where they are.")
@option("Files", "--init", "begin", is_flag=True, help="Print a file with prompts to fill in.")
@option("Files", "--convert", is_flag=True, help="Print the cases in the form of `skilltool schema cases`.")
@watch_option
@output_file_option
@format_option
@color_option
@one_run()
def command(
    cases: tuple[Path, ...],
    fail_on: str,
    details: bool,
    prompts: bool,
    begin: bool,
    convert: bool,
    **options: Any,
) -> int:
    """Check whether the right skill can be called: is it listed, told apart from others, covered by cases?

    CASES are files, or directories with files, that say for prompts which skill is expected; by default
    those in skills and in `evals` of the project. They are read by shape: lists with `should_trigger`,
    `cases` with `expected_skill`, JSON Lines, and waza's YAML.

    No model is asked. Ranks compare words only and do not say what a model would call.
    """
    if begin and (convert or cases):
        raise click.UsageError("--init cannot be used together with --convert or CASES")
    question = SessionQuestion.of(options)
    work = _begun if begin else _converted if convert else _answer
    asked = _Asked(
        cases, fail_on, details, prompts, question.is_named, is_for_people(options), style_of(options)
    )
    return answer(question, work, asked, options)


class _Asked(NamedTuple):
    """What is to be checked, by the names of the parameters."""

    cases: tuple[Path, ...]
    fail_on: str
    details: bool
    prompts: bool
    is_named: bool
    text: bool
    style: Style


def _answer(question: SessionQuestion, asked: _Asked) -> tuple[SafeText, int]:
    """Return the report and the exit status; notes are written to standard error."""
    from skilltool.route import report

    listings = _listings(question)
    shown = _checked(_found(question, asked, listings), listings, asked)
    for path in shown.found.outcomes:
        inform(f"{path} says what comes of a prompt, not which skill is called; --convert makes cases of it")
    if not shown.found.cases and not shown.found.files:
        note("no cases found; `skilltool route --init` prints some to fill in")
    if asked.text:
        from skilltool.report import grid

        return grid.text(list(report.lines(shown, asked.details, asked.style))), _status(shown.worst, asked)
    return dumps(report.data(shown)), _status(shown.worst, asked)


def _status(worst: Any, asked: _Asked) -> int:
    from skilltool.findings.finding import Severity

    if asked.fail_on == "never" or worst is None:
        return 0
    return int(worst >= Severity[asked.fail_on.upper()])


def _listings(question: SessionQuestion) -> list[Listing]:
    """Return what each client lists: those that are named or configured, else the leading ones here."""
    from skilltool.explain.copies import troubles
    from skilltool.packages.manifest import leading_clients
    from skilltool.route.listing import Listing

    sessions, _ = question.open_all()
    inform_of_other_skills(question.given, sessions)
    leading = [session for session in sessions if session.runtime.id in leading_clients()]
    if leading and not question.is_named:
        if others := len({session.runtime.id for session in sessions}) - len(leading):
            inform(f"{others} more clients look here (`--runtime all` asks them, too)")
        sessions = leading
    for session in sessions:
        for trouble in troubles(session):
            note(trouble)
    if not any(session.directories for session in sessions):
        note(NO_SKILLS)
    return [Listing(session) for session in sessions]


def _found(
    question: SessionQuestion, asked: _Asked, listings: Sequence[Listing], convert: bool = False
) -> Found:
    from skilltool.route.find_cases import find

    skills = {directory for listing in listings for directory in listing.session.directories}
    return find(asked.cases, sorted(skills), question.given.top, convert)


def _checked(found: Found, listings: Sequence[Listing], asked: _Asked) -> Any:
    from skilltool.findings.finding import Severity
    from skilltool.route import quality
    from skilltool.route.check import checked, unknown
    from skilltool.route.problems import Problem, merged
    from skilltool.route.report import Shown

    clients = tuple(checked(listing, found.cases, asked.is_named) for listing in listings)
    subjects = quality.subjects(listings)
    near = tuple(quality.close(subjects))
    problems = [
        Problem(Severity.ERROR, "misformed", each.message, each.help, (each.place,)) for each in found.wrong
    ]
    if not asked.is_named:
        problems += unknown(listings, found.cases)
    problems += [problem for client in clients for problem in client.problems]
    problems += quality.problems(found.cases, subjects, near) if found.cases else ()
    return Shown(found, clients, near, tuple(merged(problems)), asked.prompts)


def _begun(question: SessionQuestion, asked: _Asked) -> tuple[SafeText, int]:
    """Return a file of cases to fill in."""
    from skilltool.route import begin, quality

    subjects = quality.subjects(_listings(question))
    return safe_text(begin.template(subjects, quality.close(subjects))), 0 if subjects else 2


def _converted(question: SessionQuestion, asked: _Asked) -> tuple[SafeText, int]:
    """Return the cases in our form; what is wrong with the form of others is written to standard error."""
    from skilltool.skill.routing_cases import written

    found = _found(question, asked, _listings(question) if not asked.cases else [], convert=True)
    for each in found.wrong:
        note(f"{each.place}: {each.message}")
    if not found.cases:
        note("no cases found")
        return safe_lines([]), 2
    cases = [each.case for each in found.cases]
    if len(found.files) > 1:
        cases = [case._replace(id=str(number)) for number, case in enumerate(cases, start=1)]
    return safe_text(written(cases)), 2 if found.wrong else 0
