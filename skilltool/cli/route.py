"""`skilltool route`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
from click.core import ParameterSource

from skilltool.cli import progress
from skilltool.cli.answer import answer, in_other_process, is_for_people, style_of, watch_option
from skilltool.cli.help import Command, option
from skilltool.cli.options import (
    Choice,
    cache_dir_option,
    cache_directory,
    color_option,
    format_option,
    output_file_option,
)
from skilltool.cli.output import inform, note, write, write_file
from skilltool.cli.sessions import NO_SKILLS, SessionQuestion, inform_of_other_skills, session_options
from skilltool.cli.signals import ended_by_sigterm
from skilltool.errors import PathError, SkilltoolError
from skilltool.files.one_run import one_run
from skilltool.report.as_json import dumps
from skilltool.text.printable import SafeText, safe_lines, safe_text

if TYPE_CHECKING:
    from skilltool.report.style import Style
    from skilltool.route.find_cases import Found, Located
    from skilltool.route.listing import Listing
    from skilltool.route.plan import ClientPlan, How, Side
    from skilltool.route.report import Shown
    from skilltool.runtimes.base import Session

_EPILOG = """\b
Examples:
  skilltool route                          check this project's cases
  skilltool route evals/routing.json       check the cases in this file
  skilltool route --runtime codex --details
  skilltool route --init -o evals/routing.json      write a file with prompts to fill in
  skilltool route trigger_tests.yaml --convert      the same cases in skilltool's format
  skilltool route --model NAME --dry-run            show what would be sent, and where
  skilltool route --model NAME --against main       is this branch better?

\b
Exit status:
  0  no problem at or above the --fail-on severity
  1  such a problem, or a rate below --min-recall or
     --min-precision
  2  there is nothing to check, a file cannot be read, or the
     model cannot be queried

