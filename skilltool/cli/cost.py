"""`skilltool cost`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from skilltool.cli import completing
from skilltool.cli.answering import answer, as_text, style_of, watch_option
from skilltool.cli.dead_ends import explain_absences
from skilltool.cli.help import Command, option
from skilltool.cli.options import color_option, format_option, output_file_option
from skilltool.cli.output import inform, note
from skilltool.cli.session import SessionQuestion, session_options
from skilltool.cli.since import costs_in, is_listing_unknown
from skilltool.errors import SkilltoolError
from skilltool.report.as_json import dumps
from skilltool.text.printable import SafeText, safe_lines

if TYPE_CHECKING:
    from skilltool.inspect.cost import ClientCost
    from skilltool.inspect.cost.changes import ClientChange
    from skilltool.report.style import Style
    from skilltool.runtimes.base import Session

_LIMIT = re.compile(r"(\d+(?:\.\d+)?)(%?)", re.ASCII)
_EPILOG = """\b
Examples:
  skilltool cost                           every client that looks at a directory here
  skilltool cost .claude/skills/pdf        one skill
  skilltool cost --since main              what changed in this branch
  skilltool cost --runtime claude-code --fail-over 100%

The listing is what a client sends before any skill is used, in the unit of its budget, else in characters.
Tokens are an estimate everywhere: a quarter of the characters, rounded up.
"""


def _limit(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[float, bool] | None:
    if value is None:
        return None
    found = _LIMIT.fullmatch(value)
    if found is None or len(value) > 20:
        raise click.BadParameter(f"{value}: expected a number of characters, or a percentage such as 90%")
    return float(found[1]), bool(found[2])


@click.command("cost", cls=Command, epilog=_EPILOG)
@click.argument("path", metavar="[PATH]", required=False, shell_complete=completing.skills)
@session_options
@option(
    "Exit status",
    "--fail-over",
    metavar="N[%]",
    callback=_limit,
    help="Exit 1 if a listing, with all texts that are cut, is longer than N, or than N% of its budget.",
)
@option(
    "Text",
    "--since",
    metavar="REV",
    help="Compare with a revision of the git repository, such as `main`: what grew, and what is newly cut.",
)
@watch_option
@output_file_option
@format_option
@color_option
def command(path: str | None, fail_over: tuple[float, bool] | None, since: str | None, **options: Any) -> int:
    """Show what the skills cost each client: the listing, the bodies, and the files that they name.

    PATH is the directory of a project, or the directory or key of one skill. The clients are those that look
    in a directory that exists here, or those that the configuration or --runtime names.
    """
    question = SessionQuestion.of(options)
    question, skill = _subject(question, path)
    if since is not None and skill is not None:
        raise click.UsageError("--since compares all skills; leave out PATH, or name a project")
    before = None if since is None else (since, costs_in(question, since))
    asked = _Asked(skill, fail_over, before, as_text(options), style_of(options))
    return answer(question, _answer, asked, options)


class _Asked(NamedTuple):
    """What is to be measured: one skill, or all where it is None; `before` is a revision with its costs."""

    skill: str | None
    fail_over: tuple[float, bool] | None
    before: tuple[str, list[ClientCost]] | None
    text: bool
    style: Style


def _subject(question: SessionQuestion, path: str | None) -> tuple[SessionQuestion, str | None]:
    """Return the question for the project that a path names, and the skill if it names one."""
    if path is None or not Path(path).is_dir() or (Path(path) / "SKILL.md").exists():
        return question, path
    if question.given.project is not None:
        raise click.UsageError("PATH is a project, and so is --project; give one of them")
    return question._replace(given=question.given._replace(project=Path(path))), None


def _answer(question: SessionQuestion, asked: _Asked) -> tuple[SafeText, int]:
    """Return the text and the exit status; notes are written to standard error."""
    from skilltool.inspect import cost
    from skilltool.inspect.cost import changes

    sessions, left_out = question.open_all()
    sessions = _known(sessions)
    found = [cost.cost_of(session) for session in sessions]
    status = _status(found, asked)
    if asked.skill is not None:
        found = list(_only(sessions, found, asked.skill))
        if not found:
            explain_absences(sessions, asked.skill, question.given)
            return safe_lines([]), 1
    left = [runtime.id for runtime in left_out]
    if asked.text:
        return _table(found, left, asked), status
    shown = cost.data(found, left)
    if asked.before is not None:
        shown["since"] = changes.data(asked.before[0], _changes(asked, found))
    return dumps(shown), status


def _known(sessions: list[Session]) -> list[Session]:
    """Return the sessions of runtimes whose listing is known; raises `SkilltoolError` if there is none."""
    unknown = [each.runtime.id for each in sessions if is_listing_unknown(each.runtime)]
    if unknown and len(unknown) == len(sessions):
        raise SkilltoolError(f"what {unknown[0]} lists is not known; choose a runtime with --runtime")
    if unknown:
        inform(f"left out, since what they list is not known: {', '.join(unknown)}")
    return [each for each in sessions if each.runtime.id not in unknown]


def _table(found: list[ClientCost], left_out: list[str], asked: _Asked) -> SafeText:
    from skilltool.report import cost_changes, costs, grid

    if left_out:
        inform(f"left out, since no directory that they look in exists here: {', '.join(left_out)}")
    if asked.before is not None:
        return grid.text(list(cost_changes.lines(_changes(asked, found), asked.style)))
    if not found:
        note("no client looks in a directory that exists here")
    return grid.text(list(costs.costs(found, asked.skill is None, asked.style)))


def _changes(asked: _Asked, found: list[ClientCost]) -> list[ClientChange]:
    from skilltool.inspect.cost import changes

    return [] if asked.before is None else changes.changes(asked.before[1], found)


def _only(sessions: list[Session], found: list[ClientCost], name: str) -> Iterator[ClientCost]:
    """Yield the costs of the clients that load this skill, a key or a path, with nothing but it."""
    from skilltool.inspect.render import key_of

    for session, cost in zip(sessions, found, strict=True):
        key = key_of(session, name)
        if skills := tuple(skill for skill in cost.skills if skill.key == key):
            yield cost._replace(skills=skills)


def _status(found: list[ClientCost], asked: _Asked) -> int:
    """Return 1 after a note for each client that is over the limit, else 0."""
    from skilltool.inspect import cost

    if asked.fail_over is None:
        return 0
    limit, is_percent = asked.fail_over
    sentences = list(cost.over(found, limit, is_percent))
    for sentence in sentences:
        note(f"{sentence}; the limit is {limit:,g}{'%' if is_percent else ''}")
    return int(bool(sentences))
