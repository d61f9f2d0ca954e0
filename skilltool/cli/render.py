"""`skilltool render`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from skilltool.cli.options import Choice
from skilltool.cli.output import exact, note, write, write_file, write_shown
from skilltool.cli.session import chosen_runtime, open_session, session_options

_PARTS = ("result", "content", "catalog", "tool", "prompt", "display", "context")
_EPILOG = """\b
Examples:
  skilltool render pdf --runtime kodelet                   what a call of the tool gives the model
  skilltool render pdf --runtime mycodeagent --args "x y"  with arguments
  skilltool render --part catalog --runtime kodelet        the listing
  skilltool render --runtime agent --query "list skills"   what a message injects
  skilltool render --runtime kodelet --call '{"skill_name": "pdf"}' --call '{"skill_name": "pdf"}'

In a pipe the bytes are exactly the runtime's; on a terminal control characters are shown as escapes.
"""


@click.command("render", epilog=_EPILOG)
@click.argument("name", required=False)
@click.option("--args", "arguments", metavar="TEXT", help="Arguments, where the runtime takes some.")
@click.option("--part", type=Choice(_PARTS), help="Which text; default: what the runtime gives for a skill.")
@click.option(
    "--query", "queries", multiple=True, metavar="TEXT", help="A user message; repeatable, one session."
)
@click.option(
    "--call", "calls", multiple=True, metavar="JSON", help="Raw arguments of a tool call; repeatable."
)
@session_options
@click.option(
    "-o", "--output-file", type=click.Path(path_type=Path), metavar="FILE", help="Write the text to a file."
)
@click.option(
    "--output-format", type=Choice(["text", "json"]), default="text", help="Text, or JSON for programs."
)
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
    output_file: Path | None,
    output_format: str,
) -> int:
    """Print the exact text that a runtime gives its model, nothing added.

    NAME is a skill's key, or the path of its directory. It is not needed for --part catalog, tool or
    prompt, nor with --query or --call; several of those share a session, and the last one is printed.
    """
    from skilltool.errors import SkilltoolError
    from skilltool.inspect import render

    _check(name, arguments, part, queries, calls)
    runtime, why = chosen_runtime(runtime_id, project, name)
    if why:
        note(f"runtime {runtime.id}: {why}")
    session = open_session(runtime, project, home, roots, settings)
    if queries or calls:
        found = render.sequence(session, calls, queries, part or "result")
    else:
        key = render.key_of(session, name) if name is not None else None
        found = [render.render(session, part or render.default_part(runtime), key, arguments)]
    last = found[-1]
    if reason := render.unknown(session, last):
        raise SkilltoolError(f"{reason}; what {runtime.id} would give is not known")
    if remark := render.remark(session, last):
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
        write_shown(text)
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
    """Raise `click.UsageError` where one option would take the place of another without a word."""
    if not (queries or calls):
        if name is None and part is None:
            raise click.UsageError("name a skill, or ask for --part, --query or --call")
        return
    if name is not None or arguments:
        raise click.UsageError("NAME and --args go without --query and --call, which say what is asked for")
    fitting = {"result", "display"} if calls and not queries else {"context"} if not calls else set()
    if part is not None and part not in fitting:
        raise click.UsageError(f"--part {part} goes without --query and --call")
