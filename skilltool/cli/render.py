"""`skilltool render`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from skilltool.cli.dead_ends import explain_absence
from skilltool.cli.help import Command, option
from skilltool.cli.options import Choice, format_option, output_file_option
from skilltool.cli.output import exact, note, write, write_escaped, write_file
from skilltool.cli.session import chosen_runtime, open_session, session_options

_PARTS = ("result", "content", "catalog", "tool", "prompt", "display", "context", "user")
_EPILOG = """\b
Examples:
  skilltool render pdf --runtime kodelet  what the model gets for a skill
  skilltool render pdf --runtime mycodeagent --args "x y"
  skilltool render --part catalog         the list of skills in the prompt
  skilltool render --runtime agent --query "list skills"
  skilltool render --runtime kodelet --call '{"skill_name": "pdf"}'

In a pipe the output is the runtime's text, byte for byte; a terminal shows control characters as escapes.
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
) -> int:
    """Print the exact text that a runtime gives its model.

    NAME is a skill's key or the path of its directory. Leave it out for --part catalog, tool or prompt, and
    with --query or --call. Several queries and calls run in one session; the last result is printed.
    """
    from skilltool.errors import SkilltoolError
    from skilltool.inspect import render

    _check(name, arguments, part, queries, calls)
    runtime, why = chosen_runtime(runtime_id, project, home, name)
    if why:
        note(f"runtime {runtime.id}: {why}")
    session = open_session(runtime, project, home, roots, settings, user_settings)
    if queries or calls:
        found = render.sequence(session, calls, queries, part or "result")
    else:
        key = render.key_of(session, name) if name is not None else None
        found = [render.render(session, part or render.default_part(runtime), key, arguments)]
    last = found[-1]
    if reason := render.unknown(session, last):
        raise SkilltoolError(f"{reason}; what {runtime.id} would print is unknown")
    if render.lacks_skill(session, last):
        explain_absence(session, str(name))
    elif remark := render.remark(session, last):
        note(remark)
    failed = last.failed or (last.text is None and last.skill is not None)
    if output_format == "json":
        text = json.dumps(render.data(session, found), indent=2) + "\n"
    elif last.text is not None or not failed:
        text = last.text or ""
    else:
        return 1
    if output_file is not None:
        write_file(output_file, exact(text))
    elif sys.stdout.isatty() and output_format == "text":
        write_escaped(text)
    else:
        write(exact(text))
    return int(failed)


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
