"""`skilltool cost`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli.answer import answer, is_for_people, style_of, watch_option
from skilltool.cli.completion import complete_skills
from skilltool.cli.help import Command, option
from skilltool.cli.missing_skill import explain_absences
from skilltool.cli.options import color_option, format_option, output_file_option
from skilltool.cli.output import inform, note
from skilltool.cli.sessions import (
    NO_SKILLS,
    SessionQuestion,
    inform_of_other_skills,
    projects_near,
    session_options,
)
from skilltool.errors import SkilltoolError
from skilltool.files.one_run import one_run
from skilltool.report.as_json import dumps
from skilltool.text.lazy_pattern import lazy_pattern
from skilltool.text.printable import SafeText, safe_lines

if TYPE_CHECKING:
    from skilltool.explain.cost import ClientChange, ClientCost
    from skilltool.report.style import Style
    from skilltool.runtimes.base import Runtime, Session

_LIMIT = lazy_pattern(r"(\d+(?:\.\d+)?)(%|tok)?", re.ASCII)
_EPILOG = """\b
Examples:
  skilltool cost                           a line for each client
  skilltool cost --details                 also a table of skills for each client
  skilltool cost .claude/skills/pdf        one skill
  skilltool cost --since main              what changed in this branch
  skilltool cost --fail-over 5000tok       exit 1 if a list is longer than 5,000 tokens
  skilltool cost --fail-over 100% --include-built-in    exit 1 if a list is over budget

