"""`skilltool render`."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from skilltool.cli.dead_ends import explain_absence
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, format_option, output_file_option
from skilltool.cli.output import exact, exact_or_escaped, inform, note, raw_option, write, write_file
from skilltool.cli.session import SessionQuestion, session_options
from skilltool.cli.watched import watched
from skilltool.report.as_json import dumps

_PARTS = ("result", "content", "catalog", "tool", "prompt", "display", "context", "user")
_EPILOG = """\b
Examples:
  skilltool render pdf --runtime kodelet  what the model gets for a skill
  skilltool render pdf --runtime mycodeagent --args "x y"
  skilltool render --part catalog         the list of skills in the prompt
  skilltool render --runtime agent --query "list skills"
  skilltool render --runtime kodelet --call '{"skill_name": "pdf"}'

In a pipe or a file the output is the runtime's text, byte for byte. On a terminal and in the log of a CI job
(GITHUB_ACTIONS or TF_BUILD is set) what they would obey is escaped, unless --raw is given.
"""


@click.command("render", cls=Command, epilog=_EPILOG)
@click.argument("name", required=False)
@option(
    "Text",
    "--part",
    type=Choice(_PARTS),
    metavar="PART",
    help="Which of the runtime's texts to print. [default: what it returns for a skill]",
)
@option(
    "Text", "--args", "arguments", metavar="TEXT", help="Arguments of the skill, if the runtime takes any."
)
@option(
    "Text",
    "--query",
    "queries",
    multiple=True,
    metavar="TEXT",
    help="Print what this user message injects, or what is sent for it; may be repeated in one session.",
)
@option(
    "Text",
    "--call",
    "calls",
    multiple=True,
    metavar="JSON",
    help="Print the result of a tool call with these raw arguments; may be repeated.",
)
@session_options
@output_file_option
@format_option
@raw_option
def command(
    name: str | None,
    arguments: str | None,
    part: str | None,
    queries: tuple[str, ...],
    calls: tuple[str, ...],
    runtime_id: str | None,
    project: Path | None,
    home: Path | None,
    roots: tuple[str, ...],
    settings: tuple[str, ...],
    user_settings: bool,
    output_file: Path | None,
    output_format: str,
    raw: bool,
) -> int:
    """Print the exact text that a runtime gives its model.

    NAME is a skill's key or the path of its directory. Leave it out for --part catalog, tool or prompt, and
    with --query or --call. Several queries and calls run in one session; the last result is printed.
    """
    _check(name, arguments, part, queries, calls)
    question = SessionQuestion(runtime_id, project, home, roots, settings, user_settings)
    asked = _Asked(name, arguments, part, queries, calls, output_format)
    text, status = watched(_answer, question, asked)
    if text is not None:
        _write(text, raw or output_format == "json", output_file)
    return status


class _Asked(NamedTuple):
    """What is to be rendered, by the names of the parameters."""

    name: str | None
    arguments: str | None
    part: str | None
    queries: tuple[str, ...]
    calls: tuple[str, ...]
    output_format: str


def _answer(question: SessionQuestion, asked: _Asked) -> tuple[str | None, int]:
    """Return the text, None if nothing is printed, and the exit status; notes go to standard error."""
    from skilltool.errors import SkilltoolError
    from skilltool.inspect import render

    session, name = question.open(asked.name), asked.name
    if asked.queries or asked.calls:
        found = render.sequence(session, asked.calls, asked.queries, asked.part or "result")
    else:
        key = render.key_of(session, name) if name is not None else None
        part = asked.part or render.default_part(session.runtime)
        found = [render.render(session, part, key, asked.arguments)]
    last = found[-1]
    if reason := render.unknown(session, last):
        raise SkilltoolError(f"{reason}; what {session.runtime.id} would print is unknown")
    if render.lacks_skill(session, last):
        explain_absence(session, str(name))
    elif remark := render.remark(session, last):
        note(remark)
    failed = last.failed or (last.text is None and last.skill is not None)
    if asked.output_format == "json":
        return dumps(render.data(session, found)), int(failed)
    if last.text is not None or not failed:
        return last.text or "", int(failed)
    return None, 1


def _write(text: str, raw: bool, file: Path | None) -> None:
    if file is not None:
        write_file(file, exact(text))
        return
    shown, remark = exact_or_escaped(text, raw)
    write(shown)
    if remark:
        inform(remark)


def _check(
    name: str | None,
    arguments: str | None,
    part: str | None,
    queries: tuple[str, ...],
    calls: tuple[str, ...],
) -> None:
    """Raise `click.UsageError` for options of which one would silently override another."""
    if not (queries or calls):
        if name is None and part is None:
            raise click.UsageError("missing NAME; give a skill, or use --part, --query or --call")
        return
    if name is not None or arguments:
        raise click.UsageError("NAME and --args cannot be used together with --query or --call")
    fitting = {"result", "display"} if calls and not queries else {"context", "user"} if not calls else set()
    if part is not None and part not in fitting:
        others = " and ".join(name for name, given in (("--query", queries), ("--call", calls)) if given)
        raise click.UsageError(f"--part {part} cannot be used together with {others}")