With --model, the server and the key come from ANTHROPIC_BASE_URL and ANTHROPIC_API_KEY (or
ANTHROPIC_AUTH_TOKEN), OPENAI_BASE_URL and OPENAI_API_KEY, or GOOGLE_GEMINI_BASE_URL and GEMINI_API_KEY (or
GOOGLE_API_KEY).
"""
_RATE = click.FloatRange(0, 1)


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
@option(
    "Text",
    "--details",
    is_flag=True,
    help="Also show notes and every case whose expected skill is not ranked first.",
)
@option("Text", "--show-prompts", "prompts", is_flag=True, help="Show prompts, not only their file and line.")
@option("Files", "--init", "begin", is_flag=True, help="Print a file with prompts to fill in.")
@option("Files", "--convert", is_flag=True, help="Print the cases in the format of `skilltool schema cases`.")
@option(
    "Files",
    "--split",
    type=Choice(["tune", "judge"]),
    help="Use only the cases for tuning (`tune`) or evaluating (`judge`) descriptions. Cases not assigned to "
    "a set are split 60/40 by a hash of the prompt.",
)
@option(
    "Model",
    "--model",
    metavar="NAME",
    help="Send the requests to this model. Without this option, nothing is sent.",
)
@option(
    "Model",
    "--api",
    type=Choice(["messages", "responses", "chat", "gemini"]),
    help="API for the model. [default: chosen by its name; `chat` if OPENAI_BASE_URL is set]",
)
@option(
    "Model",
    "--method",
    type=Choice(["client", "choice"]),
    default="client",
    show_default=True,
    help="`client` offers the listing and the tool as the client does; `choice` only asks which skill fits.",
)
@option(
    "Model",
    "--repeats",
    type=click.IntRange(1, 100),
    default=3,
    show_default=True,
    metavar="N",
    help="Send each case this many times.",
)
@option(
    "Model",
    "--against",
    metavar="REV",
    help="Also send the cases with the skills from the git revision REV, and compare the results.",
)
@option(
    "Model",
    "--compared-to",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    metavar="DIR",
    help="Also send the cases with the skills of the project in DIR, and compare the results.",
)
@option("Model", "--dry-run", is_flag=True, help="Show what would be sent, and where, but send nothing.")
@option(
    "Model",
    "--max-requests",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Send at most this many requests, including retries.",
)
@option(
    "Model",
    "--max-tokens",
    type=click.IntRange(1),
    default=5_000_000,
    show_default=True,
    metavar="N",
    help="Send nothing if the requests exceed this many estimated tokens.",
)
@option(
    "Model",
    "--timeout",
    type=click.FloatRange(0.1, 3600),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Give up on a request after this many seconds.",
)
@option(
    "Model",
    "-j",
    "--jobs",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    metavar="N",
    help="Send this many requests at a time.",
)
@option(
    "Model",
    "--no-cache",
    is_flag=True,
    help="Do not reuse answers from earlier runs or store new ones.",
)
@option(
    "Exit status",
    "--min-recall",
    type=_RATE,
    metavar="RATE",
    help="With --model: exit 1 if a client's recall is below this (example: 0.8).",
)
@option(
    "Exit status",
    "--min-precision",
    type=_RATE,
    metavar="RATE",
    help="With --model: exit 1 if a client's precision is below this.",
)
@cache_dir_option
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
    split: str | None,
    model: str | None,
    api: str | None,
    method: str,
    repeats: int,
    against: str | None,
    compared_to: Path | None,
    dry_run: bool,
    max_requests: int,
    max_tokens: int,
    timeout: float,
    jobs: int,
    no_cache: bool,
    min_recall: float | None,
    min_precision: float | None,
    cache_dir: Path | None,
    **options: Any,
) -> int:
    """Check whether a model can pick the right skill for a prompt.

    Also check that each skill is listed, distinct from the others, and covered by test cases.

    CASES are files, or directories of files, with prompts and the skill expected for each. By default, these
    are the case files in the skills and in the project's `evals` directory. The format is detected
    from the content: lists with `should_trigger`, `cases` with `expected_skill`, JSON Lines, and waza's YAML.

    Without --model, no model is queried. Skills are ranked by word overlap only, which does not predict which
    skill a model would call.

    With --model, each case is sent as the client would send it at the start of a session, as far as that is
    known: with the listing in its usual position, the tool definition and the prompt. The client's own system
    prompt is left out.
    """
    if begin and (convert or cases):
        raise click.UsageError("--init cannot be used together with --convert or CASES")
    if against is not None and compared_to is not None:
        raise click.UsageError("--against cannot be used together with --compared-to")
    if begin and options["output_file"] is not None and os.path.lexists(options["output_file"]):
        raise PathError(f"{options['output_file']} already exists; remove it or choose a different name")
    _check_model_options()
    question = SessionQuestion.of(options)
    text, style = is_for_people(options), style_of(options)
    asked = _Asked(cases, fail_on, details, prompts, split, question.is_named, text, style)
    if model is None or begin or convert:
        return answer(question, _begun if begin else _converted if convert else _answer, asked, options)
    if options["watch"]:
        raise click.UsageError("--watch cannot be used together with --model")
    limits = _Limits(repeats, max_requests, max_tokens, timeout, jobs, min_recall, min_precision)
    cache = None if no_cache else cache_directory(cache_dir)
    who = _Who(model, api, method, against, compared_to, dry_run, cache)
    return _ask_model(question, asked, who, limits, options["output_file"])


def _check_model_options() -> None:
    """Raise `click.UsageError` for options about a model where none is named."""
    context = click.get_current_context()
    if context.params["model"] is not None:
        return
    for parameter in context.command.params:
        is_of_model = getattr(parameter, "group", "") == "Model" or (parameter.name or "").startswith("min_")
        given = context.get_parameter_source(parameter.name or "")
        if is_of_model and given is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{parameter.opts[-1]} needs --model")


class _Who(NamedTuple):
    """Which model is asked and how, what it is compared with, and where answers are kept."""

    model: str
    api: str | None
    method: str
    against: str | None
    compared_to: Path | None
    dry_run: bool
    cache: Path | None

    @property
    def other(self) -> str | None:
        """The revision or directory that it is compared with, as the user names it."""
        return self.against if self.compared_to is None else os.fspath(self.compared_to)


class _Limits(NamedTuple):
    """How often, how much and how fast is asked, and which rates are too low."""

    repeats: int
    requests: int
    tokens: int
    seconds: float
    jobs: int
    recall: float | None
    precision: float | None


class _Asked(NamedTuple):
    """What is to be checked, by the names of the parameters."""

    cases: tuple[Path, ...]
    fail_on: str
    details: bool
    prompts: bool
    split: str | None
    is_named: bool
    text: bool
    style: Style


def _answer(question: SessionQuestion, asked: _Asked) -> tuple[SafeText, int]:
    """Return the report and the exit status; notes are written to standard error."""
    from skilltool.route import report

    listings = _listings(question)
    shown = _checked(_found(question, asked, listings), listings, asked)
    is_nothing = not shown.found.files and not any(listing.session.directories for listing in listings)
    status = 2 if is_nothing else _status(shown.worst, asked)
    if asked.text:
        from skilltool.report import grid

        return grid.text(list(report.lines(shown, asked.details, asked.style))), status
    return dumps(report.data(shown)), status


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
    inform_of_other_skills(question.given, sessions, takes_skill=False)
    leading = [session for session in sessions if session.runtime.id in leading_clients()]
    if leading and not question.is_named:
        others = {session.runtime.id for session in sessions} - set(leading_clients())
        if others:
            inform(f"{len(others)} more clients look here (`--runtime all` includes them)")
        sessions = leading
    for session in sessions:
        for trouble in troubles(session):
            note(trouble)
    if not any(session.directories for session in sessions):
        note(NO_SKILLS)
    sessions = _widest(sessions)
    often = Counter(session.runtime.id for session in sessions)
    return [
        Listing(session, _where(session) if often[session.runtime.id] > 1 else "") for session in sessions
    ]


def _widest(sessions: Sequence[Session]) -> list[Session]:
    """Return the sessions without those of which another one of the same client has all the skills."""
    kept: list[Session] = []
    for session in sorted(sessions, key=lambda each: -len(each.skills)):
        mine = {skill.directory for skill in session.skills}
        wider = (each for each in kept if each.runtime.id == session.runtime.id)
        if not any(mine <= {skill.directory for skill in each.skills} for each in wider):
            kept.append(session)
    return [session for session in sessions if session in kept]


def _where(session: Session) -> str:
    """Return where the skills of one of several sessions of a client are, for people."""
    parents = list(dict.fromkeys(skill.directory.parent for skill in session.skills))
    if not parents:
        return "no skills"
    first = Path(os.path.relpath(parents[0], session.shown_from)).as_posix()
    return f"{first} and {len(parents) - 1} more" if parents[1:] else first


def _found(
    question: SessionQuestion, asked: _Asked, listings: Sequence[Listing], convert: bool = False
) -> Found:
    from skilltool.route.find_cases import find
    from skilltool.route.plan import of_split

    skills = {directory for listing in listings for directory in listing.session.directories}
    found = find(asked.cases, sorted(skills), question.given.top, convert)
    if not convert:
        for path in found.outcomes:
            inform(f"{path} says what a prompt should produce, not which skill to call; --convert adapts it")
        if not found.files:
            note("no cases found; `skilltool route --init` prints some to fill in")
    return found._replace(cases=tuple(of_split(found.cases, asked.split)))


def _checked(found: Found, listings: Sequence[Listing], asked: _Asked) -> Shown:
    from skilltool.findings.finding import Severity
    from skilltool.route import quality
    from skilltool.route.check import checked, unknown
    from skilltool.route.problems import Problem, merged
    from skilltool.route.report import Shown

    clients = tuple(checked(listing, found.cases, listings, asked.is_named) for listing in listings)
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
    if not subjects:
        return safe_lines([]), 2
    return safe_text(begin.template(subjects, quality.close(subjects))), 0


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


def _ask_model(
    question: SessionQuestion, asked: _Asked, who: _Who, limits: _Limits, output_file: Path | None
) -> int:
    """Ask a model for all cases, print the report, and return the exit status."""
    if find_spec("httpx") is None:
        raise SkilltoolError("--model needs packages that are not installed: pip install 'skilltool[model]'")
    from skilltool.cli.revision import in_directory, in_revision
    from skilltool.route import ask, measured_report, report
    from skilltool.route.answers import directory_of_answers
    from skilltool.route.plan import How
    from skilltool.route.protocols import PROTOCOLS, for_model
    from skilltool.route.run import requests_of, run

    protocol = PROTOCOLS[who.api] if who.api is not None else for_model(who.model, os.environ)
    how = How(who.model, protocol.id, who.method, ask.MAX_ANSWER)
    shown, plans = in_other_process(_planned, question, asked, how)
    old: list[ClientPlan] = []
    if who.against is not None:
        old = in_revision(question, "--against", who.against, _planned_before, shown.found.cases, how)
    elif who.compared_to is not None:
        old = in_directory(question, who.compared_to, _planned_before, shown.found.cases, how)
    if not any(plan.questions for plan in plans):
        note("no case expects a listed skill; run without --model to see why")
        return 2
    # What a dry run says needs no key.
    at = ask.endpoint(protocol, who.model, os.environ, needs_key=not who.dry_run)
    kept = ask.Kept(None if who.cache is None else directory_of_answers(who.cache))
    requests = {
        ask.digest_of(at, request): request for request in requests_of([*plans, *old], limits.repeats)
    }
    left = [request for digest, request in requests.items() if kept.find(digest) is None]
    _announce(at.name, who.model, len(requests), left)
    _check_bounds(left, limits)
    if who.dry_run:
        return 0
    bounds = ask.Limits(limits.jobs, limits.seconds, limits.requests)
    try:
        with ended_by_sigterm(), progress.shown("asking") as bar:
            sides = run(at, [*plans, *old], limits.repeats, bounds, kept, bar)
    except KeyboardInterrupt:
        if who.cache is not None:
            inform(
                "interrupted; the answers so far are stored, and the next run sends only the other requests"
            )
        raise
    now, before = sides[: len(plans)], {side.plan.runtime: side for side in sides[len(plans) :]}
    about = measured_report.Asked(
        who.model, at.name, who.method, limits.repeats, len(left), len(requests) - len(left)
    )
    if asked.text:
        from skilltool.report import grid

        lines = measured_report.lines(about, now, before, who.other, asked.details, asked.style)
        text = grid.text([*lines, *_other_problems(shown)])
    else:
        model = measured_report.data(about, now, before, who.other)
        text = dumps({**report.data(shown), "model": model})
    write(text) if output_file is None else write_file(output_file, text.encode())
    return _status_of_rates(now, limits) or _status(shown.worst, asked)


def _planned(question: SessionQuestion, asked: _Asked, how: How) -> tuple[Shown, list[ClientPlan]]:
    """Return what can be said without a model, and what is to be asked."""
    listings = _listings(question)
    shown = _checked(_found(question, asked, listings), listings, asked)
    return shown, _plans(listings, shown.found.cases, how)


def _planned_before(
    question: SessionQuestion, stands_for: tuple[Path, Path], cases: Sequence[Located], how: How
) -> list[ClientPlan]:
    """Return what is to be asked for the same cases of the skills in another tree."""
    return _plans(_listings(question), cases, how, stands_for)


def _plans(
    listings: Sequence[Listing],
    cases: Sequence[Located],
    how: How,
    stands_for: tuple[Path, Path] | None = None,
) -> list[ClientPlan]:
    from skilltool.route.plan import plan

    asked = []
    for listing in listings:
        if listing.session.runtime.catalog is None:
            note(f"{listing.label} is left out: its listing is not known")
        elif listing.session.prompt() is None:
            note(f"{listing.label} is left out: it lists no skills")
        else:
            asked.append(listing)
    return plan(asked, cases, how, stands_for)


def _announce(name: str, model: str, requests: int, left: Sequence[Any]) -> None:
    """Write to standard error whom a run asks, how many requests it sends, and about how many tokens."""
    from skilltool.lint.result import count_of
    from skilltool.route.ask import MAX_ANSWER

    number = count_of(len(left), "request")
    kept = f"; {requests - len(left):,} answered in earlier runs" if len(left) < requests else ""
    sent = f"about {_tokens(left):,} tokens in, at most {len(left) * MAX_ANSWER:,} out"
    inform(f"{number} to {model} at {name}: {sent}{kept}")


def _tokens(requests: Sequence[Any]) -> int:
    import json

    from skilltool.skill.length import tokens

    return sum(tokens(len(json.dumps(request.body, ensure_ascii=False))) for request in requests)


def _check_bounds(left: Sequence[Any], limits: _Limits) -> None:
    """Raise `SkilltoolError` before anything is sent if there is more than the user allows."""
    if len(left) > limits.requests:
        raise SkilltoolError(f"{len(left):,} requests exceed --max-requests {limits.requests}")
    if (number := _tokens(left)) > limits.tokens:
        raise SkilltoolError(f"this needs about {number:,} tokens, more than --max-tokens {limits.tokens:,}")


def _status_of_rates(sides: Sequence[Side], limits: _Limits) -> int:
    """Return 2 where nobody has answered, 1 after a note for each rate that is too low, else 0."""
    from skilltool.route.measure import measured

    status = 0
    for side in sides:
        rates = measured(side.cases)
        if side.cases and rates.right.value is None:
            note(f"{side.plan.runtime}: no request was answered")
            status = 2
        for name, rate, least in (
            ("recall", rates.recall, limits.recall),
            ("precision", rates.precision, limits.precision),
        ):
            if least is not None and rate.value is not None and rate.value < least:
                note(f"{side.plan.runtime}: {name} is {rate.value:.2f}, below --min-{name} {least:g}")
                status = max(status, 1)
    return status


def _other_problems(shown: Shown) -> list[str]:
    if not shown.problems:
        return []
    number = len(shown.problems)
    return [
        "",
        f"{number:,} problem{'s' * (number > 1)} with skills and cases; run without --model to see them",
    ]