A client adds the names and descriptions of skills to the context of every session. Some clients have a
budget for this list and count built-in skills against it. Over budget, they truncate descriptions or omit
skills. Tokens are estimated as characters divided by 4, rounded up.
"""


def _limit(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, str] | None:
    if value is None:
        return None
    match = _LIMIT.fullmatch(value)
    if match is None or len(value) > 20:
        raise click.BadParameter(f"{value}: expected a limit such as 5000 (characters), 5000tok or 90%")
    return float(match[1]), match[2] or ""


@click.command("cost", cls=Command, epilog=_EPILOG)
@click.argument("path", metavar="[PATH]", required=False, shell_complete=complete_skills)
@session_options
@option(
    "Exit status",
    "--fail-over",
    metavar="LIMIT",
    callback=_limit,
    help="Exit 1 if a client's list of skills, before truncation, exceeds N characters, Ntok (estimated "
    "tokens), or N% of its budget. Built-in skills count only with --include-built-in.",
)
@option("Text", "--details", is_flag=True, help="Show the listing, body and referenced files of each skill.")
@option(
    "Text",
    "--include-built-in",
    "built_in",
    is_flag=True,
    help="Also count the client's built-in skills, which share the budget.",
)
@option(
    "Text",
    "--since",
    metavar="REV",
    help="Compare with a git revision, such as `main`: show what grew and what is newly truncated.",
)
@watch_option
@output_file_option
@format_option
@color_option
@one_run()
def command(
    path: str | None,
    fail_over: tuple[float, str] | None,
    since: str | None,
    details: bool,
    built_in: bool,
    **options: Any,
) -> int:
    """Show how much of each client's context the skills use, and which descriptions are truncated.

    PATH is a project directory, or the directory or name of one skill. By default, show the configured
    clients, or every client with a skills directory in this project.
    """
    question = SessionQuestion.of(options)
    question, skill = question.about(path)
    if since is not None and skill is not None:
        raise click.UsageError("--since compares all skills; omit PATH or name a project")
    if since is not None and details:
        raise click.UsageError("--since cannot be used together with --details")
    before = None if since is None else (since, _costs_in(question, since))
    asked = _Asked(skill, fail_over, before, details, built_in, is_for_people(options), style_of(options))
    return answer(question, _answer, asked, options)


class _Asked(NamedTuple):
    """What is to be measured: one skill, or all where it is None; `before` is a revision with its costs."""

    skill: str | None
    fail_over: tuple[float, str] | None
    before: tuple[str, list[ClientCost]] | None
    details: bool
    built_in: bool
    text: bool
    style: Style


def _answer(question: SessionQuestion, asked: _Asked) -> tuple[SafeText, int]:
    """Return the text and the exit status; notes are written to standard error."""
    from skilltool.explain import cost

    sessions, left_out = question.open_all(asked.skill)
    asked_sessions = sessions = _with_known_listing(sessions, question.is_named)
    sessions, costs = _measured(sessions)
    status = 2 if len(costs) < len(asked_sessions) else _status(costs, asked)
    if asked.skill is not None:
        costs = list(_for_skill(sessions, costs, asked.skill))
        if not costs:
            explain_absences(sessions, asked.skill, question.given)
            return safe_lines([]), 1
    if asked.text:
        if asked.skill is None:
            inform_of_other_skills(question.given, sessions)
        return _table(costs, asked), status
    shown = cost.data(costs, [runtime.id for runtime in left_out])
    shown["elsewhere"] = {} if asked.skill is not None else projects_near(question.given, sessions)
    if asked.before is not None:
        shown["since"] = cost.changes_data(asked.before[0], _changes(asked, costs))
    return dumps(shown), status


def _measured(sessions: list[Session]) -> tuple[list[Session], list[ClientCost]]:
    """Return the sessions that could be measured, and what their skills cost, after a note for each other."""
    from skilltool.bounds.budget import InternalReason
    from skilltool.explain.contained import contained
    from skilltool.explain.copies import troubles
    from skilltool.explain.cost import cost_of

    measured: list[tuple[Session, ClientCost]] = []
    for session in sessions:
        if isinstance(session.failure, InternalReason):
            note(session.failure)
            continue
        for trouble in troubles(session):
            note(trouble)
        if isinstance(found := contained(session.runtime.id, cost_of, session), InternalReason):
            note(found)
        else:
            measured.append((session, found))
    return [session for session, _ in measured], [cost for _, cost in measured]


def _with_known_listing(sessions: list[Session], is_named: bool) -> list[Session]:
    """Return the sessions of runtimes whose listing is known; raises `SkilltoolError` if there is none."""
    unknown = [session.runtime.id for session in sessions if _is_listing_unknown(session.runtime)]
    if unknown and len(unknown) == len(sessions):
        raise SkilltoolError(
            f"the listing format of {unknown[0]} is not known; choose a different runtime with --runtime"
        )
    if unknown and is_named:
        whose = "its" if len(unknown) == 1 else "their"
        inform(f"{', '.join(unknown)} skipped: {whose} listing format is not known")
    return [session for session in sessions if session.runtime.id not in unknown]


def _table(found: list[ClientCost], asked: _Asked) -> SafeText:
    from skilltool.report import costs, grid

    if asked.before is not None:
        changed = _changes(asked, found)
        return grid.text(list(costs.lines(changed, asked.built_in, asked.style)))
    of_client: dict[str, list[ClientCost]] = {}
    for cost in found:
        of_client.setdefault(cost.runtime, []).append(cost)
    found = [
        cost._replace(runtime=f"{cost.runtime} ({_where(cost, own)})") if len(own) > 1 else cost
        for cost, own in ((cost, of_client[cost.runtime]) for cost in found)
    ]
    if not found:
        note(NO_SKILLS)
        return safe_lines([])
    return grid.text(list(_lines(found, asked)))


def _where(cost: ClientCost, sessions: list[ClientCost]) -> str:
    """Return where the skills are that only this one of the sessions of a client has."""
    shared = {skill.directory for other in sessions if other is not cost for skill in other.skills}
    own = [skill for skill in cost.skills if skill.directory not in shared]
    return next((str(PurePosixPath(skill.shown).parent) for skill in own or cost.skills), "no skills")


def _lines(found: list[ClientCost], asked: _Asked) -> Iterator[str]:
    from skilltool.report import costs

    if asked.details:
        return costs.details(found, asked.style)
    if asked.skill is not None:
        return costs.one_skill([(cost, skill) for cost in found for skill in cost.skills], asked.style)
    return costs.summary(found, asked.built_in, asked.style)


def _changes(asked: _Asked, costs: list[ClientCost]) -> list[ClientChange]:
    from skilltool.explain import cost

    return [] if asked.before is None else cost.changes(asked.before[1], costs)


def _for_skill(sessions: list[Session], costs: list[ClientCost], name: str) -> Iterator[ClientCost]:
    """Yield the costs of the clients that load this skill, a key or a path, with nothing but it."""
    from skilltool.explain.candidates import candidates

    measured: set[tuple[str, Path]] = set()
    for session, cost in zip(sessions, costs, strict=True):
        loaded = [
            candidate.directory
            for candidate in candidates(session, name)
            if candidate.outcome.startswith("loads")
        ]
        by_key = tuple(skill for skill in cost.skills if skill.key == name)
        if skills := by_key or tuple(skill for skill in cost.skills if skill.directory in loaded):
            skills = tuple(skill for skill in skills if (cost.runtime, skill.directory) not in measured)
            measured |= {(cost.runtime, skill.directory) for skill in skills}
            yield cost._replace(skills=skills)


def _status(costs: list[ClientCost], asked: _Asked) -> int:
    """Return 1 after a note for each client that is over the limit, else 0."""
    from skilltool.explain.cost import Limit

    if asked.fail_over is None:
        return 0
    limit = Limit(*asked.fail_over)
    excesses = [excess for cost in costs if (excess := limit.excess(cost, asked.built_in)) is not None]
    for excess in excesses:
        note(excess)
    return int(bool(excesses))


def _costs_in(question: SessionQuestion, revision: str) -> list[ClientCost]:
    """Return what the skills of a revision cost each client, with today's settings and home directory."""
    from skilltool.cli.revision import in_revision

    return in_revision(question, "--since", revision, _costs_of_tree)


def _is_listing_unknown(runtime: Runtime) -> bool:
    """Return whether nobody knows what a client lists, so that its cost cannot be told."""
    return runtime.catalog is None and not runtime.ground


def _costs_of_tree(question: SessionQuestion, stands_for: tuple[Path, Path]) -> list[ClientCost]:
    from skilltool.explain.cost import cost_of

    sessions = question.open_all()[0]
    return [cost_of(session, stands_for) for session in sessions if not _is_listing_unknown(session.runtime)]
